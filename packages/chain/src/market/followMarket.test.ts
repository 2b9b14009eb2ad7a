// What a followed market is compared with, and how often, on a chain where nothing happens by itself.
import type { Address } from '@braid-swap/core'
import { afterEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import {
  createPair,
  pairVenue,
  type ScriptedNode,
  silently,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import { watchSteps } from '../testing/watchSteps.js'
import { loadSnapshot } from './loadMarket.js'
import type { DriftError } from './syncErrors.js'

const E18 = 10n ** 18n
const venues = [pairVenue]
const idAt = (i: number): Address => `0x${(0xba0000 + i).toString(16).padStart(40, '0')}`

const nodes: ScriptedNode[] = []
afterEach(() => {
  for (const one of nodes.splice(0)) one.stop()
})

/** A node with so many pairs. */
async function start(pairs: number) {
  const node = await startScriptedNode()
  nodes.push(node)
  node.mine(
    ...Array.from({ length: pairs }, (_, i) =>
      createPair(idAt(i), [TOKENS[0]!, TOKENS[1]!], [E18, E18]),
    ),
  )
  return node
}
const load = (node: ScriptedNode) =>
  loadSnapshot(createClient(node.url), { venues, wrappedNative: TOKENS[0]! })
const times = (node: ScriptedNode, length: number) =>
  Array.from({ length }, () => () => void node.mine())

it.each([
  ['four pools every 30 rounds', {}, 30, 4],
  ['one every 120 rounds with a rate limit', { requestsPerMinute: 10_000_000 }, 120, 1],
])('audits %s', async (_, limit, rounds, pools) => {
  const node = await start(6)
  const audits: (readonly [at: number, compared: number])[] = []
  await watchSteps(node, times(node, rounds + 1), {
    ...{ client: createClient(node.url, limit), venues, start: await load(node) },
    onAudit: ({ compared }) => audits.push([node.head().number - 1, compared]),
  })
  expect(audits).toEqual([[rounds, pools]])
})

it('compares four hundred pools at once, and the others the next time', async () => {
  const node = await start(402)
  const market = await load(node)
  const [early, late] = [idAt(399), idAt(401)]
  node.mine(silently(early, [2n * E18, E18]), silently(late, [2n * E18, E18]))
  const { errors } = await watchSteps(node, times(node, 18), {
    ...{ client: createClient(node.url), venues, start: market, auditEvery: 0 },
  })
  expect(errors.map((error) => (error as DriftError).details)).toEqual([
    { pool: early, block: '11' },
    { pool: late, block: '19' },
  ])
})

it('tells where its endpoints have different blocks', async () => {
  const [node, other] = [await start(1), await start(1)]
  const market = await load(node)
  for (const one of [node, other]) one.mine()
  other.undo(1)
  other.mine()
  const told: unknown[] = []
  const onDisagreement = (found: unknown) => told.push(found)
  const options = { client: createClient([node.url, other.url]), venues, start: market }
  await watchSteps(
    node,
    Array.from({ length: 20 }, () => () => {}),
    { ...options, onDisagreement },
  )
  expect(told).toMatchObject([{ number: 2n, hashes: [node.head().hash, other.head().hash] }])
})
