import type { CamelotPool, SolidlyPool } from '@braid-swap/core/families'
import {
  createPairDoubles,
  deployPairDoubles,
  type PairDoubles,
  type PairSpec,
} from '../doubles/pairs.js'
import { type BareChain, pairsOf, readPools } from './bareChain.js'
import { anyBits } from './integers.js'

/** Pairs of one kind of double, as loaded. */
export type QuotingPairs = BareChain & { readonly pools: readonly (SolidlyPool | CamelotPool)[] }

/** A volatile and a stable pair of each kind for every pair of tokens, of every size and ratio. */
export async function createQuotingPairs(
  bare: BareChain,
): Promise<readonly (QuotingPairs & PairDoubles)[]> {
  const { chain, random } = bare
  const kinds = await deployPairDoubles(chain)
  return Promise.all(
    kinds.map(async (doubles) => {
      const specs = pairsOf(bare.tokens).flatMap((tokens, i): readonly PairSpec[] => {
        const side = () => anyBits(random, 10, 100)
        // With a few wei on one side and a deep other side, inputs come near the end of a uint256.
        const few = anyBits(random, 1, 5)
        const deep = side()
        const amounts = i % 8 === 3 ? ([few, deep] as const) : i % 8 === 5 && ([deep, few] as const)
        const volatile: PairSpec = { tokens, stable: false, amounts: amounts || [side(), side()] }
        // Depths from a few wei to the overflow of the pair's own products.
        const [x, shift] = [anyBits(random, 8, 96), BigInt(Math.floor(random.next() * 8))]
        const stable: PairSpec = { tokens, stable: true, amounts: [x, (x >> shift) + 1n] }
        if (doubles.kind === 'camelot') return [i % 2 === 0 ? volatile : stable]
        return [volatile, stable]
      })
      await createPairDoubles(chain, doubles, specs)
      const pools = (await readPools(chain, doubles.venue)) as QuotingPairs['pools']
      return { ...bare, ...doubles, pools }
    }),
  )
}
