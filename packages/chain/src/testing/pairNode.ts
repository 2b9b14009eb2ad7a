// A node with three pairs, whose every answer a test may replace.
import type { Address } from '@braid-swap/core'
import { Refusal } from '@braid-swap/worlds/node'
import { keccak256 } from 'viem'
import { afterEach, beforeEach, vi } from 'vitest'
import { createClient } from '../chains/createClient.js'
import type { Client } from '../transport/client.js'
import {
  type Asked,
  createPair,
  pairAt,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
} from './scriptedNode.js'

export const E18 = 10n ** 18n
export const EMPTY_ROOT = keccak256('0x80')
export const [p0, p1, p2] = [0, 1, 2].map(pairAt) as [Address, Address, Address]
export const followed = [p0, p1]

export let node: ScriptedNode
export let client: Client
const nodes: ScriptedNode[] = []

/** A node with a block for each of three pairs. */
export async function start() {
  const started = await startScriptedNode()
  nodes.push(started)
  started.mine(...[p0, p1, p2].map((id) => createPair(id, [TOKENS[0]!, TOKENS[1]!], [E18, E18])))
  return started
}
/** Reads from the node by another client. */
export function connect(options?: Parameters<typeof createClient>[1]) {
  client = createClient(node.url, options)
}

/** Each test of a file has a node of its own. */
export function eachOnNode() {
  beforeEach(async () => {
    node = await start()
    connect()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    for (const one of nodes.splice(0)) one.stop()
  })
}

export const asked = (method: string) => node.asked.filter((one) => one.method === method)
export const pointAt = (number: number) => ({
  number: BigInt(number),
  hash: node.blocks[number]!.hash,
})

/** Answers a method by the given function, and all others honestly. */
export function replace(method: string, answer: (asked: Asked, honest: () => unknown) => unknown) {
  const before = node.tamper
  node.tamper = (one, honest) => (one.method === method ? answer(one, honest) : before(one, honest))
}
export const noReceipts = () =>
  replace('eth_getBlockReceipts', () => {
    throw new Refusal(-32601, 'no receipts')
  })
