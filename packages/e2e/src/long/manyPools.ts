import { setTimeout as sleep } from 'node:timers/promises'
import {
  createClient,
  followMarket,
  loadSnapshot,
  type Market,
  type PoolRef,
} from '@braid-swap/chain'
import { stringify } from '@braid-swap/core'
import { createRandom, mintCalls, sortTokens } from '@braid-swap/devnet'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { type FaultProxy, startFaultProxy } from '../chain/faults/proxy.js'
import { type ChainWorld, startChainWorld } from '../chain/world.js'

/** The cost of following many pools. */
export type ScaleReport = {
  readonly pools: number
  readonly blocks: number
  readonly requests: number
  /** The most requests in any 60 seconds. */
  readonly mostPerMinute: number
  readonly bytesAsked: number
  readonly bytesAnswered: number
  /** Samples of the distance between market and head, in blocks. */
  readonly lags: readonly number[]
  /** Pools whose final state differs from the chain. */
  readonly wrong: number
  readonly errors: readonly string[]
}

const BUDGET = 100
const MOVERS = 40
const MOVES_PER_BLOCK = 10
const RESERVE = 10n ** 20n
const pairAbi = parseAbi(['function sync()'])

/**
 * Follows `pools` pairs, some of which change in every block, with 100 requests a minute, through a
 * node like HyperEVM's own: at most 50 blocks of logs per request, and state at the latest block only.
 */
export async function followMany(of: {
  readonly pools: number
  readonly seconds: number
  readonly blockTimeMs: number
}): Promise<ScaleReport> {
  const world = await startChainWorld()
  const proxy = await startFaultProxy({
    ...{ nodeUrl: world.chain.rpcUrl, seed: 1, isLatestOnly: true, logRange: 50 },
  })
  try {
    return await measure(world, proxy, of)
  } finally {
    await proxy.stop()
    await world.chain.stop()
  }
}

async function measure(
  world: ChainWorld,
  proxy: FaultProxy,
  { pools, seconds, blockTimeMs }: Parameters<typeof followMany>[0],
): Promise<ScaleReport> {
  const { wrappedNative, client: node } = world.chain
  const refs = await placePairs(world, pools)
  const direct = createClient(world.chain.rpcUrl)
  let market = await loadSnapshot(direct, { pools: refs, wrappedNative })
  const stopping = new AbortController()
  const { signal } = stopping
  const errors: string[] = []
  const lags: number[] = []
  const first = await node.getBlockNumber({ cacheTime: 0 })
  const following = followMarket({
    ...{ start: market, venues: [], signal, pollMs: 1_000, auditEvery: 0 },
    client: createClient(proxy.url, { requestsPerMinute: BUDGET }),
    onSnapshot: (next) => {
      market = next
    },
    onError: (error) => errors.push(String(error)),
  })
  const end = performance.now() + seconds * 1_000
  for (let next = performance.now(); next < end; next += blockTimeMs) {
    await movePairs(world, refs)
    await world.chain.mine()
    const head = await node.getBlockNumber({ cacheTime: 0 })
    lags.push(Number(head - market.snapshot.block.number))
    await sleep(Math.max(0, next + blockTimeMs - performance.now()))
  }
  stopping.abort()
  await following
  const { requests, bytesIn, bytesOut } = proxy.counts()
  return {
    ...{ pools, requests, lags, errors, bytesAsked: bytesIn, bytesAnswered: bytesOut },
    blocks: Number(market.snapshot.block.number - first),
    mostPerMinute: mostPerMinute(proxy.times()),
    wrong: await countWrong(direct, market, refs, wrappedNative),
  }
}

async function countWrong(
  client: ReturnType<typeof createClient>,
  market: Market,
  pools: readonly PoolRef[],
  wrappedNative: Address,
): Promise<number> {
  const block = market.snapshot.block.number
  const fresh = await loadSnapshot(client, { pools, wrappedNative, block })
  const wanted = new Map(fresh.snapshot.pools.map((pool) => [pool.id, stringify(pool)]))
  return market.snapshot.pools.filter((pool) => wanted.get(pool.id) !== stringify(pool)).length
}

/** Places the code and storage of a real pair at many addresses. */
async function placePairs(world: ChainWorld, count: number): Promise<readonly PoolRef[]> {
  const { client, deployer } = world.chain
  const real = world.pools.find(({ family }) => family === 'uniswapV2')!
  const code = (await client.getCode({ address: real.address }))!
  const [token0, token1] = sortTokens(...real.tokens)
  const slots = await Promise.all(
    [5, 6, 7, 12].map(async (slot) => {
      const value = await client.getStorageAt({ address: real.address, slot: numberToHex(slot) })
      return [slot, value!] as const
    }),
  )
  // reserve0 and reserve1, 112 bits each, and a timestamp.
  const reserves: Hex = numberToHex(RESERVE | (RESERVE << 112n), { size: 32 })
  const ids = Array.from({ length: count }, (_, i) => numberToHex(0xbeef0000 + i, { size: 20 }))
  for (let i = 0; i < ids.length; i += 50) {
    await Promise.all(
      ids
        .slice(i, i + 50)
        .flatMap((address) => [
          client.setCode({ address, bytecode: code }),
          ...[...slots, [8, reserves] as const].map(([slot, value]) =>
            client.setStorageAt({ address, index: numberToHex(slot), value }),
          ),
        ]),
    )
  }
  const tokens = [token0, token1] as const
  await world.chain.execute(
    ids
      .slice(0, MOVERS)
      .flatMap((to) =>
        tokens.flatMap((token) => mintCalls(deployer, { token, to, amount: RESERVE })),
      ),
  )
  return ids.map((id) => ({ id, family: 'uniswapV2', venue: 'many', tokens, feePpm: 3000 }))
}

const random = createRandom(3)

/** Gives some pairs a little of a token and syncs them. */
async function movePairs({ chain }: ChainWorld, refs: readonly PoolRef[]): Promise<void> {
  const { deployer } = chain
  const data = encodeFunctionData({ abi: pairAbi })
  const calls = Array.from({ length: MOVES_PER_BLOCK }, () => {
    const { id: to, tokens } = refs[Math.floor(random.next() * MOVERS)]!
    const amount = BigInt(1 + Math.floor(random.next() * 1e9))
    return [
      ...mintCalls(deployer, { token: random.pick(tokens), to, amount }),
      { label: 'sync', from: deployer, to, data, gas: 150_000n },
    ]
  })
  await chain.send(calls.flat())
}

function mostPerMinute(times: readonly number[]): number {
  let [most, from] = [0, 0]
  for (const [i, at] of times.entries()) {
    while (times[from]! <= at - 60_000) from += 1
    most = Math.max(most, i - from + 1)
  }
  return most
}
