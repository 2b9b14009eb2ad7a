import { askerOf } from '../admission/asker.js'
import { freshState, requireRouter, type StateWish } from '../answers/freshState.js'
import { answerSwap } from '../execution/answerSwap.js'
import type { SwapParams } from '../execution/findSale.js'
import { requireReceiver } from '../execution/receiver.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { feeOption } from '../quoting/fee.js'
import { checksumWarnings } from '../quoting/warnings.js'
import { requireOwner } from '../wallets/calls.js'
import type { Values } from '../wire/requests.js'
import type { Warning } from '../wire/responses.js'
import { logQuote } from './quoteLine.js'

/** `GET /swap/v1/{chainId}/swap`: an exact quote and the transaction that executes it. */
export function swapRoute(need: Need) {
  return async (ctx: ApiContext, query: Values<'swap'>): Promise<void> => {
    const { maxStateAgeMs, block, ...params } = query
    const warnings = checksumWarnings(ctx.query, ['src', 'dst', 'from', 'receiver'])
    const wish = { maxStateAgeMs, block, warnings }
    ctx.body = (await swapFor(ctx, need, params, wish)).body
  }
}

/** The answer to a swap with its headers. */
export async function swapFor(
  ctx: ApiContext,
  need: Need,
  params: SwapParams,
  { warnings = [], ...wish }: StateWish & { readonly warnings?: readonly Warning[] },
) {
  ctx.set('cache-control', 'no-store')
  // Before the state, because these are wrong in every state.
  const ends = { tokenIn: params.src, tokenOut: params.dst }
  requireReceiver(need, ends, params)
  requireOwner(params)
  const fee = feeOption(need, ends, params)
  requireRouter(need)
  const state = freshState(ctx, need, wish)
  const asker = askerOf(ctx, need)
  const answered = await answerSwap(params, state, { asker, fee, warnings, ...need })
  const { order, answer, solveMs, call, seen, data } = answered
  ctx.set('x-gas-estimate', seen.gas === undefined ? 'model' : 'node')
  if (seen.simulation?.ran) ctx.set('x-simulated-dst-amount', `${seen.simulation.dstAmount}`)
  logQuote(need, ctx, {
    ...{ endpoint: 'swap', market: state, params, order, answer, solveMs },
    ...{ minAmountOut: call.minAmountOut, data },
  })
  return answered
}
