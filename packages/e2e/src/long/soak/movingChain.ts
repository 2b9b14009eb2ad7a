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

/** A devnet that trades, makes pools and reorganises itself. */
export type MovingChain = {
  readonly counts: () => MovingCounts
  /** Throws what made it stand still, if anything did. */
  readonly check: () => void
  readonly stop: () => Promise<void>
}

/** What happened on it. */
export type MovingCounts = {
  readonly blocks: number
  readonly swaps: number
  readonly created: number
  readonly reorganisations: number
  readonly undoneBlocks: number
}

/** How fast it moves. */
export type MovingOptions = {
  readonly seed: number
  readonly blockTimeMs: number
  readonly swapsPerBlock: number
  /** Chance a block that 1 to 20 of the last ones are replaced by others first. */
  readonly reorganiseChance: number
  /** Chance a block that it creates pools, and is a big one. */
  readonly createChance: number
}

const DEEPEST = 20
const [SMALL_BLOCK, BIG_BLOCK] = [2_000_000n, 30_000_000n]

/** Mines a block each period, with swaps, until it is stopped. */
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
      // Half of the new branches are shorter than the old one to begin with.
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

/** Pools of one or two pairs of tokens; a pair that is there already gets more of both. */
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
    // One of each: of less, what a pair already there takes may not be worth a share of it.
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
