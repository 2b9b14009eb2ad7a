import { requireTradable } from '../answers/tradable.js'
import { ApiError } from '../errors.js'
import { askerOf } from '../middleware/asker.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { optionsOf } from '../quoting/constraints.js'
import { freshState, readQuery, requireChain } from '../routes/request.js'
import type { QuoteStreams } from './quoteStreams.js'

const RETRY_AFTER_SECONDS = '1'

/**
 * `GET /swap/v1/{chainId}/quote/stream`: the quote as server-sent events. What is wrong with the request
 * or with the service is an error as anywhere else; what the market lacks is an event, because a later
 * block may bring it.
 */
export function quoteStreamRoute(need: Need, streams: QuoteStreams) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx['params'].chainId, need)
    const params = readQuery(ctx, need.schemas.quoteStream)
    const state = freshState(ctx, need)
    const { src, dst } = params
    await requireTradable({ src, dst }, state, { asker: askerOf(ctx, need), ...need })
    optionsOf(state.graph.snapshot, params, need)
    const { bucket, limits, isActive } = ctx.state.key!
    try {
      streams.requireRoom(bucket)
    } catch (error) {
      if (error instanceof ApiError) ctx.set('retry-after', RETRY_AFTER_SECONDS)
      throw error
    }
    ctx.status = 200
    ctx.set('cache-control', 'no-store')
    // Some proxies collect an answer before they pass it on, unless they are told not to.
    ctx.set('x-accel-buffering', 'no')
    ctx.set('content-type', 'text/event-stream; charset=utf-8')
    if (ctx.method === 'HEAD') {
      ctx.body = ''
      return
    }
    ctx.respond = false
    ctx.res.flushHeaders()
    streams.open({ bucket, limits, params, isActive }, ctx.res)
  }
}
