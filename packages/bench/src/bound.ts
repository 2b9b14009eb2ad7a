import { type Address, type Hex, type Pool, ROUTER_GAS } from '@braid-swap/core'
import { arbitrageOf, leastGas, type Prices } from './arbitrage.js'
import type { Market } from './market.js'
import { priceOut } from './priceOut.js'
import type { Request } from './request.js'

/**
 * An upper bound on the net output of any route, checked from nothing but token prices and the
 * pools' own states; it shares no code with the solver or with the pools' curves.
 *
 *   UB(ν) = A·ν_in + Σ over the M best of max(0, arb_i(ν) − θ·g_i) − (1 − θ)·g_path − G
 *
 * for every ν ≥ 0 with ν_out = 1 and every θ in [0, 1]. ν: price in wei of the token out per wei;
 * arb_i: most that pool i yields when traded alone against outside prices; g_i: the least gas of a
 * hop through it; g_path: gas of the cheapest path; G: the transaction's fixed gas, all at the
 * request's price; M: the cap on legs. Any route without a cycle is a set of at most M such trades
 * whose intermediate balances cancel, and pays for at least one path (Lagrangian dual, fixed
 * charges). It never buys the token in, sells the token out, or visits a dead end.
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
  const offers = pools
    .map((pool) => ({
      surplus: arbitrageOf(pool, ν, request.order),
      gas: leastGas(pool) * gasCost,
    }))
    .filter(({ surplus }) => surplus > 0)
  const pathGas = gasCost > 0 ? leastPathGas(market, tokenIn, tokenOut) * gasCost : 0
  const bounds = (gasCost > 0 ? GAS_PARTS : [1]).map((θ) => {
    const worth = offers.map(({ surplus, gas }) => surplus - θ * gas).filter((x) => x > 0)
    worth.sort((a, b) => b - a)
    const best = worth.slice(0, Number.isFinite(maxLegs) ? maxLegs : undefined)
    return inputValue + best.reduce((sum, x) => sum + x, 0) - (1 - θ) * pathGas
  })
  const bound = Math.min(...bounds)
  return bound + Math.abs(bound) * ROUNDING + ROUNDING_WEI - ROUTER_GAS * gasCost
}

const GAS_PARTS = [0, 0.25, 0.5, 0.75, 1]

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

/** Gas of the hops of the path that takes least, whatever it brings; 0 if there is none. */
function leastPathGas(market: Market, from: Address, to: Address): number {
  const gasTo = new Map<Address, number>([[from, 0]])
  const queue: Address[] = [from]
  for (let token = queue.shift(); token !== undefined; token = queue.shift()) {
    for (const { pool, tokenOut } of market.edges.from.get(token) ?? []) {
      const gas = gasTo.get(token)! + leastGas(pool)
      if (gas >= (gasTo.get(tokenOut) ?? Number.POSITIVE_INFINITY)) continue
      gasTo.set(tokenOut, gas)
      queue.push(tokenOut)
    }
  }
  return gasTo.get(to) ?? 0
}
