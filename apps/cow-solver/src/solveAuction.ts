/**
 * Solutions to an auction: for each order the best route of core, as one call of the router that the
 * settlement contract makes. A solution settles one order, so a revert costs nobody else anything. The
 * call accepts nothing below the promised output: the settlement's own buffers never pay the difference.
 */
import {
  type Address,
  BaseError,
  type Graph,
  type Quote,
  quote,
  quoteExactOut,
  routerCallOf,
  swapCallOf,
} from '@braid-swap/core'
import { type Auction, type AuctionOrder, buysNative, referencePriceOf } from './auction.js'

/** The contracts that execute solutions. */
export type Settling = {
  readonly router: Address
  /** Performs the calls' programs; it knows all families of the market. */
  readonly executor: Address
  /** CoW Protocol's settlement contract, which sells and receives. */
  readonly settlement: Address
}

/** A solution of the solver-engine API, for one order. */
export type Solution = {
  readonly id: number
  readonly prices: Readonly<Record<Address, string>>
  readonly trades: readonly {
    readonly kind: 'fulfillment'
    readonly order: string
    readonly executedAmount: string
    readonly fee: string
  }[]
  readonly preInteractions: readonly never[]
  readonly interactions: readonly Interaction[]
  readonly postInteractions: readonly never[]
  readonly gas: number
}

/** The call of the router, with what it takes and gives. */
type Interaction = {
  readonly kind: 'custom'
  readonly internalize: false
  readonly target: Address
  readonly value: string
  readonly callData: string
  readonly allowances: readonly { token: Address; spender: Address; amount: string }[]
  readonly inputs: readonly { token: Address; amount: string }[]
  readonly outputs: readonly { token: Address; amount: string }[]
}

/** Gas of a settlement with one trade beside the swap: signature, transfers and fees. Our estimate. */
const SETTLEMENT_GAS = 110_000
const PRICE_ONE = 10n ** 18n
/** Seconds after the quoted block; a settlement that comes later is worth nothing to anybody. */
const DEADLINE_SECONDS = 120n

/** Codes of orders that this market does not fill; anything else is our own fault and is thrown. */
const UNFILLED: ReadonlySet<string> = new Set([
  'NO_ROUTE',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_TOO_SMALL',
  'SAME_TOKEN',
  'BAD_ORDER',
])

/**
 * A solution for each order that the market fills within its limit after the fee for its gas. Orders
 * are left out if they buy the native token, or if the auction has no price to take the fee by. Stops
 * when `isOver` says that the deadline is near, and gives the solutions found until then.
 */
export function solveAuction(
  auction: Auction,
  graph: Graph,
  { isOver, ...settling }: Settling & { readonly isOver: () => boolean },
): readonly Solution[] {
  const solutions: Solution[] = []
  for (const order of auction.orders) {
    if (isOver()) break
    const found = fill(order, { auction, graph, isOver })
    if (found) solutions.push(toSolution(solutions.length, found, { graph, ...settling }))
  }
  return solutions
}

type Swap = Pick<Quote, 'order' | 'route' | 'amountOut' | 'gas'>

/** A filled order: its swap, and the part of the sold token that pays for the gas, in wei. */
type Filled = { readonly order: AuctionOrder; readonly swap: Swap; readonly fee: bigint }

type Search = {
  readonly auction: Auction
  readonly graph: Graph
  readonly isOver: () => boolean
}

/** The swap for an order; `undefined` if its limit does not allow one. */
function fill(order: AuctionOrder, search: Search): Filled | undefined {
  const price = referencePriceOf(search.auction, order.sellToken)
  if (price === undefined || price === 0n || buysNative(order)) return undefined
  const feeOf = ({ gas }: Swap) => {
    const wei = BigInt(Math.ceil(gas + SETTLEMENT_GAS)) * search.auction.effectiveGasPrice
    return (wei * PRICE_ONE + price - 1n) / price
  }
  try {
    return order.kind === 'sell' ? sell(order, search, feeOf) : buy(order, search, feeOf)
  } catch (error) {
    if (error instanceof BaseError && UNFILLED.has(error.code)) return undefined
    throw error
  }
}

type FeeOf = (swap: Swap) => bigint

/** Sells what is left of the amount after the fee. */
function sell(order: AuctionOrder, search: Search, feeOf: FeeOf): Filled | undefined {
  const { sellAmount, buyAmount } = order
  // The fee needs the gas of a route, and the route an amount: the whole one is close enough.
  const fee = feeOf(quote(search.graph, sellOf(order, sellAmount), optionsOf(search)))
  if (fee >= sellAmount) return undefined
  const swap = quote(search.graph, sellOf(order, sellAmount - fee), optionsOf(search))
  return swap.amountOut >= buyAmount ? { order, swap, fee } : undefined
}

/** Buys the amount for the least input; with the fee, it must be within what the user sells. */
function buy(order: AuctionOrder, search: Search, feeOf: FeeOf): Filled | undefined {
  const { sellToken: tokenIn, buyToken: tokenOut, buyAmount: amountOut } = order
  const wanted = { tokenIn, tokenOut, amountOut }
  const swap = quoteExactOut(search.graph, wanted, optionsOf(search))
  const fee = feeOf(swap)
  return swap.order.amountIn + fee <= order.sellAmount ? { order, swap, fee } : undefined
}

const sellOf = ({ sellToken, buyToken }: AuctionOrder, amountIn: bigint) => ({
  ...{ tokenIn: sellToken, tokenOut: buyToken, amountIn },
})

const optionsOf = ({ auction, isOver }: Search) => ({
  ...{ gasPrice: auction.effectiveGasPrice, shouldStop: isOver },
})

function toSolution(
  id: number,
  { order, swap, fee }: Filled,
  { graph, router, executor, settlement }: Settling & { readonly graph: Graph },
): Solution {
  const { wrappedNative, block } = graph.snapshot
  const { sellToken, buyToken, kind, buyAmount } = order
  const { amountIn } = swap.order
  const deadline = block.timestamp + DEADLINE_SECONDS
  const terms = { wrappedNative, executor, slippagePpm: 0n, deadline, receiver: settlement }
  const { data, value } = swapCallOf(router, routerCallOf(swap, terms))
  // A bought amount is exact: what one wei of the input buys beyond it stays with the settlement.
  const paid = kind === 'sell' ? swap.amountOut : buyAmount
  return {
    id,
    prices: { [sellToken]: `${paid}`, [buyToken]: `${amountIn}` },
    trades: [
      {
        ...{ kind: 'fulfillment', order: order.uid, fee: `${fee}` },
        executedAmount: `${kind === 'sell' ? amountIn : buyAmount}`,
      },
    ],
    preInteractions: [],
    interactions: [
      {
        ...{ kind: 'custom', internalize: false, target: router, value: `${value}` },
        callData: data,
        allowances: [{ token: sellToken, spender: router, amount: `${amountIn}` }],
        inputs: [{ token: sellToken, amount: `${amountIn}` }],
        outputs: [{ token: buyToken, amount: `${swap.amountOut}` }],
      },
    ],
    postInteractions: [],
    gas: Math.ceil(swap.gas + SETTLEMENT_GAS),
  }
}
