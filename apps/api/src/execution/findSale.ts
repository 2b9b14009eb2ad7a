// The sale that a swap performs: for an amount to sell, or the one that delivers an amount to buy.

import type { QuoteOptions } from '@braid-swap/core'
import type { Asker } from '../admission/asker.js'
import type { FreshState } from '../answers/freshState.js'
import { observeGap, withNearestFill } from '../answers/meta.js'
import { ApiError } from '../errors.js'
import type { MarketState } from '../market/liveMarket.js'
import type { Need } from '../need.js'
import { optionsOf, requireImpact } from '../quoting/constraints.js'
import type { ExactOutSale, Sale } from '../quoting/exactOut.js'
import { type FeeOption, PPM_PER_BPS } from '../quoting/fee.js'
import { suggestSlippage } from '../quoting/suggestedSlippage.js'
import type { Values } from '../wire/requests.js'

/** The parameters of a swap that the state is not chosen by. */
export type SwapParams = Omit<Values<'swap'>, 'maxStateAgeMs' | 'block'>

/** What a sale is found with. */
export type SaleNeed = Need & { readonly asker: Asker; readonly fee: FeeOption }

/** The sale that is quoted, within the constraints of the request. */
export async function findSale(params: SwapParams, state: FreshState, need: SaleNeed) {
  const { graph } = state
  const { src: tokenIn, dst: tokenOut, amount: amountIn, includeNearest } = params
  const options = { ...optionsOf(graph.snapshot, params, need), ...need.fee }
  const asked = { includeNearest, graph, options, order: { tokenIn, tokenOut, amountIn } }
  const sale = await withNearestFill(asked, need, () => findFitting(params, state, options, need))
  const { answer, order } = sale
  need.asker.tell({ mode: answer.mode })
  observeGap(need, answer)
  requireImpact(answer, order, params)
  return sale
}

/** The order that the transaction performs: the amount to sell, or what delivers the one to buy. */
async function findFitting(
  params: SwapParams,
  state: FreshState,
  options: QuoteOptions,
  need: SaleNeed,
): Promise<Sale & Partial<ExactOutSale> & { readonly slippage: number; readonly solveMs: number }> {
  const { graph } = state
  const { asker } = need
  const { src: tokenIn, dst: tokenOut, amount, dstAmountExact: amountOut, slippage } = params
  const fitting = (sale: Sale) => (slippage === 'auto' ? autoSlippage(need, state, sale) : slippage)
  if (amountOut === undefined) {
    const asked = { tokenIn, tokenOut, amountIn: amount! }
    const { value, solveMs } = await asker.search(graph, { name: 'sell', asked, options })
    return { ...value, solveMs, slippage: fitting(value) }
  }
  const wanted = { tokenIn, tokenOut, amountOut }
  // The least input has the route whose moves count; what is sold with it depends on the slippage.
  const least =
    slippage === 'auto'
      ? await asker.search(graph, { name: 'buy', asked: wanted, options })
      : undefined
  const ppm = least ? fitting(least.value) : Number(slippage)
  const asked = { ...wanted, slippagePpm: BigInt(ppm) }
  const { value, solveMs } = await asker.search(graph, { name: 'deliver', asked, options })
  return { ...value, slippage: ppm, solveMs: solveMs + (least?.solveMs ?? 0) }
}

/** The suggested slippage in parts per million. Throws NOT_READY if too little was seen. */
function autoSlippage(need: Need, state: MarketState, sale: Sale): number {
  const suggested = suggestSlippage(need, state, sale)
  if (suggested) return suggested.bps * PPM_PER_BPS
  const message =
    'too few recent blocks were seen to suggest a slippage: retry, or give a percentage'
  throw new ApiError('NOT_READY', message)
}
