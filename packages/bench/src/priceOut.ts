import type { Address, Pool } from '@braid-swap/core'
import { arbitrageOf, type Ends, leastGas } from './arbitrage.js'

/**
 * Prices tokens that came without one, in place: for each in turn the price with the least surplus
 * over its pools to priced tokens. Any price would be valid; a good one keeps the bound tight.
 */
export function priceOut(
  pools: readonly Pool[],
  ν: Map<Address, number>,
  terms: { readonly ends: Ends; readonly gasCost: number },
): void {
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
      ν.set(token, leastSurplusPrice(own, token, ν, { guesses, ...terms }))
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

const GOLDEN = (Math.sqrt(5) - 1) / 2
const GOLDEN_STEPS = 60

function leastSurplusPrice(
  own: readonly Pool[],
  token: Address,
  ν: ReadonlyMap<Address, number>,
  at: { readonly guesses: readonly number[]; readonly ends: Ends; readonly gasCost: number },
): number {
  const costOf = (price: number) => {
    const trial = new Map(ν).set(token, price)
    return own.reduce(
      (sum, pool) =>
        sum + Math.max(0, arbitrageOf(pool, trial, at.ends) - leastGas(pool) * at.gasCost),
      0,
    )
  }
  // Convex in the price, so golden section finds the least; on the logarithm, for the guesses of
  // dead pools lie many orders of magnitude apart.
  let [low, high] = [Math.log(Math.min(...at.guesses)), Math.log(Math.max(...at.guesses))]
  let best = { price: at.guesses[0]!, cost: costOf(at.guesses[0]!) }
  const probe = (log: number): number => {
    const cost = costOf(Math.exp(log))
    if (cost < best.cost) best = { price: Math.exp(log), cost }
    return cost
  }
  for (let i = 0; i < GOLDEN_STEPS && high - low > 1e-6 && best.cost > 0; i++) {
    const [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)]
    if (probe(a) <= probe(b)) high = b
    else low = a
  }
  return best.price
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
