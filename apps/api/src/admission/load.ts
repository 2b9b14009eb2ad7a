import type { AppConfig } from '../config/appConfig.js'
import { ApiError } from '../errors.js'
import type { Metrics } from '../http/metrics.js'
import type { ApiMiddleware } from '../middleware/state.js'
import type { Admission, Refusal } from './admission.js'

/**
 * Lets a request with a key wait for its turn. Refuses with OVERLOADED at once if its key has no place
 * left, and with DEADLINE_EXCEEDED if it is not answered within `maxRequestMs`, the wait included.
 */
export function limitLoad(
  admission: Admission,
  {
    config: { maxConcurrent, maxRequestMs },
    metrics,
  }: {
    readonly config: Pick<AppConfig, 'maxConcurrent' | 'maxRequestMs'>
    readonly metrics: Pick<Metrics, 'queueSeconds' | 'shed'>
  },
): ApiMiddleware {
  return async (ctx, next) => {
    const enteredMs = performance.now()
    let timer: NodeJS.Timeout | undefined
    let leave = () => {}
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => {
          metrics.shed.inc({ reason: 'deadline' })
          const message = `the request was not answered within ${maxRequestMs} ms`
          reject(new ApiError('DEADLINE_EXCEEDED', message))
        }, maxRequestMs)
        let isStarted = false
        const start = () => {
          isStarted = true
          metrics.queueSeconds.observe((performance.now() - enteredMs) / 1_000)
          next().then(resolve, reject)
        }
        const refuse = (why: Refusal) => {
          metrics.shed.inc({ reason: why })
          const message = 'too many requests are in progress'
          reject(new ApiError('OVERLOADED', message, { details: { limit: maxConcurrent } }))
        }
        const place = admission.enter(ctx.state.key!.id, { start, refuse })
        if (!place) return
        leave = place.leave
        ctx.res.once('close', () => {
          if (isStarted) return
          // Nobody reads the answer any more, so nothing is solved for it.
          metrics.shed.inc({ reason: 'gone' })
          reject(
            new ApiError('DEADLINE_EXCEEDED', 'the client closed the connection while it waited'),
          )
        })
      })
    } finally {
      clearTimeout(timer)
      leave()
    }
  }
}
