import type { Pool } from '@braid-swap/core'
import { type Market, toMarket } from '../market.js'
import { createPrng, type Prng } from '../prng.js'
import { ANY_LEGS, type Request, toRequest } from '../request.js'
import { type MadeToken, madeAddress, makePair, makeRanges, toSnapshot } from './build.js'

/** A small market on which one approach to routing fails. */
export type AdversarialCase = {
  readonly kind: AdversarialKind
  readonly market: Market
  readonly request: Request
}

/** The kinds of cases. */
export type AdversarialKind = keyof typeof MAKERS

/** `count` instances of every kind; the same seed gives the same cases. */
export function adversarialCases(count: number, seed: number): readonly AdversarialCase[] {
  const kinds = Object.keys(MAKERS) as AdversarialKind[]
  return kinds.flatMap((kind, k) =>
    Array.from({ length: count }, (_, i) => makeCase(kind, createPrng(seed + 1000 * k + i), i)),
  )
}

type Made = {
  readonly tokens: readonly MadeToken[]
  readonly pools: readonly Pool[]
  readonly from: number
  readonly to: number
  /** Whole tokens of the token in. */
  readonly amount: number
  readonly gwei: number
}

function makeCase(kind: AdversarialKind, prng: Prng, i: number): AdversarialCase {
  const made = MAKERS[kind](prng)
  const snapshot = toSnapshot(made.tokens, made.pools)
  const market = toMarket(`${kind} ${i}`, snapshot, made.tokens[1]!.address)
  const from = made.tokens[made.from]!
  const to = made.tokens[made.to]!
  const wei = made.amount * 10 ** from.decimals
  const order = {
    tokenIn: from.address,
    tokenOut: to.address,
    amountIn: wei < 1 ? 1n : BigInt(Math.floor(wei)),
  }
  const ask = { id: `${kind}-${i}`, label: kind, order, gwei: made.gwei, maxLegs: ANY_LEGS }
  return { kind, market, request: toRequest(market, ask) }
}

const MAKERS = {
  'scam pools': scamPools,
  'flat pools in series': flatSeries,
  'exhausted ranges': exhaustedRanges,
  'identical pools': identicalPools,
  'gas kills': gasKills,
  'tree only': treeOnly,
  'fan-in only': fanInOnly,
  'input ≫ reserves': inputBeyondReserves,
  'odd decimals': oddDecimals,
  'one wei': oneWei,
} satisfies Record<string, (prng: Prng) => Made>

/** Tokens, native first and the dollar second; prices in whole native tokens. */
function tokensOf(...prices: readonly number[]): readonly MadeToken[] {
  return prices.map((price, i) => ({
    address: madeAddress('token', i),
    decimals: i === 1 ? 6 : 18,
    price,
  }))
}

// A few normal pools, and many tiny ones at absurd prices that look like arbitrage.
function scamPools(prng: Prng): Made {
  const tokens = tokensOf(1, 1 / 2000, prng.logBetween(0.001, 1), 0.01, 0.02)
  const [a, b, c, d, e] = tokens as [MadeToken, MadeToken, MadeToken, MadeToken, MadeToken]
  const pools = [
    makePair({ n: 0, ends: [a, b], depth: 5000, feePpm: 3000 }),
    makePair({ n: 1, ends: [a, c], depth: 800, feePpm: 3000 }),
    makePair({ n: 2, ends: [c, b], depth: 500, feePpm: 3000 }),
  ]
  for (let n = 3; n < 20; n++) {
    const ends = prng.pick([[a, d] as const, [d, e] as const, [e, b] as const, [c, d] as const])
    const skew = prng.logBetween(1e-4, 1e4)
    pools.push(makePair({ n, ends, depth: prng.logBetween(1e-8, 1e-4), feePpm: 3000, skew }))
  }
  return { tokens, pools, from: 2, to: 1, amount: 50 / c.price, gwei: 1 }
}

// Near-linear pools in series: each has almost no surplus in the dual, but all are needed.
function flatSeries(prng: Prng): Made {
  const tokens = tokensOf(1, 1 / 2000, 1 / 2000, 1 / 2000, 1 / 2000)
  const flat = (n: number, i: number, j: number) =>
    makeRanges({
      n,
      ends: [tokens[i]!, tokens[j]!],
      depth: 2000,
      feePpm: 100,
      tickSpacing: 1,
      ranges: [{ halfWidth: 3 + prng.below(20), part: prng.logBetween(200, 2000) }],
    })
  const pools: Pool[] = [
    makePair({ n: 0, ends: [tokens[0]!, tokens[1]!], depth: 3000, feePpm: 500 }),
  ]
  for (const [i, j] of [
    [1, 2],
    [2, 3],
    [3, 4],
    [1, 3],
    [2, 4],
  ] as const) {
    for (let k = 0; k < 2; k++) pools.push(flat(pools.length, i, j))
  }
  return { tokens, pools, from: 0, to: 4, amount: prng.logBetween(1, 300), gwei: 1 }
}

// Narrow ranges that are exhausted long before the order is filled, next to one that is not.
function exhaustedRanges(prng: Prng): Made {
  const tokens = tokensOf(1, 1 / 2000, 0.05)
  const pools: Pool[] = [
    makePair({ n: 0, ends: [tokens[0]!, tokens[1]!], depth: 800, feePpm: 3000 }),
  ]
  for (let n = 1; n < 9; n++) {
    const ends = prng.pick([
      [0, 1],
      [0, 2],
      [2, 1],
    ] as const)
    pools.push(
      makeRanges({
        n,
        ends: [tokens[ends[0]]!, tokens[ends[1]]!],
        depth: 300,
        feePpm: 500,
        tickSpacing: 10,
        ranges: [
          { halfWidth: 30 + prng.below(300), part: prng.logBetween(0.5, 20) },
          { halfWidth: 20, part: prng.logBetween(1, 30), shift: prng.below(600) - 300 },
        ],
      }),
    )
  }
  return { tokens, pools, from: 0, to: 1, amount: prng.logBetween(20, 1000), gwei: 0.1 }
}

// Identical pools: without gas the optimum is an equal split.
function identicalPools(prng: Prng): Made {
  const tokens = tokensOf(1, 1 / 2000)
  const count = 2 + prng.below(15)
  const pools = Array.from({ length: count }, (_, n) =>
    makePair({ n, ends: [tokens[0]!, tokens[1]!], depth: 100, feePpm: 3000 }),
  )
  return { tokens, pools, from: 0, to: 1, amount: prng.logBetween(0.1, 100), gwei: 0 }
}

// Identical pools at a gas price at which a second pool rarely pays for itself.
function gasKills(prng: Prng): Made {
  const made = identicalPools(prng)
  return { ...made, amount: prng.logBetween(0.1, 30), gwei: prng.logBetween(10, 500) }
}

// One deep pool into a middle token, where the flow must split over several pools.
function treeOnly(prng: Prng): Made {
  const tokens = tokensOf(1, 1 / 2000, 0.5, 0.2, 0.1)
  const pools: Pool[] = [
    makePair({ n: 0, ends: [tokens[0]!, tokens[2]!], depth: 20_000, feePpm: 3000 }),
  ]
  for (const middle of [3, 4]) {
    pools.push(
      makePair({ n: pools.length, ends: [tokens[2]!, tokens[middle]!], depth: 200, feePpm: 3000 }),
      makePair({
        n: pools.length + 1,
        ends: [tokens[middle]!, tokens[1]!],
        depth: 200,
        feePpm: 3000,
      }),
    )
  }
  for (let k = 0; k < 3; k++) {
    const depth = prng.logBetween(100, 400)
    pools.push(makePair({ n: pools.length, ends: [tokens[2]!, tokens[1]!], depth, feePpm: 3000 }))
  }
  return { tokens, pools, from: 0, to: 1, amount: prng.logBetween(50, 300), gwei: 1 }
}

// Many shallow paths into a middle token and one pool out of it. Routers of disjoint paths can use
// only one of them; routers of separate paths pay the gas of the last pool once per path.
function fanInOnly(prng: Prng): Made {
  const tokens = tokensOf(1, 1 / 2000, 0.5, 0.2, 0.1, 0.3)
  const pools: Pool[] = [
    makePair({ n: 0, ends: [tokens[2]!, tokens[1]!], depth: 50_000, feePpm: 3000 }),
  ]
  for (const via of [3, 4, 5]) {
    const depth = prng.logBetween(150, 300)
    pools.push(
      makePair({ n: pools.length, ends: [tokens[0]!, tokens[via]!], depth, feePpm: 3000 }),
      makePair({ n: pools.length + 1, ends: [tokens[via]!, tokens[2]!], depth, feePpm: 3000 }),
    )
  }
  pools.push(
    makePair({ n: pools.length, ends: [tokens[0]!, tokens[2]!], depth: 200, feePpm: 3000 }),
  )
  return { tokens, pools, from: 0, to: 1, amount: prng.logBetween(60, 300), gwei: 20 }
}

// An order many times larger than all reserves.
function inputBeyondReserves(prng: Prng): Made {
  const tokens = tokensOf(1, 1 / 2000, 0.1)
  const pools = [
    [0, 1],
    [0, 2],
    [2, 1],
    [0, 1],
  ].map(([i, j], n) =>
    makePair({
      n,
      ends: [tokens[i!]!, tokens[j!]!],
      depth: prng.logBetween(0.01, 100),
      feePpm: 3000,
    }),
  )
  return { tokens, pools, from: 0, to: 1, amount: prng.logBetween(1e4, 1e8), gwei: 0 }
}

// Raw reserves from a few wei to 1e30.
function oddDecimals(prng: Prng): Made {
  const decimals = [18, 6, prng.pick([0, 1, 2]), prng.pick([24, 27, 30])]
  const tokens = decimals.map((digits, i) => ({
    address: madeAddress('token', i),
    decimals: digits,
    price: i === 0 ? 1 : i === 2 ? 0.01 : 1 / 2000,
  }))
  const couples = [
    [0, 1],
    [0, 2],
    [2, 3],
    [0, 3],
    [2, 1],
    [3, 1],
  ] as const
  const pools = couples.map(([i, j], n) => {
    const depth = i === 3 || j === 3 ? 1 : prng.logBetween(100, 1000)
    return makePair({ n, ends: [tokens[i]!, tokens[j]!], depth, feePpm: 3000 })
  })
  const [from, to] = prng.pick([
    [2, 1],
    [3, 1],
    [0, 3],
    [1, 2],
  ] as const)
  const price = tokens[from]!.price
  return { tokens, pools, from, to, amount: prng.logBetween(0.1, 5) / price, gwei: 0 }
}

// The smallest possible order, into a token in which it is worth many wei.
function oneWei(prng: Prng): Made {
  const tokens: readonly MadeToken[] = [
    { address: madeAddress('token', 0), decimals: 18, price: 1 },
    { address: madeAddress('token', 1), decimals: 6, price: 1 / 2000 },
    { address: madeAddress('token', 2), decimals: 8, price: 0.1 },
  ]
  const couples = [
    [0, 1],
    [0, 2],
    [2, 1],
    [0, 1],
  ] as const
  const pools = couples.map(([i, j], n) => {
    const depth = prng.logBetween(10, 1000)
    return makePair({ n, ends: [tokens[i]!, tokens[j]!], depth, feePpm: 3000 })
  })
  return { tokens, pools, from: 1, to: 0, amount: 0, gwei: 0 }
}
