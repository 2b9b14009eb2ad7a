import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { type ScriptedNode, startScriptedNode } from '../testing/scriptedNode.js'
import { readUsesBigBlocks } from './bigBlocks.js'

const account = toHex(0xacc, 20)
let node: ScriptedNode
beforeEach(async () => {
  node = await startScriptedNode()
})
afterEach(() => node.stop())

const read = () => readUsesBigBlocks(createClient(node.url, { retryCount: 0 }), account)

it.each([
  [true, true],
  [false, false],
  ['0x1', null],
  [null, null],
])('of the answer %o makes %o', async (answer, expected) => {
  node.tamper = () => answer
  expect(await read()).toBe(expected)
  expect(node.asked).toEqual([{ method: 'eth_usingBigBlocks', params: [account] }])
})

it('does not know what a node does not, and fails with one that is busy', async () => {
  expect(await read()).toBeNull()
  node.tamper = () => {
    throw new Refusal(429, 'busy')
  }
  await expect(read()).rejects.toThrow()
})
