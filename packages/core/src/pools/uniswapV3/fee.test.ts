import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getSqrtPriceAtTick } from '../../math/tickMath.js'
import { advance, type Snapshot } from '../../snapshot.js'
import { anyDynamicFeePool, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { feePpmOf } from './fee.js'
import { applySwap, type Oracle, type UniswapV3Pool } from './index.js'
import { averageTick, writeObservation } from './oracle.js'

const START = 1_700_000_000

/** The ring buffer as in the contract: slots, with the newest at `index`. */
type Slot = { timestamp: number; tickCumulative: bigint } | undefined
type Ring = { slots: Slot[]; index: number; cardinality: number }

function writeRing(ring: Ring, timestamp: number, tick: number, next: number): void {
  const last = ring.slots[ring.index]!
  if (last.timestamp === timestamp) return
  if (next > ring.cardinality && ring.index === ring.cardinality - 1) ring.cardinality = next
  ring.index = (ring.index + 1) % ring.cardinality
  const tickCumulative = last.tickCumulative + BigInt(tick) * BigInt(timestamp - last.timestamp)
  ring.slots[ring.index] = { timestamp, tickCumulative }
}

/** The sum of ticks up to a second, computed second by second between the ring's slots. */
function ringAverage(ring: Ring, now: number, seconds: number, tick: number): bigint | undefined {
  const kept = ring.slots.filter((slot) => slot !== undefined)
  kept.sort((a, b) => a.timestamp - b.timestamp)
  if (now - seconds < kept[0]!.timestamp) return undefined
  let sum = 0n
  for (let second = now - seconds; second < now; second++) {
    const after = kept.findIndex(({ timestamp }) => timestamp > second)
    if (after === -1) sum += BigInt(tick)
    else {
      const [a, b] = [kept[after - 1]!, kept[after]!]
      sum += (b.tickCumulative - a.tickCumulative) / BigInt(b.timestamp - a.timestamp)
    }
  }
  return sum / BigInt(seconds)
}

const anyWrite = fc.record({
  wait: fc.integer({ min: 0, max: 40 }),
  tick: fc.integer({ min: -887_272, max: 887_271 }),
  cardinalityNext: fc.integer({ min: 1, max: 9 }),
})

describe('the oracle', () => {
  it('gives the average of the whole ring, however little of it is kept', () => {
    const anyRun = [fc.array(anyWrite, { maxLength: 25 }), fc.integer({ min: 1, max: 60 })] as const
    const property = fc.property(
      ...anyRun,
      fc.nat(50),
      fc.nat(900),
      (writes, seconds, wait, tick) => {
        const first = { timestamp: START, tickCumulative: 0n }
        const ring: Ring = { slots: [first], index: 0, cardinality: 1 }
        const start = { index: 0, cardinality: 1, cardinalityNext: 1, older: 0 }
        let oracle: Oracle = { ...start, observations: [first] }
        let now = START
        for (const write of writes) {
          now += write.wait
          const cardinalityNext = Math.max(oracle.cardinalityNext, write.cardinalityNext)
          oracle = writeObservation(
            { ...oracle, cardinalityNext },
            { timestamp: BigInt(now), tick: write.tick, keepSeconds: seconds },
          )
          writeRing(ring, now, write.tick, cardinalityNext)
        }
        expect(oracle).toMatchObject({ index: ring.index, cardinality: ring.cardinality })
        const held = ring.slots.filter((slot) => slot !== undefined).length
        expect(oracle.older + oracle.observations.length).toBe(held)
        const at = { now: now + wait, seconds, tick }
        expect(averageTick(oracle, at)).toBe(ringAverage(ring, at.now, seconds, tick))
      },
    )
    fc.assert(property, { numRuns: 1000, endOnFailure: true })
  })
})

const pool: UniswapV3Pool = {
  ...{ family: 'uniswapV3', id: `0x${'11'.repeat(20)}`, venue: 'test', tokens: [TOKEN_A, TOKEN_B] },
  ...{ feePpm: 500, tickSpacing: 10, sqrtPriceX96: 1n << 96n, tick: 0, liquidity: 10n ** 18n },
  ticks: [
    { index: -10_000, liquidityNet: 10n ** 18n },
    { index: 10_000, liquidityNet: -(10n ** 18n) },
  ],
  dynamicFee: {
    ...{ scalingFactor: 2_000_000n, capPpm: 20_000, fallbackPpm: 700, secondsAgo: 600 },
    oracle: {
      ...{ index: 1, cardinality: 400, cardinalityNext: 400, older: 0 },
      observations: [
        { timestamp: START, tickCumulative: 0n },
        { timestamp: START + 1000, tickCumulative: 100_000n },
      ],
    },
  },
  quotedAt: BigInt(START + 1000),
}
const withFee = (change: Partial<NonNullable<UniswapV3Pool['dynamicFee']>>) => ({
  ...pool,
  dynamicFee: { ...pool.dynamicFee!, ...change },
})

describe('a dynamic fee', () => {
  it('rises with the distance between price and average', () => {
    // 600 seconds at tick 100, price at tick 0: 500 + 100 · 2.
    expect(feePpmOf(pool)).toBe(700)
    expect(feePpmOf({ ...pool, tick: 350 })).toBe(1000)
  })

  it('depends on the time for which it is quoted', () => {
    // 599 of 600 seconds at 100 and one at 0: the average of 99.8 is truncated.
    expect(feePpmOf({ ...pool, quotedAt: pool.quotedAt! + 1n })).toBe(698)
    expect(feePpmOf({ ...pool, quotedAt: pool.quotedAt! + 600n })).toBe(500)
  })

  it('is at most its cap, and the tick spacing’s fee above the factory’s limit', () => {
    expect(feePpmOf(withFee({ capPpm: 600 }))).toBe(600)
    const high = withFee({ capPpm: 500_000, scalingFactor: 10n ** 18n, fallbackPpm: 321 })
    expect(feePpmOf(high)).toBe(321)
    expect(feePpmOf(withFee({ capPpm: 100_000, scalingFactor: 10n ** 18n }))).toBe(100_000)
  })

  it('is the base fee if the oracle is too short or does not reach back', () => {
    const { oracle } = pool.dynamicFee!
    expect(feePpmOf(withFee({ oracle: { ...oracle, cardinality: 299 } }))).toBe(500)
    expect(feePpmOf(withFee({ secondsAgo: 700, oracle: { ...oracle, cardinality: 350 } }))).toBe(
      700,
    )
    const young = { ...oracle, observations: oracle.observations.slice(1) }
    expect(feePpmOf(withFee({ oracle: young }))).toBe(500)
  })

  it('differs for the next swap in the same block', () => {
    const moved = applySwap(pool, { in: 1, out: 0 }, 10n ** 16n)
    expect(moved.tick).toBeGreaterThan(100)
    expect(feePpmOf(moved)).toBe(500 + 2 * (moved.tick - 100))
    expect(moved.dynamicFee!.oracle).toBe(pool.dynamicFee!.oracle)
  })

  it('records the tick before a swap for later blocks', () => {
    const at40 = { tick: 40, sqrtPriceX96: getSqrtPriceAtTick(40) }
    const later = { ...pool, ...at40, quotedAt: pool.quotedAt! + 5n }
    const moved = applySwap(later, { in: 1, out: 0 }, 10n ** 16n)
    expect(moved.dynamicFee!.oracle.observations.at(-1)).toEqual({
      timestamp: START + 1005,
      tickCumulative: 100_200n,
    })
    expect(applySwap(later, { in: 1, out: 0 }, 100n).dynamicFee).toBe(later.dynamicFee)
  })
})

it('is quoted for the second after its block, unlike pools without time', () => {
  const still = { ...pool, id: `0x${'22'.repeat(20)}` as const }
  const { dynamicFee: _, quotedAt: __, ...fixed } = still
  const block = { number: 7n, hash: '0x07', timestamp: 99n, gasPrice: 1n, gasLimit: 1n } as const
  const wrappedNative = TOKEN_A
  const snapshot: Snapshot = {
    chainId: 999,
    block,
    wrappedNative,
    tokens: [],
    pools: [pool, fixed],
  }
  const next = advance(snapshot, { block: { ...block, timestamp: 1234n }, pools: [] })
  expect(next.pools[0]).toEqual({ ...pool, quotedAt: 1235n })
  expect(next.pools[1]).toBe(fixed)
})

it('is between 0 and 10 % in any state', () => {
  const property = fc.property(anyDynamicFeePool, (any) => {
    const fee = feePpmOf(any)
    expect(fee).toBeGreaterThanOrEqual(Math.min(any.feePpm, any.dynamicFee!.capPpm))
    expect(fee).toBeLessThanOrEqual(100_000)
  })
  fc.assert(property, { numRuns: 1000, endOnFailure: true })
})
