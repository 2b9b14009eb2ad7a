// The sale that a swap performs: for an amount to sell, or the one that delivers an amount to buy.

import type { QuoteOptions } from '@braid-swap/core'
import type { z } from 'zod'
import { ApiError } from '../errors.js'
import type { MarketState } from '../market/liveMarket.js'
import type { ApiContext } from '../middleware/state.js'
import { optionsOf, requireImpact } from '../quoting/constraints.js'
import type { ExactOutSale, Sale } from '../quoting/exactOut.js'
import { type FeeOption, PPM_PER_BPS } from '../quoting/fee.js'
import type { PartialOrder } from '../quoting/nearest.js'
import { suggestSlippage } from '../quoting/suggestedSlippage.js'
import type { Services } from '../services/services.js'
import type { RequestSchemas } from '../wire/requests.js'
import { measureSolve, observeGap, withNearestFill } from './meta.js'

/** The parameters of a swap that the state is not chosen by. */
export type SwapParams = Omit<z.output<RequestSchemas['swap']>, 'maxStateAgeMs' | 'block'>

/** The sale that is quoted, within the constraints of the request, and the gas price it counts with. */
export async function findSale(
  ctx: ApiContext,
  services: Services,
  {
    state,
    params,
    fee,
  }: { readonly state: MarketState; readonly params: SwapParams; readonly fee: FeeOption },
) {
  const { graph } = state
  const { src: tokenIn, dst: tokenOut, amount: amountIn } = params
  const gasPrice = params.gasPrice ?? graph.snapshot.block.gasPrice
  const options = { ...optionsOf(graph.snapshot, params, services), gasPrice, ...fee }
  const order: PartialOrder = { tokenIn, tokenOut, amountIn }
  const { includeNearest } = params
  const { solveMs, ...value } = await withNearestFill(
    { ctx, includeNearest, graph, order, options },
    services,
    () => findFitting(ctx, services, { state, params, options }),
  )
  const { answer } = value
  ctx.set('x-quote-mode', answer.mode)
  observeGap(services, answer)
  requireImpact(answer, value.order, params)
  return { ...value, solveMs, gasPrice }
}

/** The order that the transaction performs: the amount to sell, or what delivers the one to buy. */
async function findFitting(
  ctx: ApiContext,
  services: Services,
  {
    state,
    params,
    options,
  }: {
    readonly state: MarketState
    readonly params: SwapParams
    readonly options: QuoteOptions
  },
): Promise<Sale & Partial<ExactOutSale> & { readonly slippage: number; readonly solveMs: number }> {
  const { graph } = state
  const { src: tokenIn, dst: tokenOut, amount, dstAmountExact: amountOut, slippage } = params
  const fitting = (sale: Sale) =>
    slippage === 'auto' ? autoSlippage(services, state, sale) : slippage
  if (amountOut === undefined) {
    const asked = { tokenIn, tokenOut, amountIn: amount! }
    const sold = await measureSolve(ctx, services, graph, { name: 'sell', asked, options })
    return { ...sold.value, solveMs: sold.solveMs, slippage: fitting(sold.value) }
  }
  const wanted = { tokenIn, tokenOut, amountOut }
  // The least input has the route whose moves count; what is sold with it depends on the slippage.
  const least =
    slippage === 'auto'
      ? await measureSolve(ctx, services, graph, { name: 'buy', asked: wanted, options })
      : undefined
  const ppm = least ? fitting(least.value) : Number(slippage)
  const asked = { ...wanted, slippagePpm: BigInt(ppm) }
  const found = await measureSolve(ctx, services, graph, { name: 'deliver', asked, options })
  return { ...found.value, slippage: ppm, solveMs: found.solveMs + (least?.solveMs ?? 0) }
}

/** The suggested slippage in parts per million. Throws NOT_READY if too little was seen. */
function autoSlippage(services: Services, state: MarketState, sale: Sale): number {
  const suggested = suggestSlippage(services, state, sale)
  if (suggested) return suggested.bps * PPM_PER_BPS
  const message =
    'too few recent blocks were seen to suggest a slippage: retry, or give a percentage'
  throw new ApiError('NOT_READY', message)
}
