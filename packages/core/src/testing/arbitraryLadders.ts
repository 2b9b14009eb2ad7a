import fc from 'fast-check'
import type { Ladder, LadderPool } from '../pools/ladder/index.js'
import { anyBits, TOKEN_A, TOKEN_B } from './arbitrary.js'

/** The true output of a pool for an amount; increasing. */
export type Truth = (amountIn: bigint) => bigint

/** Floored constant products with reserves of any size up to 100 bits. */
export const anyConcaveTruth: fc.Arbitrary<Truth> = fc.tuple(anyBits(1, 100), anyBits(1, 100)).map(
  ([x, y]) =>
    (amountIn) =>
      (amountIn * y) / (x + amountIn),
)

const anySizes = fc
  .uniqueArray(anyBits(1, 104), { minLength: 1, maxLength: 24 })
  .map((sizes) => sizes.sort((a, b) => (a < b ? -1 : 1)))

/** A pool sampled from two functions at random increasing amounts. */
export const anySampledPool = (truths: fc.Arbitrary<Truth>): fc.Arbitrary<Sampled> =>
  fc
    .record({ truths: fc.tuple(truths, truths), sizes: fc.tuple(anySizes, anySizes) })
    .map(({ truths, sizes }) => ({
      truths,
      pool: ladderPoolOf([climb(truths[0], sizes[0]), climb(truths[1], sizes[1])]),
    }))

/** A pool and its true output for each of its tokens. */
export type Sampled = { readonly pool: LadderPool; readonly truths: readonly [Truth, Truth] }

/** A pool with these samples, read one second before the quote. */
export function ladderPoolOf(ladders: readonly [Ladder, Ladder]): LadderPool {
  return {
    family: 'ladder',
    id: '0x0000000000000000000000000000000000000abc',
    venue: 'test-ladders',
    tokens: [TOKEN_A, TOKEN_B],
    protocol: 'estimateSwap',
    ladders,
    sampledAt: 1_700_000_000n,
    quotedAt: 1_700_000_001n,
  }
}

function climb(truth: Truth, sizes: readonly bigint[]): Ladder {
  const ladder: (readonly [bigint, bigint])[] = []
  for (const amountIn of sizes) {
    const amountOut = truth(amountIn)
    if (amountOut > (ladder.at(-1)?.[1] ?? 0n)) ladder.push([amountIn, amountOut])
  }
  return ladder
}
