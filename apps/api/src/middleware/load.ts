import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppConfig } from '../context.js'
import { ApiError } from '../errors.js'
import { withTimeout } from '../node/withTimeout.js'
import type { ApiMiddleware } from './state.js'

/**
 * Sheds load: refuses requests beyond `maxConcurrent` with OVERLOADED, and requests that take longer
 * than `maxRequestMs` with DEADLINE_EXCEEDED.
 */
export function limitLoad({
  maxConcurrent,
  maxRequestMs,
}: Pick<AppConfig, 'maxConcurrent' | 'maxRequestMs'>): ApiMiddleware {
  let underWay = 0
  return async (_, next) => {
    if (underWay >= maxConcurrent) {
      const message = 'too many requests are in progress'
      throw new ApiError('OVERLOADED', message, { details: { limit: maxConcurrent } })
    }
    underWay += 1
    try {
      // The solver blocks the thread. This turn lets waiting requests be counted before the next solve.
      await nextTurn()
      await withTimeout(
        maxRequestMs,
        next,
        `the request was not answered within ${maxRequestMs} ms`,
      )
    } finally {
      underWay -= 1
    }
  }
}
