// Which block a read names, where a node refuses some ways to name one.
import type { Address } from '@braid-swap/core'
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import {
  createPair,
  pairAt,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import { learnProfiles } from '../transport/client.js'
import { readHeader } from './headers.js'
import { createReader } from './multicall.js'
import { isPinned } from './pinned.js'

const E18 = 10n ** 18n
const ids = [0, 1].map(pairAt)
const profile = { overrides: 'honoured', callGas: 30_000_000n } as const

let node: ScriptedNode
beforeEach(async () => {
  node = await startScriptedNode()
  node.mine(...ids.map((id) => createPair(id, [TOKENS[0]!, TOKENS[1]!], [E18, E18])))
})
afterEach(() => node.stop())

const calls = ids.map((to: Address) => ({ to, data: GET_RESERVES }))
/** The blocks that calls have named so far. */
const places = () =>
  node.asked.flatMap(({ method, params }) => (method === 'eth_call' ? [params[1]] : []))
const byHash = () => ({ blockHash: node.head().hash })

it.each([
  ['a busy node', () => new Refusal(429, 'busy')],
  ['a connection that is lost', () => new Error('lost')],
])('%s is no reason to name a block less strictly', async (_, fault) => {
  const client = createClient(node.url, { retryCount: 0, soleRestMs: 0 })
  const read = createReader(client, await readHeader(client, 'latest'))
  let isFirst = true
  node.tamper = ({ method }, honest) => {
    if (method !== 'eth_call' || !isFirst) return honest()
    isFirst = false
    throw fault()
  }
  await expect(read(calls)).rejects.toThrow()
  expect((await read(calls)).every(({ success }) => success)).toBe(true)
  expect(places()).toEqual([byHash(), byHash()])
})

it('a request that is too large is made smaller, not read at another block', async () => {
  const client = createClient(node.url)
  let isFirst = true
  node.tamper = ({ method }, honest) => {
    if (method !== 'eth_call' || !isFirst) return honest()
    isFirst = false
    throw new Refusal(-32008, 'Response is too big')
  }
  const results = await createReader(client, await readHeader(client, 'latest'))(calls)
  expect(results.map(({ success }) => success)).toEqual([true, true])
  expect(places()).toEqual([byHash(), byHash(), byHash()])
})

it('the newest block is named if every endpoint is known to answer from it', async () => {
  const client = createClient([node.url, `${node.url}/other`])
  expect(isPinned(client)).toBe(true)
  learnProfiles(client, [
    { ...profile, pastState: 'latest' },
    { ...profile, pastState: 'refused' },
  ])
  expect(isPinned(client)).toBe(false)
  await createReader(client, await readHeader(client, 'latest'))(calls)
  expect(places()).toEqual(['latest'])
  learnProfiles(client, [{ ...profile, pastState: 'pinned' }])
  expect(isPinned(client)).toBe(true)
})

it('a call that burned all gas goes alone, to the block that it is for', async () => {
  const client = createClient(node.url)
  node.tamper = ({ method }, honest) => {
    if (method === 'eth_call') throw new Refusal(-32000, 'out of gas')
    return honest()
  }
  const [one, other] = calls
  const read = createReader(client, await readHeader(client, 'latest'))
  const both = [one!, { ...other!, isLatest: true }] as const
  await read(both)
  node.asked.length = 0
  expect((await read(both)).map(({ success }) => success)).toEqual([false, false])
  expect(places()).toEqual([byHash(), 'latest'])
})
