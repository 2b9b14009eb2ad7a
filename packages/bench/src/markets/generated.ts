import type { Pool, Snapshot } from '@braid-swap/core'
import { type Market, toMarket } from '../market.js'
import { createPrng, type Prng } from '../prng.js'
import { type MadeToken, madeAddress, makePair, makeRanges, toSnapshot } from './build.js'

const TOKENS_PER_POOL = 0.3
const HUBS = 6
const HUB_PAIR_PART = 0.04
const TAIL_PAIR_PART = 0.1
const RANGES_PART = 0.4
const DOLLAR = 1
const DOLLARS_PER_NATIVE = 2000

// Fee tiers in ppm with the tick spacing that goes with each.
const TIERS = [
  { feePpm: 100, tickSpacing: 1 },
  { feePpm: 500, tickSpacing: 10 },
  { feePpm: 3000, tickSpacing: 60 },
  { feePpm: 10_000, tickSpacing: 200 },
] as const

/**
 * A large market that resembles a real one: a few hubs that most tokens trade against, depths over
 * five orders of magnitude, pairs and concentrated pools, several pools per token pair, and prices
 * that differ by less than the fees. Equal seed and size give the same market.
 */
export function generateMarket(size: number, seed: number): Market {
  const prng = createPrng(seed)
  const tokens = makeTokens(Math.max(HUBS + 2, Math.round(size * TOKENS_PER_POOL)), prng)
  const pools: Pool[] = []
  // First a pool for every token with a hub, so that the market is connected.
  for (const [i, token] of tokens.entries()) {
    if (i === 0 || pools.length >= size) continue
    const hub = i < HUBS ? tokens[0]! : pickHub(tokens, prng)
    pools.push(makePool(pools.length, [hub, token], i < HUBS ? 3000 : tailDepth(i, prng), prng))
  }
  while (pools.length < size) pools.push(nextPool(pools.length, tokens, prng))
  const name = `generated, ${size.toLocaleString('en')} pools`
  return toMarket(name, toSnapshot(tokens, pools), tokens[DOLLAR]!.address)
}

/** The snapshot alone, to time what is built from it. */
export function generateSnapshot(size: number, seed: number): Snapshot {
  return generateMarket(size, seed).snapshot
}

function makeTokens(count: number, prng: Prng): readonly MadeToken[] {
  return Array.from({ length: count }, (_, i) => {
    const address = madeAddress('token', i)
    if (i === 0) return { address, decimals: 18, price: 1 }
    if (i <= 2) return { address, decimals: 6, price: 1 / DOLLARS_PER_NATIVE }
    if (i === 3) return { address, decimals: 8, price: 32 }
    const decimals = prng.pick([18, 18, 18, 18, 9, 8, 6])
    return { address, decimals, price: prng.logBetween(1e-6, 10) }
  })
}

function nextPool(n: number, tokens: readonly MadeToken[], prng: Prng): Pool {
  const kind = prng.next()
  if (kind < HUB_PAIR_PART) {
    const [a, b] = pickTwo(HUBS, prng)
    return makePool(n, [tokens[a]!, tokens[b]!], prng.logBetween(100, 20_000), prng)
  }
  // Popular tokens have more pools: the index is drawn by a power law.
  const index = HUBS + Math.floor((tokens.length - HUBS) * prng.next() ** 3)
  const token = tokens[index]!
  if (kind < HUB_PAIR_PART + TAIL_PAIR_PART) {
    const other = tokens[HUBS + prng.below(tokens.length - HUBS)]!
    if (other !== token) return makePool(n, [token, other], tailDepth(index, prng) / 5, prng)
  }
  return makePool(n, [pickHub(tokens, prng), token], tailDepth(index, prng), prng)
}

function makePool(
  n: number,
  ends: readonly [MadeToken, MadeToken],
  depth: number,
  prng: Prng,
): Pool {
  const isRanges = prng.next() < RANGES_PART
  const tier = isRanges ? prng.pick(TIERS) : { feePpm: 3000, tickSpacing: 60 }
  // Within half the fee of the true price, so that no pool has an arbitrage against an exact one.
  const skew = Math.exp(prng.between(-0.5, 0.5) * tier.feePpm * 1e-6)
  const ask = { n, ends, depth, feePpm: tier.feePpm, skew }
  if (!isRanges) return makePair(ask)
  const narrow = Array.from({ length: 2 + prng.below(10) }, () => ({
    halfWidth: Math.round(prng.logBetween(4, 400)) * tier.tickSpacing,
    shift: Math.round(prng.normal() * 20) * tier.tickSpacing,
    part: prng.logBetween(0.05, 4),
  }))
  const ranges = [{ halfWidth: 800_000, part: 0.2 }, ...narrow]
  return makeRanges({ ...ask, tickSpacing: tier.tickSpacing, ranges })
}

/** Depth in whole native tokens on each side; smaller for tokens further down the list. */
function tailDepth(index: number, prng: Prng): number {
  return (prng.logBetween(0.5, 500) * 30) / Math.sqrt(index + 1)
}

function pickHub(tokens: readonly MadeToken[], prng: Prng): MadeToken {
  return tokens[prng.next() < 0.6 ? 0 : prng.below(HUBS)]!
}

function pickTwo(n: number, prng: Prng): readonly [number, number] {
  const a = prng.below(n)
  return [a, (a + 1 + prng.below(n - 1)) % n]
}
