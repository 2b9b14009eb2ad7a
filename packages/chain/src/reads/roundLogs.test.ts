// What a round without receipts proves, and when its states are compared with the chain.
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import {
  type Change,
  createPair,
  type NodeLog,
  pairAt,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
  trade,
} from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { readHeader } from './headers.js'
import { isUnderWatch, noteWrongLogs, readRound } from './roundLogs.js'

const E18 = 10n ** 18n
const followed = [0, 1].map(pairAt)
const [p0, p1] = followed as [Address, Address]

let node: ScriptedNode
let client: Client
/** Pairs whose logs the node leaves out. */
let hidden: readonly Address[]

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  hidden = []
  node.tamper = ({ method }, honest) => {
    if (method === 'eth_getBlockReceipts') throw new Refusal(-32601, 'no receipts')
    if (method !== 'eth_getLogs') return honest()
    return (honest() as readonly NodeLog[]).filter(({ address }) => !hidden.includes(address))
  }
  node.mine(...followed.map((id) => createPair(id, [TOKENS[0]!, TOKENS[1]!], [E18, E18])))
})
afterEach(() => node.stop())

const round = async (of = 1) => {
  const { number, hash } = node.blocks.at(-1 - of)!
  return readRound(client, {
    ...{ from: { number: BigInt(number), hash }, before: undefined, followed },
    head: await readHeader(client, 'latest'),
  })
}
let reserve = 1n
const both = () => {
  reserve += 1n
  node.mine(...followed.map((id) => trade(id, [reserve, E18])))
}
const doubtedPools = async () => {
  hidden = [p1]
  both()
  const { doubts } = await round()
  hidden = []
  return doubts.map(({ address }) => address)
}

describe('a round without receipts', () => {
  it('doubts who may have logged by the bloom filter, and is unproved for those that it names', async () => {
    expect(await doubtedPools()).toEqual([p0, p1])
    hidden = []
    node.mine(trade(p1, [2n, 1n]))
    expect((await round()).unproved).toEqual([p1])
    node.mine(trade(pairAt(9), [2n, 1n]))
    expect((await round()).unproved).toEqual([])
    node.mine()
    expect((await round(2)).unproved).toEqual(followed)
  })

  it('believes no bloom filter that the hash does not cover', async () => {
    const { tamper } = node
    node.tamper = (asked, honest) => {
      const answer = tamper(asked, honest)
      const isHeader = asked.method === 'eth_getBlockByNumber'
      return isHeader ? { ...(answer as object), logsBloom: toHex(0, 256) } : answer
    }
    expect(await doubtedPools()).toEqual([])
    expect((await round()).unproved).toEqual(followed)
  })

  it('is proved by two endpoints that answer the same, and not by two that differ', async () => {
    const second = await startScriptedNode()
    const { tamper } = node
    second.tamper = tamper
    second.mine(...followed.map((id) => createPair(id, [TOKENS[0]!, TOKENS[1]!], [E18, E18])))
    for (const one of [node, second]) one.mine(trade(p0, [2n, 1n]))
    client = createClient([node.url, second.url])
    expect((await round()).unproved).toEqual([])
    second.tamper = (asked, honest) => (asked.method === 'eth_getLogs' ? [] : tamper(asked, honest))
    expect((await round()).unproved).toEqual([p0])
    second.stop()
  })
})

describe('a node whose logs were wrong', () => {
  it('is under watch for 64 rounds, where requests are limited', () => {
    client = createClient(node.url, { requestsPerMinute: 100 })
    expect(isUnderWatch(client)).toBe(false)
    noteWrongLogs(client)
    const watched = Array.from({ length: 70 }, () => isUnderWatch(client))
    expect(watched.filter(Boolean)).toHaveLength(64)
    expect(watched.indexOf(false)).toBe(64)
  })

  it('is always under watch where they are not', () => {
    expect(isUnderWatch(client)).toBe(true)
  })
})

describe('the swaps of a round', () => {
  const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'
  const swap =
    (address: Address): Change =>
    () => [{ address, topics: [SWAP], data: '0x' }]

  it('are those of every contract in the new blocks, and none of a long range', async () => {
    const other = pairAt(9)
    node.mine(swap(other))
    node.mine(swap(p0), swap(other), trade(p0, [1n, E18]))
    const whole = await round()
    expect(whole.swaps.map(({ address }) => address)).toEqual([p0, other])
    for (let i = 0; i < 16; i++) node.mine(swap(other))
    expect((await round(15)).swaps).toHaveLength(15)
    expect((await round(16)).swaps).toEqual([])
  })
})
