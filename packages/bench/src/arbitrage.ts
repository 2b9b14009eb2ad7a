import { type Address, estimateGas, type Pool } from '@braid-swap/core'

/** Trades that a route may not make: what buys the token in or sells the token out. */
export type Ends = { readonly tokenIn: Address; readonly tokenOut: Address }

/** Token prices in wei of the token out per wei. */
export type Prices = ReadonlyMap<Address, number>

/**
 * The most that a pool yields when traded alone against outside prices ν, in wei of the token out;
 * 0 if it touches a token without a price. Written from the pools' formulas, without core's curves.
 */
export function arbitrageOf(pool: Pool, ν: Prices, { tokenIn, tokenOut }: Ends): number {
  const [token0, token1] = [pool.tokens[0]!, pool.tokens[1]!]
  const [ν0, ν1] = [ν.get(token0), ν.get(token1)]
  if (ν0 === undefined || ν1 === undefined) return 0
  const sells0 = token0 !== tokenOut && token1 !== tokenIn
  const sells1 = token1 !== tokenOut && token0 !== tokenIn
  if (pool.family === 'uniswapV2') {
    const [r0, r1] = [Number(pool.reserves[0]), Number(pool.reserves[1])]
    const γ = 1 - pool.feePpm / 1e6
    return Math.max(
      sells0 ? pairProfit(r0, r1, γ, ν0, ν1) : 0,
      sells1 ? pairProfit(r1, r0, γ, ν1, ν0) : 0,
    )
  }
  if (pool.family !== 'uniswapV3') return 0
  return Math.max(
    sells0 ? rangesProfit(pool, true, ν0, ν1) : 0,
    sells1 ? rangesProfit(pool, false, ν1, ν0) : 0,
  )
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

/** The least gas that a hop through the pool can take, whichever way and however little. */
export function leastGas(pool: Pool): number {
  const known = gasOfPool.get(pool)
  if (known !== undefined) return known
  const gas = Math.min(
    estimateGas(pool, { in: 0, out: 1 }, SMALLEST),
    estimateGas(pool, { in: 1, out: 0 }, SMALLEST),
  )
  gasOfPool.set(pool, gas)
  return gas
}
