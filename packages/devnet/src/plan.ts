import type { Address } from '@braid-swap/core'
import { sortTokens } from './deploy.js'
import { UnknownNameError } from './errors.js'
import type { MarketPool, Volatility } from './market.js'
import { amountsOf, amountsOfUnit, fullRange, type Position, toSqrtPriceX96 } from './position.js'
import type { Random } from './random.js'
import type { PricedToken } from './tokenList.js'

/** A pool to create: what it holds and where its price starts. */
export type PlannedPool = {
  readonly venue: string
  readonly tokens: readonly [Address, Address]
  readonly feePpm: number
  /** Wei of token1 per wei of token0 that the price table says. */
  readonly fairPrice: number
  /** √·2⁹⁶ of the pool's own first price: fair, and a little beside it. */
  readonly sqrtPriceX96: bigint
  /** Wei of each token it starts with. */
  readonly amounts: readonly [bigint, bigint]
  /** Absent for a pool without ticks. */
  readonly positions?: readonly Position[]
}

/** Depths, in US dollars, that no seed exceeds. */
const [MIN_DEPTH, MAX_DEPTH] = [5_000, 5_000_000]

/** Standard deviation of a depth's logarithm. */
const DEPTH_SPREAD = 0.45

/**
 * How far a price starts from the fair one, at most, in parts of the pool's fee. Below 1 every pool
 * buys below and sells above the fair price, so no round trip through any of them can gain.
 */
export const NOISE_OF_FEE = 0.35

/** Part of the depth, and distance below and above the price, in parts of it; ∞ for full range. */
type Layer = { readonly part: number; readonly below: number; readonly above: number }

const layers: Readonly<Record<Volatility, readonly Layer[]>> = {
  volatile: [
    { part: 0.1, below: Infinity, above: Infinity },
    { part: 0.2, below: 0.6, above: 0.8 },
    { part: 0.25, below: 0.18, above: 0.18 },
    { part: 0.15, below: 0.07, above: 0.15 },
    { part: 0.18, below: 0.04, above: 0.04 },
    { part: 0.12, below: 0.03, above: 0.012 },
  ],
  pegged: [
    { part: 0.05, below: Infinity, above: Infinity },
    { part: 0.15, below: 0.03, above: 0.03 },
    { part: 0.3, below: 0.008, above: 0.008 },
    { part: 0.25, below: 0.0015, above: 0.004 },
    { part: 0.25, below: 0.0012, above: 0.0012 },
  ],
}

/** The pools of a market, from its shape, its prices and a stream of random numbers. */
export function planPools(
  pools: readonly MarketPool[],
  tokens: readonly PricedToken[],
  tickSpacings: Readonly<Record<number, number>>,
  random: Random,
): readonly PlannedPool[] {
  const bySymbol = new Map(tokens.map((token) => [token.symbol, token]))
  const byAddress = new Map(tokens.map((token) => [token.address, token]))
  const find = (symbol: string) => {
    const token = bySymbol.get(symbol)
    if (token !== undefined) return token.address
    throw new UnknownNameError({
      kind: 'token',
      got: symbol,
      known: [...bySymbol.keys()].join(' '),
    })
  }
  return pools.map((pool) => {
    const sorted = sortTokens(find(pool.symbols[0]), find(pool.symbols[1]))
    const usdPerWei = sorted.map((address) => {
      const { usdPrice, decimals } = byAddress.get(address)!
      return usdPrice / 10 ** decimals
    }) as [number, number]
    return planPool(pool, sorted, usdPerWei, { tickSpacings, random })
  })
}

function planPool(
  pool: MarketPool,
  tokens: readonly [Address, Address],
  usdPerWei: readonly [number, number],
  { tickSpacings, random }: { tickSpacings: Readonly<Record<number, number>>; random: Random },
): PlannedPool {
  const { venue, feePpm } = pool
  const depth = pool.depthKUsd * 1000 * Math.exp(random.normal() * DEPTH_SPREAD)
  const usd = Math.min(Math.max(depth, MIN_DEPTH), MAX_DEPTH)
  const noise = (random.next() * 2 - 1) * NOISE_OF_FEE * (feePpm / 1e6)
  const fairPrice = usdPerWei[0] / usdPerWei[1]
  const price = fairPrice * Math.exp(noise)
  const sqrtPriceX96 = toSqrtPriceX96(price)
  const base = { venue, tokens, feePpm, fairPrice, sqrtPriceX96 }
  if (venue.includes('v2')) {
    const amount0 = BigInt(Math.round((usd / 2 / usdPerWei[0]) * Math.exp(-noise / 2)))
    const amount1 = BigInt(Math.round((usd / 2 / usdPerWei[1]) * Math.exp(noise / 2)))
    return { ...base, amounts: [amount0, amount1] }
  }
  const tickSpacing = tickSpacings[feePpm]
  if (tickSpacing === undefined) {
    const known = Object.keys(tickSpacings).join(' ')
    throw new UnknownNameError({ kind: 'fee', got: `${feePpm}`, known })
  }
  const positions = layers[pool.volatility].map((layer) =>
    planPosition(layer, { usd, usdPerWei, price, tickSpacing }, random),
  )
  const amounts = positions.map((position) => amountsOf(position, sqrtPriceX96))
  const sum = (i: 0 | 1) => amounts.reduce((total, pair) => total + pair[i], 0n)
  return { ...base, amounts: [sum(0), sum(1)], positions }
}

function planPosition(
  layer: Layer,
  pool: {
    readonly usd: number
    readonly usdPerWei: readonly [number, number]
    readonly price: number
    readonly tickSpacing: number
  },
  random: Random,
): Position {
  const { tickSpacing, price, usdPerWei } = pool
  const stretch = 0.75 + random.next() / 2
  const tickAt = (ratio: number) => Math.log(price * ratio) / Math.log(1.0001) / tickSpacing
  const range = Number.isFinite(layer.above)
    ? {
        tickLower: Math.floor(tickAt(1 / (1 + layer.below * stretch))) * tickSpacing,
        tickUpper: Math.ceil(tickAt(1 + layer.above * stretch)) * tickSpacing,
      }
    : fullRange(tickSpacing)
  const unit = amountsOfUnit(range, Math.sqrt(price))
  const usdPerUnit = unit[0] * usdPerWei[0] + unit[1] * usdPerWei[1]
  return { ...range, liquidity: BigInt(Math.round((pool.usd * layer.part) / usdPerUnit)) }
}
