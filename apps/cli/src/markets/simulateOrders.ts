// A list of orders on one market. Input: a snapshot and orders. Output: a quote for each, and totals by pair.
// In sequence, each order sees the pools as the orders before it left them (applySwap); alone, each sees the
// snapshot.

import {
  BaseError,
  buildGraph,
  type Hex,
  type Options,
  type Order,
  type Pool,
  type Route,
  type Snapshot,
} from '@braid-swap/core'
import { applySwap } from '@braid-swap/core/families'
import { type AmountResult, resultOf, tryQuote } from './quotedAmount.js'

/** The result of an order: its quote, or the code of the reason why there is none. Amounts in wei. */
export type SimulatedOrder = Order & AmountResult

/** The sums of the filled orders of a pair, in wei. */
export type PairTotal = {
  readonly tokenIn: Order['tokenIn']
  readonly tokenOut: Order['tokenOut']
  readonly orders: number
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** All results, and the market after the last order. */
export type Simulation = {
  readonly results: readonly SimulatedOrder[]
  readonly totals: readonly PairTotal[]
  readonly failed: number
  readonly gas: bigint
  readonly after: Snapshot
}

/** Quotes orders one after the other. An order without a quote changes nothing. */
export function simulateOrders(
  snapshot: Snapshot,
  orders: readonly Order[],
  {
    options,
    isAlone,
    onOrder,
  }: {
    readonly options: Options
    readonly isAlone: boolean
    readonly onOrder?: (done: number, all: number) => void
  },
): Simulation {
  let graph = buildGraph(snapshot)
  const results: SimulatedOrder[] = []
  for (const order of orders) {
    const found = tryQuote(graph, order, options)
    results.push({ ...order, ...resultOf(found, order) })
    if (!isAlone && !(found instanceof BaseError)) {
      graph = buildGraph(afterRoute(graph.snapshot, found.route), graph)
    }
    onOrder?.(results.length, orders.length)
  }
  const filled = results.filter((result) => !('error' in result))
  return {
    results,
    totals: totalsOf(results),
    failed: results.length - filled.length,
    gas: results.reduce((sum, result) => sum + ('error' in result ? 0n : result.gas), 0n),
    after: graph.snapshot,
  }
}

/** The market after a route, in the same block; a pool that is used twice moves twice. */
function afterRoute(snapshot: Snapshot, route: Route): Snapshot {
  const moved = new Map<Hex, Pool>()
  for (const { pool, direction, amountIn } of route) {
    moved.set(pool.id, applySwap(moved.get(pool.id) ?? pool, direction, amountIn))
  }
  return { ...snapshot, pools: snapshot.pools.map((pool) => moved.get(pool.id) ?? pool) }
}

function totalsOf(results: readonly SimulatedOrder[]): readonly PairTotal[] {
  const totals = new Map<string, PairTotal>()
  for (const result of results) {
    if ('error' in result) continue
    const { tokenIn, tokenOut, amountIn, amountOut } = result
    const key = `${tokenIn} ${tokenOut}`
    const sum = totals.get(key) ?? { tokenIn, tokenOut, orders: 0, amountIn: 0n, amountOut: 0n }
    totals.set(key, {
      ...sum,
      orders: sum.orders + 1,
      amountIn: sum.amountIn + amountIn,
      amountOut: sum.amountOut + amountOut,
    })
  }
  return [...totals.values()]
}
