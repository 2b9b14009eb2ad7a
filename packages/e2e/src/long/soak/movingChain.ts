import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@braid-swap/core'
import {
  createRandom,
  createV2Pool,
  type Devnet,
  type Random,
  sortTokens,
  type UniswapV2,
} from '@braid-swap/devnet'

/** A devnet with trades, new pools and reorganisations. */
export type MovingChain = {
  readonly counts: () => MovingCounts
  /** Throws the error that stopped it, if there was one. */
  readonly check: () => void
  readonly stop: () => Promise<void>
}

/** Counts of events on the chain. */
export type MovingCounts = {
  readonly blocks: number
  readonly swaps: number
  readonly created: number
  readonly reorganisations: number
  readonly undoneBlocks: number
}

/** The pace of the chain. */
export type MovingOptions = {
  readonly seed: number
  readonly blockTimeMs: number
  readonly swapsPerBlock: number
  /** Probability per block that the last 1 to 20 blocks are first replaced by others. */
  readonly reorganiseChance: number
  /** Probability per block that it is a big block and creates pools. */
  readonly createChance: number
}

const DEEPEST = 20
const SMALL_BLOCK = 2_000_000n
const BIG_BLOCK = 30_000_000n

/** Mines a block with swaps in each period until it is stopped. */
export function moveChain(devnet: Devnet, options: MovingOptions): MovingChain {
  const random = createRandom(options.seed, 11)
  const counts = { blocks: 0, swaps: 0, created: 0, reorganisations: 0, undoneBlocks: 0 }
  const stopping = new AbortController()
  const { signal } = stopping
  const mine = async () => {
    counts.swaps += (await devnet.trade(options.swapsPerBlock)).length
    await devnet.mine()
    counts.blocks += 1
  }
  const round = async () => {
    if (random.next() < options.reorganiseChance) {
      const depth = 1 + Math.floor(random.next() * DEEPEST)
      await devnet.client.request({ method: 'anvil_rollback' as never, params: [depth] as never })
      counts.reorganisations += 1
      counts.undoneBlocks += depth
      // Half of the new branches start shorter than the old one.
      const blocks = random.next() < 0.5 ? depth + 1 : 1 + Math.floor(depth / 2)
      for (let i = 0; i < blocks; i++) await mine()
    }
    if (random.next() < options.createChance) counts.created += await createPools(devnet, random)
    await mine()
  }
  const run = async () => {
    while (!signal.aborted) {
      const next = performance.now() + options.blockTimeMs
      await round()
      await sleep(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => {})
    }
  }
  let failure: unknown
  const ended = run().catch((error: unknown) => {
    failure = error
  })
  const check = () => {
    if (failure !== undefined) throw failure
  }
  return {
    counts: () => ({ ...counts }),
    check,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

/** Creates pools for one or two pairs of tokens; an existing pair gets more liquidity. */
async function createPools(devnet: Devnet, random: Random): Promise<number> {
  const v2 = devnet.deployments.filter((d): d is UniswapV2 => d.kind === 'uniswapV2')
  const count = 1 + Math.floor(random.next() * 2)
  await devnet.client.setBlockGasLimit({ gasLimit: BIG_BLOCK })
  await devnet.mine()
  for (let i = 0; i < count; i++) {
    const tokens = sortTokens(
      ...twoOf(
        devnet.tokens.map(({ address }) => address),
        random,
      ),
    )
    // One whole token of each, because a smaller deposit may not be worth a share of an existing pair.
    const amounts = [oneOf(devnet, tokens[0]), oneOf(devnet, tokens[1])] as const
    await createV2Pool(devnet, random.pick(v2), { tokens, amounts })
  }
  await devnet.client.setBlockGasLimit({ gasLimit: SMALL_BLOCK })
  await devnet.mine()
  return count
}

function oneOf({ tokens }: Devnet, token: Address): bigint {
  return 10n ** BigInt(tokens.find(({ address }) => address === token)!.decimals)
}

function twoOf(tokens: readonly Address[], random: Random): [Address, Address] {
  const first = random.pick(tokens)
  return [first, random.pick(tokens.filter((token) => token !== first))]
}
