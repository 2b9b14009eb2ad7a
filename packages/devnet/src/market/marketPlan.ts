import type { Address } from '@braid-swap/core'
import type { MarketPool, Volatility } from '../chains/market.js'
import type { PricedToken } from '../chains/tokenList.js'
import { UnknownNameError } from '../errors.js'
import { sortTokens } from '../node/deploy.js'
import {
  amountsOf,
  amountsOfUnit,
  fullRange,
  type Position,
  toSqrtPriceX96,
} from '../pools/position.js'
import type { Random } from './random.js'

/** A pool to create: its initial reserves and price. */
export type PlannedPool = {
  readonly venue: string
  readonly tokens: readonly [Address, Address]
  readonly feePpm: number
  /** The fair price by the price table, in wei of token1 per wei of token0. */
  readonly fairPrice: number
  /** √price·2⁹⁶ of the pool's initial price, which is close to the fair price. */
  readonly sqrtPriceX96: bigint
  /** Initial wei of each token. */
  readonly amounts: readonly [bigint, bigint]
  /** Absent for a pool without ticks. */
  readonly positions?: readonly Position[]
}

/** Limits of the depths for all seeds, in US dollars. */
const MIN_DEPTH = 5_000
const MAX_DEPTH = 5_000_000

/** Standard deviation of a depth's logarithm. */
const DEPTH_SPREAD = 0.45

/**
 * The maximum distance of an initial price from the fair price, as a fraction of the pool's fee.
 * Below 1, every pool buys below and sells above the fair price, so no round trip can gain.
 */
export const NOISE_OF_FEE = 0.35

/** A share of the depth and its range: logarithms of its two ends relative to the pool's price. */
type Layer = { readonly part: number; readonly low: number; readonly high: number }

/** The positions of every pool; their widths vary with the seed. */
const layers: Readonly<Record<Volatility, readonly Layer[]>> = {
  volatile: [
    { part: 0.08, low: -Infinity, high: Infinity },
    { part: 0.15, low: -0.5, high: 0.6 },
    { part: 0.12, low: -0.3, high: 0.26 },
    { part: 0.15, low: -0.17, high: 0.17 },
    { part: 0.1, low: -0.04, high: 0.04 },
    { part: 0.05, low: -0.03, high: 0.012 },
  ],
  pegged: [
    { part: 0.05, low: -Infinity, high: Infinity },
    { part: 0.1, low: -0.05, high: 0.03 },
    { part: 0.2, low: -0.008, high: 0.008 },
    { part: 0.15, low: -0.0015, high: 0.003 },
    { part: 0.15, low: -0.0005, high: 0.0008 },
  ],
  quiet: [
    { part: 0.4, low: -Infinity, high: Infinity },
    { part: 0.4, low: -0.5, high: 0.6 },
    { part: 0.2, low: -0.17, high: 0.17 },
  ],
}

/** Small random positions, some out of range, that put ticks near the price. */
const scatter: Readonly<
  Record<Volatility, { readonly part: number; readonly spread: number } | undefined>
> = {
  volatile: { part: 0.35, spread: 0.03 },
  pegged: { part: 0.35, spread: 0.0008 },
  quiet: undefined,
}

/** The number of random positions in a pool. */
const SCATTERED = 10

/** Tick spacing by fee in ppm, for each venue whose pools have ticks. */
export type TickSpacings = Readonly<Record<string, Readonly<Record<number, number>>>>

/** The pools of a market, from its shape, its prices and a stream of random numbers. */
export function planPools(
  pools: readonly MarketPool[],
  tokens: readonly PricedToken[],
  tickSpacings: TickSpacings,
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
  { tickSpacings, random }: { tickSpacings: TickSpacings; random: Random },
): PlannedPool {
  const { venue, feePpm } = pool
  const depth = pool.depthKUsd * 1000 * Math.exp(random.normal() * DEPTH_SPREAD)
  const usd = Math.min(Math.max(depth, MIN_DEPTH), MAX_DEPTH)
  const noise = (random.next() * 2 - 1) * NOISE_OF_FEE * (feePpm / 1e6)
  const fairPrice = usdPerWei[0] / usdPerWei[1]
  const price = fairPrice * Math.exp(noise)
  const sqrtPriceX96 = toSqrtPriceX96(price)
  const base = { venue, tokens, feePpm, fairPrice, sqrtPriceX96 }
  const spacings = tickSpacings[venue]
  if (spacings === undefined) {
    const amount0 = BigInt(Math.round((usd / 2 / usdPerWei[0]) * Math.exp(-noise / 2)))
    const amount1 = BigInt(Math.round((usd / 2 / usdPerWei[1]) * Math.exp(noise / 2)))
    return { ...base, amounts: [amount0, amount1] }
  }
  const tickSpacing = spacings[feePpm]
  if (tickSpacing === undefined) {
    const known = Object.keys(spacings).join(' ')
    throw new UnknownNameError({ kind: 'fee', got: `${feePpm}`, known })
  }
  const positions = [...layers[pool.volatility], ...scatterLayers(pool.volatility, random)].map(
    (layer) => planPosition(layer, { usd, usdPerWei, price, tickSpacing }, random),
  )
  const amounts = positions.map((position) => amountsOf(position, sqrtPriceX96))
  const sum = (i: 0 | 1) => amounts.reduce((total, pair) => total + pair[i], 0n)
  return { ...base, amounts: [sum(0), sum(1)], positions }
}

function scatterLayers(volatility: Volatility, random: Random): readonly Layer[] {
  const scattered = scatter[volatility]
  if (!scattered) return []
  const { part, spread } = scattered
  return Array.from({ length: SCATTERED }, () => {
    const centre = random.normal() * spread
    const half = spread * 0.6 * Math.exp(random.normal() * 0.7)
    return { part: part / SCATTERED, low: centre - half, high: centre + half }
  })
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
  const tickAt = (offset: number) =>
    (Math.log(price) + offset * stretch) / Math.log(1.0001) / tickSpacing
  const range = Number.isFinite(layer.high)
    ? {
        tickLower: Math.floor(tickAt(layer.low)) * tickSpacing,
        tickUpper: Math.ceil(tickAt(layer.high)) * tickSpacing,
      }
    : fullRange(tickSpacing)
  const unit = amountsOfUnit(range, Math.sqrt(price))
  const usdPerUnit = unit[0] * usdPerWei[0] + unit[1] * usdPerWei[1]
  return { ...range, liquidity: BigInt(Math.round((pool.usd * layer.part) / usdPerUnit)) }
}
