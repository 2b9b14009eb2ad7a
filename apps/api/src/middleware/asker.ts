import { type Asker, createAsker } from '../answers/asker.js'
import type { Need } from '../need.js'
import { charge } from './limit.js'
import type { ApiContext } from './state.js'

/** The asker of a request: its key pays, and it is told in headers. */
export function askerOf(ctx: ApiContext, need: Need): Asker {
  const { state, res } = ctx
  return createAsker(need, {
    bucket: state.key!.bucket,
    endpoint: ctx.path.slice(ctx.path.lastIndexOf('/') + 1),
    isWanted: () => !(res.writableEnded || res.destroyed),
    spend: (allMs) => {
      state.solvedMs = allMs
      ctx.set('server-timing', `solve;dur=${Math.round(allMs * 100) / 100}`)
    },
    charge: (what, count) => charge(ctx, need, { what, count }),
    tell: ({ quoteId, mode }) => {
      if (mode !== undefined) ctx.set('x-quote-mode', mode)
      if (quoteId === undefined) return
      state.quoteId = quoteId
      ctx.set('x-quote-id', quoteId)
    },
  })
}
