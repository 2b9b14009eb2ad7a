import { type Address, estimateGas, type Pool, ROUTER_GAS } from '@braid-swap/core'
import type { Market } from './market.js'
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
 * request's price; M: the cap on legs. Any route is a set of at most M such trades whose
 * intermediate balances cancel, and pays for at least one path (Lagrangian dual, fixed charges).
 */
export function upperBound(
  market: Market,
  request: Request,
  prices: ReadonlyMap<Address, number>,
): number {
  const { tokenIn, tokenOut, amountIn } = request.order
  const { gasCost, maxLegs } = request
  const ν = new Map(prices)
  ν.set(tokenOut, 1)
  const pools = market.snapshot.pools
  priceOut(pools, ν, gasCost)
  const inputValue = Number(amountIn) * (ν.get(tokenIn) ?? Number.POSITIVE_INFINITY)
  const offers = pools
    .map((pool) => ({ surplus: surplusOf(pool, ν, 0), gas: leastGas(pool) * gasCost }))
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

/** max(0, arb(ν) − gas) of one pool; 0 if it touches a token without a price. */
function surplusOf(pool: Pool, ν: ReadonlyMap<Address, number>, gasCost: number): number {
  const ν0 = ν.get(pool.tokens[0]!)
  const ν1 = ν.get(pool.tokens[1]!)
  if (ν0 === undefined || ν1 === undefined) return 0
  return Math.max(0, arbitrage(pool, ν0, ν1) - leastGas(pool) * gasCost)
}

/** The most that selling either token to the pool yields at outside prices. */
function arbitrage(pool: Pool, ν0: number, ν1: number): number {
  if (pool.family === 'uniswapV2') {
    const [r0, r1] = [Number(pool.reserves[0]), Number(pool.reserves[1])]
    const γ = 1 - pool.feePpm / 1e6
    return Math.max(pairProfit(r0, r1, γ, ν0, ν1), pairProfit(r1, r0, γ, ν1, ν0))
  }
  if (pool.family === 'uniswapV3') {
    return Math.max(rangesProfit(pool, true, ν0, ν1), rangesProfit(pool, false, ν1, ν0))
  }
  return 0
}

// max_x νOut·γxY/(X+γx) − νIn·x: with m = √(γ·νOut·Y / (νIn·X)) it is X·νIn·(m − 1)²/γ for m > 1.
function pairProfit(X: number, Y: number, γ: number, νIn: number, νOut: number): number {
  if (!(X > 0 && Y > 0)) return 0
  const m = Math.sqrt((γ * νOut * Y) / (νIn * X))
  return m > 1 ? (X * νIn * (m - 1) ** 2) / γ : 0
}

// Range by range from the current √price s to where the marginal price meets the outside one.
function rangesProfit(
  pool: Extract<Pool, { family: 'uniswapV3' }>,
  zeroForOne: boolean,
  νIn: number,
  νOut: number,
): number {
  const γ = 1 - pool.feePpm / 1e6
  // Selling token 0: stop at s = √(νIn/(γ·νOut)); selling token 1: at s = √(γ·νOut/νIn).
  const target = zeroForOne ? Math.sqrt(νIn / (γ * νOut)) : Math.sqrt((γ * νOut) / νIn)
  let s = Number(pool.sqrtPriceX96) / 2 ** 96
  let liquidity = pool.liquidity
  let profit = 0
  const isPast = (x: number) => (zeroForOne ? x <= target : x >= target)
  const ticks = zeroForOne
    ? pool.ticks.filter(({ index }) => index <= pool.tick).reverse()
    : pool.ticks.filter(({ index }) => index > pool.tick)
  for (const { index, liquidityNet } of ticks) {
    if (isPast(s)) break
    const edge = 1.0001 ** (index / 2)
    const end = isPast(edge) ? target : edge
    const L = Number(liquidity)
    const [dIn, dOut] = zeroForOne
      ? [L * (1 / end - 1 / s), L * (s - end)]
      : [L * (end - s), L * (1 / s - 1 / end)]
    profit += νOut * dOut - (νIn * dIn) / γ
    liquidity += zeroForOne ? -liquidityNet : liquidityNet
    s = end
  }
  return Math.max(0, profit)
}

const SMALLEST = 1n
const gasOfPool = new WeakMap<Pool, number>()

function leastGas(pool: Pool): number {
  const known = gasOfPool.get(pool)
  if (known !== undefined) return known
  const gas = Math.min(
    estimateGas(pool, { in: 0, out: 1 }, SMALLEST),
    estimateGas(pool, { in: 1, out: 0 }, SMALLEST),
  )
  gasOfPool.set(pool, gas)
  return gas
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

/**
 * Prices tokens that came without one, in place: for each in turn the price with the least surplus
 * over its pools to priced tokens. Any price would be valid; a good one keeps the bound tight.
 */
function priceOut(pools: readonly Pool[], ν: Map<Address, number>, gasCost: number): void {
  const poolsOf = new Map<Address, Pool[]>()
  for (const pool of pools) {
    for (const token of pool.tokens) {
      if (!ν.has(token)) append(poolsOf, token, pool)
    }
  }
  for (let isProgress = true; isProgress && poolsOf.size > 0; ) {
    isProgress = false
    for (const [token, own] of poolsOf) {
      const guesses = own.flatMap((pool) => guessPrice(pool, token, ν) ?? [])
      if (guesses.length === 0) continue
      ν.set(token, leastSurplusPrice(own, token, ν, { guesses, gasCost }))
      poolsOf.delete(token)
      isProgress = true
    }
  }
}

function append(into: Map<Address, Pool[]>, token: Address, pool: Pool): void {
  const list = into.get(token)
  if (list) list.push(pool)
  else into.set(token, [pool])
}

function leastSurplusPrice(
  own: readonly Pool[],
  token: Address,
  ν: ReadonlyMap<Address, number>,
  at: { readonly guesses: readonly number[]; readonly gasCost: number },
): number {
  const costOf = (price: number) => {
    const trial = new Map(ν).set(token, price)
    return own.reduce((sum, pool) => sum + surplusOf(pool, trial, at.gasCost), 0)
  }
  const [low, high] = [Math.min(...at.guesses), Math.max(...at.guesses)]
  const candidates = [...at.guesses, ...[0.25, 0.5, 0.75].map((t) => low ** (1 - t) * high ** t)]
  let best = candidates[0]!
  for (const price of candidates) if (costOf(price) < costOf(best)) best = price
  return best
}

function guessPrice(
  pool: Pool,
  token: Address,
  ν: ReadonlyMap<Address, number>,
): number | undefined {
  const isFirst = pool.tokens[0] === token
  const other = ν.get(pool.tokens[isFirst ? 1 : 0]!)
  if (other === undefined) return undefined
  const price1Per0 =
    pool.family === 'uniswapV2'
      ? Number(pool.reserves[1]) / Number(pool.reserves[0])
      : pool.family === 'uniswapV3'
        ? (Number(pool.sqrtPriceX96) / 2 ** 96) ** 2
        : Number.NaN
  const price = isFirst ? other * price1Per0 : other / price1Per0
  return price > 0 && Number.isFinite(price) ? price : undefined
}
