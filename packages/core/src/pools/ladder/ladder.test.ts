import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBits } from '../../testing/arbitrary.js'
import {
  anyConcaveTruth,
  anySampledPool,
  ladderPoolOf,
  type Truth,
} from '../../testing/arbitraryLadders.js'
import { describeConformance } from '../../testing/conformance.js'
import * as family from './index.js'

const { applySwap, getAmountOut, toCurve } = family
const forward = { in: 0, out: 1 } as const
const back = { in: 1, out: 0 } as const
const numRuns = Number(process.env['BRAID_FUZZ_RUNS'] ?? 1000)
const options = { numRuns, endOnFailure: true }

// The rungs and what stands between them are floored, and 10⁻⁸ is what the curve's pieces stand above
// their lines.
describeConformance(
  'ladder of a concave pool',
  family,
  anySampledPool(anyConcaveTruth).map(({ pool }) => pool),
  anyBits(1, 104),
  { relative: 1e-8, wei: () => 2 },
  {
    'keeps at least both fees it tells of a wei that goes there and back':
      'it tells none, and its two ladders are made apart here',
  },
)

// Whatever grows: steps, kinks to either side, stretches that are flat.
const anyTruth: fc.Arbitrary<Truth> = fc
  .array(fc.tuple(anyBits(1, 100), anyBits(1, 100)), { minLength: 1, maxLength: 8 })
  .map((steps) => (amountIn) => {
    let amountOut = 0n
    for (const [at, more] of steps) if (amountIn >= at) amountOut += more
    return amountOut
  })
const anyAmounts = fc.array(anyBits(1, 104), { minLength: 1, maxLength: 20 })

describe('what a ladder promises', () => {
  it('is never more than a concave pool pays, and what it pays on the rungs', () => {
    const property = fc.property(
      anySampledPool(anyConcaveTruth),
      anyAmounts,
      (sampled, amounts) => {
        const { pool, truths } = sampled
        for (const [i, direction] of [forward, back].entries()) {
          for (const amount of amounts) {
            const promised = getAmountOut(pool, direction, amount)
            expect(promised <= truths[i]!(amount)).toBe(true)
          }
          for (const [x, y] of pool.ladders[i]!) expect(getAmountOut(pool, direction, x)).toBe(y)
        }
      },
    )
    fc.assert(property, options)
  })

  it('is never less than the rung below, nor more than the curve, however the pool is shaped', () => {
    const property = fc.property(anySampledPool(anyTruth), anyAmounts, ({ pool }, amounts) => {
      const { out, limit } = toCurve(pool, forward)
      for (const amount of amounts) {
        const promised = getAmountOut(pool, forward, amount)
        const rungs = pool.ladders[0]
        const [, below] = rungs.findLast(([x]) => x <= amount) ?? [0n, 0n]
        const isPast = amount > (rungs.at(-1)?.[0] ?? 0n)
        expect(isPast ? promised === 0n : promised >= below).toBe(true)
        if (Number(amount) > limit) continue
        // The curve's own floats.
        expect(Number(promised)).toBeLessThanOrEqual(out(Number(amount)) * (1 + 1e-12))
      }
    })
    fc.assert(property, options)
  })

  it('is the rung below where a rung dents the ladder, on both sides of the dent', () => {
    const pool = ladderPoolOf([
      [
        [100n, 1_000n],
        [200n, 1_100n],
        [300n, 1_900n],
        [400n, 2_000n],
      ],
      [],
    ])
    expect(getAmountOut(pool, forward, 50n)).toBe(500n)
    expect(getAmountOut(pool, forward, 150n)).toBe(1_000n)
    expect(getAmountOut(pool, forward, 250n)).toBe(1_100n)
    expect(getAmountOut(pool, forward, 350n)).toBe(1_950n)
    expect(getAmountOut(pool, forward, 400n)).toBe(2_000n)
    expect(getAmountOut(pool, forward, 401n)).toBe(0n)
  })

  it('is nothing for any block but that of the answers', () => {
    const pool = ladderPoolOf([[[100n, 1_000n]], [[100n, 10n]]])
    expect(getAmountOut(pool, forward, 100n)).toBe(1_000n)
    for (const quotedAt of [0n, pool.sampledAt, pool.quotedAt + 1n]) {
      const stale = { ...pool, quotedAt }
      expect(getAmountOut(stale, forward, 100n)).toBe(0n)
      expect(toCurve(stale, forward).limit).toBe(0)
    }
  })

  it('is nothing once the pool was used, either way', () => {
    const pool = ladderPoolOf([[[100n, 1_000n]], [[100n, 10n]]])
    const after = applySwap(pool, forward, 50n)
    expect(getAmountOut(after, forward, 1n)).toBe(0n)
    expect(getAmountOut(after, back, 100n)).toBe(0n)
    expect(applySwap(pool, forward, 101n)).toBe(pool)
  })
})

type LadderVector = {
  readonly ladder: readonly (readonly [string, string])[]
  readonly checks: readonly { readonly amountIn: string; readonly amountOut: string }[]
}

// A kink stands between the last two rungs, before the check at 12·10⁹ and after that at 16·10⁹:
// there the chord falls short by what it says here, and elsewhere by less than a hundredth of this.
const SHORT_OF = 0.08

// Of hyperevm-oracle-pools/nabla.json nothing is reproduced: it has that pool's state and two swaps,
// which are no ladder, and its curve is no family here.
describeReferenceVectors('ladder reference vectors', (readVector) => {
  const file = 'hyperevm-oracle-pools/liquidcore-ladder.json'
  const { ladder, checks } = readVector(file) as LadderVector
  const rungs = ladder.map(([x, y]) => [BigInt(x), BigInt(y)] as const)
  const truths = checks.map((c) => [BigInt(c.amountIn), BigInt(c.amountOut)] as const)

  it('promise what LiquidCore answered between its rungs, or less', () => {
    const pool = ladderPoolOf([rungs, []])
    expect(truths).toHaveLength(2)
    for (const [amountIn, paid] of truths) {
      const promised = getAmountOut(pool, forward, amountIn)
      expect(promised).toBeLessThanOrEqual(paid)
      expect(1 - Number(promised) / Number(paid)).toBeLessThan(SHORT_OF)
    }
  })

  it('promise every second rung of it, or less, from the others', () => {
    for (const parity of [0, 1]) {
      const kept = rungs.filter((_, i) => i % 2 === parity)
      const pool = ladderPoolOf([kept, []])
      for (const [amountIn, paid] of rungs.filter((_, i) => i % 2 !== parity)) {
        const promised = getAmountOut(pool, forward, amountIn)
        expect(promised).toBeLessThanOrEqual(paid)
        const isAtKink = amountIn > 11_000_000_000n
        if (promised > 0n && !isAtKink) {
          expect(1 - Number(promised) / Number(paid)).toBeLessThan(SHORT_OF / 100)
        }
      }
    }
  })
})
