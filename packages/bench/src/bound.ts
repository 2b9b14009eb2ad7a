import { type Address, getAmountOut, type Hex, type Pool, ROUTER_GAS } from '@braid-swap/core'
import { arbitrageOf, leastGas, type Prices } from './arbitrage.js'
import type { Market } from './market.js'
import { priceOut } from './priceOut.js'
import type { Request } from './request.js'

/**
 * An upper bound on the net output of any route, checked from nothing but token prices and the
 * pools' own states; it shares no code with the solver or with the pools' curves.
 *
 *   UB(ν) = max(direct, A·ν_in + Σ over the M best of max(0, arb_i(ν) − g_i) − D) − G
 *
 * for every ν ≥ 0 with ν_out = 1. ν: price in wei of the token out per wei; arb_i: most that pool i
 * yields when traded alone against outside prices; g_i: the least gas of a hop through it; M: the
 * cap on legs; G: the transaction's fixed gas; direct: the best of one hop between the two tokens;
 * D: the least that the gas of several hops exceeds what they yield by, that of a path and of two
 * hops; all gas at the request's price. Any route without a cycle is a set of at most M such trades
 * whose intermediate balances cancel (Lagrangian dual, fixed charges); it is one hop or holds a path
 * and at least two. It never buys the token in, sells the token out, or visits a dead end.
 */
export function upperBound(
  market: Market,
  request: Request,
  prices: Prices,
  setAside: ReadonlySet<Hex> = new Set(),
): number {
  const { tokenIn, tokenOut, amountIn } = request.order
  const { gasCost, maxLegs } = request
  const ν = new Map(prices)
  ν.set(tokenOut, 1)
  const pools = withoutDeadEnds(market.snapshot.pools, request.order).filter(
    ({ id }) => !setAside.has(id),
  )
  priceOut(pools, ν, { ends: request.order, gasCost })
  const inputValue = Number(amountIn) * (ν.get(tokenIn) ?? Number.POSITIVE_INFINITY)
  const costs = new Map<Pool, number>()
  const worth: number[] = []
  for (const pool of pools) {
    const net = arbitrageOf(pool, ν, request.order) - leastGas(pool) * gasCost
    if (net > 0) worth.push(net)
    costs.set(pool, net < 0 ? -net : 0)
  }
  worth.sort((a, b) => b - a)
  const best = worth.slice(0, Number.isFinite(maxLegs) ? maxLegs : undefined)
  const several = best.reduce((sum, x) => sum + x, inputValue) - leastCost(market, request, costs)
  const bound = Math.max(several, bestDirect(market, request))
  const size = Math.max(
    Math.abs(bound),
    best.reduce((sum, x) => sum + x, inputValue),
  )
  const fixed = ROUTER_GAS * gasCost
  return bound - fixed + (size + fixed) * ROUNDING + ROUNDING_WEI
}

// Float sums over thousands of pools, and integer rounding that a pool may lose to the trader.
const ROUNDING = 1e-9
const ROUNDING_WEI = 4

/** The pools without those of tokens that have one neighbour only, peeled off again and again. */
function withoutDeadEnds(pools: readonly Pool[], order: Request['order']): readonly Pool[] {
  const neighbours = new Map<Address, Set<Address>>()
  for (const { tokens } of pools) {
    for (const [i, token] of tokens.entries()) {
      const known = neighbours.get(token) ?? new Set()
      neighbours.set(token, known.add(tokens[1 - i]!))
    }
  }
  const isEnd = (token: Address) => token === order.tokenIn || token === order.tokenOut
  const queue = [...neighbours.keys()]
  for (let token = queue.pop(); token !== undefined; token = queue.pop()) {
    const own = neighbours.get(token)
    if (!own || own.size > 1 || isEnd(token)) continue
    neighbours.delete(token)
    for (const other of own) {
      neighbours.get(other)?.delete(token)
      queue.push(other)
    }
  }
  return pools.filter(({ tokens }) => tokens.every((token) => neighbours.has(token)))
}

/** Net of the best single hop between the two tokens. */
function bestDirect(market: Market, { order, gasCost }: Request): number {
  const edges = market.edges.from.get(order.tokenIn) ?? []
  return edges
    .filter(({ tokenOut }) => tokenOut === order.tokenOut)
    .map(({ pool, direction }) => {
      const out = getAmountOut(pool, direction, order.amountIn)
      return out === 0n ? Number.NEGATIVE_INFINITY : Number(out) - leastGas(pool) * gasCost
    })
    .reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
}

/** The least that several hops cost beyond what they yield: a path's, and two hops'. */
function leastCost(market: Market, { order }: Request, costs: ReadonlyMap<Pool, number>): number {
  const total = new Map<Address, number>([[order.tokenIn, 0]])
  const queue: Address[] = [order.tokenIn]
  for (let token = queue.shift(); token !== undefined; token = queue.shift()) {
    for (const { pool, tokenOut } of market.edges.from.get(token) ?? []) {
      const cost = costs.get(pool)
      if (cost === undefined) continue
      const through = total.get(token)! + cost
      if (!(through < (total.get(tokenOut) ?? Number.POSITIVE_INFINITY))) continue
      total.set(tokenOut, through)
      queue.push(tokenOut)
    }
  }
  return Math.max(total.get(order.tokenOut) ?? 0, 2 * Math.min(...costs.values()))
}
