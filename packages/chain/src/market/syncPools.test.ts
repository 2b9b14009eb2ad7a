// Pools on their way to one block, where that takes more than one round of reads.
import type { Address, Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { UniswapV3Pool } from '@braid-swap/core/families'
import { toEventSelector } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { refAt } from '../loaders/loaders.js'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import { readHeader } from '../reads/headers.js'
import {
  answerKey,
  type Change,
  createPair,
  pairAt,
  pairVenue,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
  unknownLog,
} from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { syncPools } from './syncPools.js'

const E18 = 10n ** 18n
const p0 = pairAt(0)
const tokens = [TOKENS[0]!, TOKENS[1]!] as const
const ranges = { id: 'ranges', family: 'uniswapV3', factory: toHex(0xf3, 20) } as const
const pair: Pool = {
  ...{ family: 'uniswapV2', id: p0, venue: 'pairs', tokens, feePpm: 3_000 },
  reserves: [E18, E18],
}
const ranged: UniswapV3Pool = {
  ...{ family: 'uniswapV3', id: toHex(0x3a, 20), venue: 'ranges', tokens, feePpm: 3_000 },
  ...{ tickSpacing: 60, sqrtPriceX96: 2n ** 96n, tick: 0, liquidity: 1_000n },
  ticks: [
    { index: -60, liquidityNet: 1_000n },
    { index: 60, liquidityNet: -1_000n },
  ],
}
const MINT = toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)')
const word = (value: bigint) => toHex(BigInt.asUintN(256, value), 32)
/** Liquidity that is added to the range of the pool: its log says by how much it grew. */
const mint =
  (amount: bigint): Change =>
  () => [
    {
      ...{ address: ranged.id, topics: [MINT, word(1n), word(-60n), word(60n)] },
      data: `0x${[0n, amount, 0n, 0n].map((value) => word(value).slice(2)).join('')}`,
    },
  ]

let node: ScriptedNode
let client: Client
beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  node.mine(createPair(p0, tokens, [E18, E18]))
})
afterEach(() => node.stop())

const sync = async () => {
  const [, { number, hash }] = node.blocks as [unknown, (typeof node.blocks)[0]]
  return syncPools(client, {
    ...{ base: { number: BigInt(number), hash }, reload: [], venues: [pairVenue, ranges] },
    pools: new Map<Address, Pool>([pair, ranged].map((pool) => [pool.id, pool])),
    refs: new Map(
      [refAt(pairVenue, p0, tokens), refAt(ranges, ranged.id, tokens)].map((ref) => [ref.id, ref]),
    ),
    target: await readHeader(client, 2n),
  })
}

it('applies a log once, however often another pool is read', async () => {
  node.mine(mint(500n), unknownLog(p0))
  const { pools, moved } = await sync()
  expect(pools.get(ranged.id)).toMatchObject({ liquidity: 1_500n })
  expect(moved).toEqual(new Set([ranged.id, p0]))
})

it('applies the logs up to a later block that a read was answered from', async () => {
  node.mine(mint(500n), unknownLog(p0))
  node.isLatestOnly = true
  let calls = 0
  node.tamper = ({ method }, honest) => {
    if (method === 'eth_call' && ++calls === 1) node.mine(mint(250n), unknownLog(p0))
    return honest()
  }
  const { pools, header } = await sync()
  expect(header.number).toBe(3n)
  expect(pools.get(ranged.id)).toMatchObject({ liquidity: 1_750n })
})

it('gives a reason for a new pool that cannot be read in the block of its creation', async () => {
  const p1 = pairAt(1)
  node.mine(createPair(p1, tokens, [E18, E18]), ({ answers }) => {
    answers.set(answerKey(p1, GET_RESERVES), '0x')
    return []
  })
  const { failures } = await sync()
  expect(failures.get(p1)?.code).toBe('POOL_CALL_FAILED')
})
