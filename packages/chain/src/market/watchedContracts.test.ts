// Pools whose state also depends on another contract: here pairs whose factory sets their fee.
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { toEventSelector } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { refAt } from '../loaders/loaders.js'
import { GET_FEE, METADATA } from '../pools/solidly/abi.js'
import type { Venue } from '../pools/venue.js'
import { readHeader } from '../reads/headers.js'
import { words } from '../testing/loaderAnswers.js'
import {
  type Change,
  type NodeLog,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
  unknownLog,
} from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { advanceMarket } from './advanceMarket.js'
import { auditPools } from './auditPools.js'
import { loadSnapshot } from './loadMarket.js'
import type { Market } from './market.js'

const E18 = 10n ** 18n
const tokens = [TOKENS[0]!, TOKENS[1]!] as const
const factory: Address = toHex(0x501d, 20)
const pair: Address = toHex(0x501d01, 20)
const venues: readonly Venue[] = [{ id: 'solid', family: 'solidly', factory }]

let node: ScriptedNode
let client: Client
let market: Market

/** A fee of the factory, in basis points, and its log. */
const setFee =
  (bps: bigint): Change =>
  ({ contracts }) => {
    contracts.set(factory, (data) => (data.startsWith(GET_FEE) ? words(bps) : undefined))
    return [{ address: factory, topics: [toEventSelector('SetFee(uint256)')], data: '0x' }]
  }

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  node.mine(setFee(30n), ({ contracts }) => {
    const metadata = words(E18, E18, E18, E18, 0n, BigInt(tokens[0]), BigInt(tokens[1]))
    contracts.set(pair, (data) => (data === METADATA ? metadata : undefined))
    return []
  })
  market = await loadSnapshot(client, {
    ...{ venues, wrappedNative: tokens[0], searchedTo: 1n },
    pools: [refAt(venues[0]!, pair, tokens)],
  })
})
afterEach(() => node.stop())

const advanced = async (of = market) =>
  advanceMarket(client, of, {
    ...{ venues, head: { header: await readHeader(client, 'latest'), receivedAtMs: 1 } },
  })
const feeOf = ({ state: { snapshot } }: Market) => {
  const pool = snapshot.pools.find(({ id }) => id === pair)
  return pool && 'feePpm' in pool ? pool.feePpm : undefined
}

it('are read again after a log of that contract', async () => {
  expect(feeOf(market)).toBe(3_000)
  node.mine(setFee(50n))
  const next = await advanced()
  expect(feeOf(next)).toBe(5_000)
  expect(next.cursor.trail.at(-1)!.touched).toEqual([pair])
  node.mine(unknownLog(TOKENS[3]!))
  expect((await advanced(next)).cursor.trail.at(-1)!.touched).toEqual([])
})

it('are read again where a log of that contract is missing', async () => {
  node.mine(unknownLog(TOKENS[3]!), setFee(50n))
  node.tamper = ({ method }, honest) => {
    if (method === 'eth_getBlockReceipts') throw new Refusal(-32601, 'no receipts')
    if (method !== 'eth_getLogs') return honest()
    return (honest() as readonly NodeLog[]).filter(({ address }) => address !== factory)
  }
  expect(feeOf(await advanced())).toBe(5_000)
})

it('are not held against what the logs of the pool alone tell', async () => {
  node.isLatestOnly = true
  node.mine(setFee(50n))
  const {
    compared,
    drifts,
    market: after,
  } = await auditPools(client, market, {
    ...{ ids: [pair], venues },
  })
  expect([compared, drifts, feeOf(after)]).toEqual([0, [], 5_000])
})
