// Ranges of logs on a node whose limits change.
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { type ScriptedNode, startScriptedNode } from '../testing/scriptedNode.js'
import { learnProfiles } from '../transport/client.js'
import { readLogRange } from './logRange.js'

let node: ScriptedNode
/** Blocks that the node allows in a range. */
let most: number
beforeEach(async () => {
  node = await startScriptedNode()
  most = 1_000_000
  node.tamper = ({ params }, honest) => {
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    if (Number(toBlock) - Number(fromBlock) >= most) throw new Refusal(-32602, 'range')
    return honest()
  }
})
afterEach(() => node.stop())

/** The lengths of the ranges that are asked for, in blocks. */
const lengths = () =>
  node.asked.splice(0).map(({ params }) => {
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    return Number(toBlock) - Number(fromBlock) + 1
  })

it('tries a length again that was refused after 64 answers', async () => {
  const client = createClient(node.url, { logRange: 8 })
  const read = (blocks: number) => readLogRange(client, { fromBlock: 1n, toBlock: BigInt(blocks) })
  most = 5
  await read(4 * 64)
  expect(lengths()).toEqual([8, ...Array.from({ length: 64 }, () => 4)])
  most = 8
  await read(20)
  expect(lengths()).toEqual([4, 8, 8])
})

it('doubles its length from a thousand while the node answers', async () => {
  const client = createClient(node.url)
  await readLogRange(client, { fromBlock: 1n, toBlock: 16_000n })
  expect(lengths()).toEqual([1_000, 2_000, 4_000, 8_000, 1_000])
})

it('asks for no more than a profile allows', async () => {
  const client = createClient(node.url)
  const rest = { pastState: 'pinned', overrides: 'honoured', callGas: 1n } as const
  learnProfiles(client, [{ ...rest, logRange: 300 }])
  await readLogRange(client, { fromBlock: 1n, toBlock: 700n })
  expect(lengths()).toEqual([300, 300, 100])
})

it('asks for a thousand addresses at once', async () => {
  const addresses = Array.from({ length: 2_001 }, (_, i): Address => toHex(i + 1, 20))
  await readLogRange(createClient(node.url), { addresses, fromBlock: 0n, toBlock: 0n })
  const asked = node.asked.map(({ params }) => (params[0] as { address: Address[] }).address)
  expect(asked.map(({ length }) => length)).toEqual([1_000, 1_000, 1])
  expect(asked.flat()).toEqual(addresses)
})
