import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../errors.js'
import type { AppConfig } from '../parts.js'
import { within } from '../within.js'
import type { ApiMiddleware } from './state.js'

/**
 * Refuses what would be answered too late: requests beyond `maxConcurrent` with OVERLOADED, and
 * those that are not answered within `maxRequestMs` with DEADLINE_EXCEEDED.
 */
export function limitLoad({
  maxConcurrent,
  maxRequestMs,
}: Pick<AppConfig, 'maxConcurrent' | 'maxRequestMs'>): ApiMiddleware {
  let underWay = 0
  return async (_, next) => {
    if (underWay >= maxConcurrent) {
      const message = 'too many requests are under way'
      throw new ApiError('OVERLOADED', message, { details: { limit: maxConcurrent } })
    }
    underWay += 1
    try {
      // Searching holds the thread: what has arrived meanwhile is counted before the next search.
      await nextTurn()
      await within(maxRequestMs, next, `there was no answer within ${maxRequestMs} ms`)
    } finally {
      underWay -= 1
    }
  }
}
