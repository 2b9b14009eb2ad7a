import { isDeepStrictEqual } from 'node:util'
import { createClient, loadSnapshot, type PoolRef } from '@braid-swap/chain'
import { type Address, type Pool, type Snapshot, stringify } from '@braid-swap/core'
import type { Devnet, Random } from '@braid-swap/devnet'
import { parseAbi } from 'viem'

/** The number of pools that are read again for a state; every fiftieth time, all are. */
const SOME = 6
const WHOLE_CHANCE = 0.02

const factoryAbi = parseAbi(['function allPairsLength() view returns (uint256)'])

/** The devnet's initial pools. */
export async function knownPools(devnet: Devnet): Promise<ReadonlyMap<Address, PoolRef>> {
  const { wrappedNative, venues, rpcUrl } = devnet
  const { pools } = await loadSnapshot(createClient(rpcUrl), { venues, wrappedNative })
  return new Map(pools.map((ref) => [ref.id, ref]))
}

/** Errors of a load whose block has left the chain. */
const LEFT = new Set<unknown>(['BLOCK_UNAVAILABLE', 'CHAIN_MOVED', 'NOT_CONTINUOUS', 'LOGS_MIXED'])

/**
 * The differences between a served state and the chain at its block, in words; `left` if the chain now
 * has another block. Compares the block, the number of pools and a sample of the pools, and sometimes
 * all pools.
 */
export async function differenceFromChain(
  served: Snapshot,
  by: Fresh,
): Promise<string | undefined> {
  try {
    return await compare(served, by)
  } catch (error) {
    const { code } = Object(error) as { code?: unknown }
    if (LEFT.has(code)) return 'left'
    const { block } = served
    const now = await by.devnet.client
      .getBlock({ blockNumber: block.number })
      .catch(() => undefined)
    if (now?.hash !== block.hash) return 'left'
    throw error
  }
}

type Fresh = {
  readonly devnet: Devnet
  readonly refs: ReadonlyMap<Address, PoolRef>
  readonly random: Random
}

async function compare(
  served: Snapshot,
  { devnet, refs, random }: Fresh,
): Promise<string | undefined> {
  const client = createClient(devnet.rpcUrl)
  const pools = served.pools.filter(({ family }) => family !== 'wrap')
  const drawn = random.next() < WHOLE_CHANCE ? pools : draw(pools, random)
  const at = `block ${served.block.number}`
  const count = await countPools(devnet, served.block.number, refs)
  const fresh = await loadSnapshot(client, {
    ...{ wrappedNative: devnet.wrappedNative, block: served.block.number },
    pools: drawn.map((pool) => refs.get(pool.id) ?? refOf(pool)),
  })
  if (fresh.snapshot.block.hash !== served.block.hash) return 'left'
  if (count !== pools.length) return `${at}: ${pools.length} pools, wanted ${count}`
  // The lower of two neighbouring blocks' limits, because one of them may not have been followed.
  const { gasLimit, ...block } = served.block
  const { gasLimit: most, ...wanted } = fresh.snapshot.block
  if (!isDeepStrictEqual(block, wanted) || gasLimit > most) {
    return `${at}: ${stringify([served.block, fresh.snapshot.block])}`
  }
  const chain = new Map(fresh.snapshot.pools.map((pool) => [pool.id, pool]))
  const wrong = drawn.find((pool) => stringify(pool) !== stringify(chain.get(pool.id)))
  return wrong && `${at}: ${stringify(wrong)}, wanted ${stringify(chain.get(wrong.id))}`
}

function draw(pools: readonly Pool[], random: Random): readonly Pool[] {
  const chosen = new Set<Pool>()
  while (chosen.size < Math.min(SOME, pools.length)) chosen.add(random.pick(pools))
  return [...chosen]
}

/** The number of pools at a block: the devnet's initial pools and the new pairs of Uniswap V2. */
async function countPools(
  { client, deployments }: Devnet,
  blockNumber: bigint,
  refs: ReadonlyMap<Address, PoolRef>,
): Promise<number> {
  const factories = deployments.filter(({ kind }) => kind === 'uniswapV2')
  const pairs = await Promise.all(
    factories.map(({ venue }) =>
      client.readContract({
        ...{ address: venue.factory, abi: factoryAbi, blockNumber },
        functionName: 'allPairsLength',
      }),
    ),
  )
  const venues = new Set(factories.map(({ venue }) => venue.id))
  const others = [...refs.values()].filter(({ venue }) => !venues.has(venue))
  return others.length + pairs.reduce((sum, count) => sum + Number(count), 0)
}

/** New pools are all Uniswap V2's. */
function refOf(pool: Pool): PoolRef {
  const { id, venue } = pool
  const tokens = pool.tokens as readonly [Address, Address]
  const feePpm = 'feePpm' in pool ? Number(pool.feePpm) : undefined
  return { id, family: 'uniswapV2', venue, tokens, ...(feePpm !== undefined && { feePpm }) }
}
