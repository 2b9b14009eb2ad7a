// A market of ladder doubles beside V2 pools, random moves of the doubles' prices, and their outputs.

import type { Venue } from '@braid-swap/chain'
import { getAmountOut, type LadderPool } from '@braid-swap/core/families'
import { deployUniswapV2 } from '@braid-swap/devnet'
import { createV2Pool } from '@braid-swap/devnet/testing'
import { type BareChain, pairsOf } from '../differential/bareChain.js'
import { anyBelow, anyBits, anyInteger } from '../differential/integers.js'
import { createLadderDoubles, deployLadderDoubles, ladderAbi, setDepthsCall } from './ladders.js'

/** Deploys a ladder double and a V2 pool for each pair of the chain's tokens; returns both venues. */
export async function deployLadderMarket({
  chain,
  random,
  tokens,
}: BareChain): Promise<readonly Venue[]> {
  const ladders = await deployLadderDoubles(chain)
  const v2 = await deployUniswapV2(chain, 'test-v2')
  const pairs = pairsOf(tokens)
  await createLadderDoubles(
    chain,
    ladders,
    pairs.map((pair) => ({
      tokens: pair,
      depths: [anyBits(random, 70, 90), anyBits(random, 70, 90)],
      reserves: [anyBits(random, 60, 90), anyBits(random, 60, 90)],
    })),
  )
  for (const pair of pairs) {
    const amounts = [anyBits(random, 70, 90), anyBits(random, 70, 90)] as const
    await createV2Pool(chain, v2, { tokens: pair, amounts })
  }
  return [ladders, v2.venue]
}

/** Moves the price of some pools, by up to a tenth. */
export async function moveLadderPrices(
  { chain, random }: BareChain,
  pools: readonly LadderPool[],
): Promise<void> {
  const calls = pools.flatMap(({ id, ladders }) => {
    const [x, y] = ladders[0][0] ?? [1n, 1n]
    const depth = anyBits(random, 80, 90)
    const price = (depth * y * BigInt(anyInteger(random, 90, 110))) / (x * 100n)
    return random.next() < 0.5 ? [] : [setDepthsCall(chain.deployer, id, [depth, price + 1n])]
  })
  await chain.execute(calls)
}

/** Holds what core promises and a double pays for one amount. */
type Sample = { readonly promised: bigint; readonly paid: bigint; readonly isRung: boolean }

/** Asks the doubles for the amounts of all rungs, and for 20 random ones between them. */
export async function sampleLadders(
  { chain, random }: BareChain,
  pools: readonly LadderPool[],
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (const pool of pools) {
    for (const [i, ladder] of pool.ladders.entries()) {
      const top = ladder.at(-1)?.[0]
      if (top === undefined) continue
      const direction = { in: i, out: 1 - i }
      const drawn = Array.from(
        { length: 20 },
        () => anyBelow(random, top) >> BigInt(anyInteger(random, 0, 30)),
      ).filter((amountIn) => amountIn > 0n)
      const amounts = [...ladder.map(([x]) => x), ...drawn]
      const paid = await chain.client.readContract({
        ...{ address: pool.id, abi: ladderAbi, functionName: 'estimateSwapBatch' },
        args: [pool.tokens[direction.in]!, pool.tokens[direction.out]!, amounts],
      })
      for (const [a, amountIn] of amounts.entries()) {
        const promised = getAmountOut(pool, direction, amountIn)
        samples.push({ promised, paid: paid[a]!, isRung: a < ladder.length })
      }
    }
  }
  return samples
}
