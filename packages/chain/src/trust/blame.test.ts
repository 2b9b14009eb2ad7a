// Who is to blame for a swap that reverts, on a chain whose router pays what a test says.
import { type Address, buildGraph, type Hex, quote } from '@braid-swap/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { loadSnapshot } from '../market/loadMarket.js'
import type { Market } from '../market/market.js'
import {
  createPair,
  pairAt,
  pairVenue,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import { HONOURING, mineRouter, type ScriptedRouter, TERMS } from '../testing/scriptedRouter.js'
import { type Client, learnProfiles } from '../transport/client.js'
import { findBlame } from './blame.js'

const E18 = 10n ** 18n
/** Two listed hops, and a third into the token of a stranger. */
const [t0, t1, t2, stranger] = TOKENS as [Address, Address, Address, Address]
const [p01, p12, last] = [0, 1, 2].map(pairAt) as [Address, Address, Address]
const trusted = new Set([t0, t1, t2])

let node: ScriptedNode
let client: Client
let router: ScriptedRouter
let market: Market

beforeEach(async () => {
  node = await startScriptedNode()
  node.mine(
    createPair(p01, [t0, t1], [E18, E18]),
    createPair(p12, [t1, t2], [E18, E18]),
    createPair(last, [t2, stranger], [E18, E18]),
  )
  router = mineRouter(node)
  client = createClient(node.url)
  learnProfiles(client, [HONOURING])
  market = await loadSnapshot(client, { venues: [pairVenue], wrappedNative: t0 })
  node.asked.length = 0
})
afterEach(() => node.stop())

const blameOf = async (tokenIn: Address, tokenOut: Address) => {
  const order = { tokenIn, tokenOut, amountIn: 10n ** 15n }
  const { route } = quote(buildGraph(market.state.snapshot), order, { objective: 'gross' })
  expect(route).toHaveLength(3)
  const { culprits, strange } = await findBlame(client, market.state, {
    ...{ ...TERMS, order, route, trusted },
  })
  return [culprits.map(({ pool }) => pool.id), strange.map(({ id }) => id)]
}
const isOf =
  (token: Address) => (call: { readonly tokenIn: Address; readonly tokenOut: Address }) =>
    [call.tokenIn, call.tokenOut].includes(token)
/** The swaps of each simulated request. */
const requests = () =>
  node.asked
    .map(({ params }) => JSON.stringify(params).split(TERMS.executor.slice(2)).length - 1)
    .filter((count) => count > 0)

describe.each([
  ['ends', t0, stranger],
  ['starts', stranger, t0],
])('a swap that %s at a token of a stranger', (_, from, to) => {
  it('convicts no listed pool, whatever that token does where it takes part', async () => {
    // It cannot refuse where it is not: each of the others is asked without it.
    router.pays = (honest, call) => (isOf(stranger)(call) ? undefined : honest)
    expect(await blameOf(from, to)).toEqual([[last], [last]])
    router.pays = (honest) => honest
    expect(await blameOf(from, to)).toEqual([[], [last]])
  })

  it('asks its pool in a request of its own, so that the gas is that of any other', async () => {
    await blameOf(from, to)
    expect(requests().toSorted()).toEqual([1, 2])
  })
})

it('a listed pool that refuses by itself is to blame, and one that lacks gas is not', async () => {
  router.pays = (honest, call) => (isOf(t0)(call) ? undefined : honest)
  expect(await blameOf(t0, stranger)).toEqual([[p01], [last]])
  node.tamper = ({ params }, honest) => {
    const answer = honest()
    // The meters after the swap say that a hundredth of the gas is left.
    const isRun = JSON.stringify(params).includes(TERMS.router.slice(2))
    return isRun ? spent(answer as Hex) : answer
  }
  expect(await blameOf(t0, stranger)).toEqual([[], [last]])
})

const SPENT = 200_000n.toString(16).padStart(64, '0')

/** The answer with the second word of gas of each run lowered. */
function spent(answer: Hex): Hex {
  const gas = 20_000_000n.toString(16).padStart(64, '0')
  const parts = answer.split(gas)
  return parts.reduce((all, part, i) => `${all}${i % 2 === 1 ? gas : SPENT}${part}`) as Hex
}

it('a swap that fails only for its sender, or for the whole of its route, convicts nobody', async () => {
  expect(await blameOf(t0, stranger)).toEqual([[], [last]])
  // One answer is not enough: both must be against it.
  let asked = 0
  router.pays = (honest, call) => (isOf(t1)(call) && asked++ < 2 ? undefined : honest)
  expect(await blameOf(t0, stranger)).toEqual([[], [last]])
})

it('nobody is to blame once the block is gone, or the route no longer passes', async () => {
  router.pays = () => undefined
  node.undo(1)
  node.mine()
  expect(await blameOf(t0, stranger)).toEqual([[], []])
})
