import { answerSwap } from '../execution/answerSwap.js'
import { requireOwner } from '../execution/calls.js'
import type { SwapParams } from '../execution/findSale.js'
import { requireReceiver } from '../execution/receiver.js'
import { askerOf } from '../middleware/asker.js'
import type { ApiContext } from '../middleware/state.js'
import { feeOption } from '../quoting/fee.js'
import { checksumWarnings } from '../quoting/warnings.js'
import type { Services } from '../services/services.js'
import type { Warning } from '../wire/responses.js'
import { logQuote } from './quoteLine.js'
import { freshState, readQuery, requireChain, requireRouter, type StateWish } from './request.js'

/** `GET /swap/v1/{chainId}/swap`: an exact quote and the transaction that executes it. */
export function swapRoute(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx['params'].chainId, services)
    const { maxStateAgeMs, block, ...params } = readQuery(ctx, services.schemas.swap)
    const warnings = checksumWarnings(ctx.query, ['src', 'dst', 'from', 'receiver'])
    const wish = { maxStateAgeMs, block, warnings }
    ctx.body = (await swapFor(ctx, services, params, wish)).body
  }
}

/** The answer to a swap with its headers. */
export async function swapFor(
  ctx: ApiContext,
  services: Services,
  params: SwapParams,
  { warnings = [], ...wish }: StateWish & { readonly warnings?: readonly Warning[] },
) {
  ctx.set('cache-control', 'no-store')
  // Before the state, because these are wrong in every state.
  const ends = { tokenIn: params.src, tokenOut: params.dst }
  requireReceiver(services, ends, params)
  requireOwner(params)
  feeOption(services, ends, params)
  requireRouter(services)
  const state = freshState(ctx, services, wish)
  const asker = askerOf(ctx, services)
  const answered = await answerSwap(params, state, { asker, warnings, ...services })
  const { order, answer, solveMs, call, seen, data } = answered
  ctx.set('x-gas-estimate', seen.gas === undefined ? 'model' : 'node')
  if (seen.simulation?.ran) ctx.set('x-simulated-dst-amount', `${seen.simulation.dstAmount}`)
  logQuote(services, ctx, {
    ...{ endpoint: 'swap', market: state, params, order, answer, solveMs },
    ...{ minAmountOut: call.minAmountOut, data },
  })
  return answered
}
