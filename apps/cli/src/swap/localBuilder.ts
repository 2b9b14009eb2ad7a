import type { SwapBuilder, SwapRequest } from '@braid-swap/client'
import {
  type Address,
  buildGraph,
  priceImpactBps,
  quote,
  routerCallOf,
  swapCallOf,
} from '@braid-swap/core'
import {
  judgeSlippage,
  quoteDelivery,
  txFeesOf,
  withGasMargin,
  ZERO_ADDRESS,
} from '@braid-swap/core/advanced'
import { judgeQuote } from '../sources/figures.js'
import { type OpenMarket, openMarket, type SourceOptions } from '../sources/marketSource.js'
import { orOffer } from '../sources/offer.js'
import { type RouteListOptions, routeOptions } from '../sources/routeLists.js'
import type { Terminal } from '../terminal.js'
import { type FeeOptions, readFee } from './fee.js'
import { executorOf, type KnownRouter } from './router.js'
import { readSlippagePpm } from './slippage.js'

/**
 * Builds swaps from a market of our own: the first from `market`, each other from the newest state of the
 * source. Throws as `quote` and `quoteDelivery` of core do, USAGE.
 */
export function localBuilder(
  market: OpenMarket,
  options: SourceOptions & RouteListOptions & FeeOptions,
  { known, terminal }: { readonly known: KnownRouter; readonly terminal: Terminal },
): SwapBuilder {
  let unused: OpenMarket | undefined = market
  const swap = async (request: SwapRequest) => {
    const { snapshot, tokens } = unused ?? (await openMarket(options, terminal))
    unused = undefined
    const { wrappedNative, block } = snapshot
    const slippagePpm = readSlippagePpm(`${request.slippage}`)
    const { priorityFee = 0n } = block
    const tip = request.maxPriorityFeePerGas ?? priorityFee
    const { gasPrice, ...fees } = txFeesOf(block.gasPrice - priorityFee, tip)
    const next = block.gasPrice - priorityFee + tip
    const lists = {
      ...{ ...routeOptions({ snapshot, tokens }, options), ...readFee(options), gasPrice: next },
    }
    const graph = buildGraph(snapshot)
    const { src: tokenIn, dst: tokenOut, amount } = request
    const order = { tokenIn, tokenOut, ...(amount !== undefined && { amountIn: amount }) }
    const { gasPrice: _, ...allowed } = lists
    const { least, sale } = orOffer(graph, { order, options: allowed, tokens }, () =>
      saleOf(request, graph, { ...lists, slippagePpm }),
    )
    const call = routerCallOf(sale, {
      ...{ wrappedNative, executor: executorOf(known, sale.route, wrappedNative), slippagePpm },
      ...{ minAmountOut: request.dstAmountExact, receiver: request.receiver },
      deadline: BigInt(request.deadline ?? 0),
    })
    const from: Address = request.from ?? ZERO_ADDRESS
    const gas = withGasMargin(BigInt(sale.gas))
    const tx = { from, ...swapCallOf(known.router, call), gas, gasPrice }
    const isPurchase = request.dstAmountExact !== undefined
    const warnings = [
      ...judgeQuote(graph, sale, { tokens }),
      ...judgeSlippage(Number(slippagePpm), isPurchase),
    ]
    const impactBps = priceImpactBps(sale, sale.order)
    const gasCostInDst = BigInt(Math.ceil(sale.gas * (sale.bound?.gasCost ?? 0)))
    return {
      ...{ dstAmount: sale.amountOut, srcAmount: least?.order.amountIn, tx },
      meta: { warnings, priceImpactBps: impactBps, fees, gasPrice: next, gasCostInDst },
    }
  }
  return { swap }
}

/** The sale of an order, and for an amount to buy also the least sale that is enough at this block. */
function saleOf(
  { src: tokenIn, dst: tokenOut, amount, dstAmountExact }: SwapRequest,
  ...[graph, options]: [Parameters<typeof quote>[0], Parameters<typeof quoteDelivery>[2]]
) {
  if (dstAmountExact !== undefined) {
    return quoteDelivery(graph, { tokenIn, tokenOut, amountOut: dstAmountExact }, options)
  }
  const { slippagePpm: _, ...lists } = options
  return { least: undefined, sale: quote(graph, { tokenIn, tokenOut, amountIn: amount }, lists) }
}
