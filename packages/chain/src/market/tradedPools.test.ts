// Contracts that swap and that no search has named, on a chain where they say what a test writes: only those
// that their factory names join its venue.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { toFunctionSelector } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { IGNORED_TOPICS } from '../pools/uniswapV2/abi.js'
import { GET_POOL, GET_POOL_BY_SPACING } from '../pools/uniswapV3/abi.js'
import type { Venue } from '../pools/venue.js'
import { callData } from '../reads/abiWords.js'
import { readHeader } from '../reads/headers.js'
import { changed } from '../testing/changed.js'
import {
  answerKey,
  type Change,
  createPair,
  FACTORY,
  pairAt,
  pairVenue,
  type ScriptedNode,
  sampledVenue,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import { watchSteps } from '../testing/watchSteps.js'
import type { Client } from '../transport/client.js'
import { startTrials } from '../trust/trials.js'
import { loadSnapshot } from './loadMarket.js'
import type { Market, Traded } from './market.js'
import { asksTraded, countSwaps, findTraded } from './tradedPools.js'

const [t0, t1, t2] = TOKENS as [Address, Address, Address]
const E18 = 10n ** 18n
const [p0, p1] = [0, 1].map(pairAt) as [Address, Address]
const strangerAt = (i: number): Address => toHex(0x5000 + i, 20)
const stranger = strangerAt(0)

let node: ScriptedNode
let client: Client
beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  node.mine(createPair(p0, [t0, t1], [E18, E18]), createPair(p1, [t1, t2], [0n, 0n]))
})
afterEach(() => node.stop())

const load = () => loadSnapshot(client, { venues: [pairVenue], wrappedNative: t0 })
const noSwaps: Traded = {
  ...{ served: 0, setAside: 0, unknown: 0, waiting: new Set(), strange: new Set() },
}
const waitingFor = (ids: readonly Address[]): Traded => ({ ...noSwaps, waiting: new Set(ids) })

describe('swaps', () => {
  it('are counted by whether their pool is in answers', async () => {
    const market = await load()
    const traded = countSwaps(market, [p0, p0, p1, stranger, stranger, toHex(7, 32)])
    expect(traded).toEqual({
      ...{ served: 2, setAside: 1, unknown: 3 },
      ...{ waiting: new Set([stranger]), strange: new Set() },
    })
    expect(countSwaps(changed(market, { traded }), [])).toBe(traded)
    const shadow = startTrials(changed(market, { traded }), [pairVenue], new Map())
    expect(countSwaps(shadow, [p0])).toEqual({ ...traded, setAside: 2 })
    const served = startTrials(market, [pairVenue], new Map([['pairs', 'serving']]))
    expect(countSwaps(served, [p0])).toEqual({ ...noSwaps, served: 1 })
  })

  it('let no contract wait that was asked, and of more than a thousand those that swapped last', async () => {
    const market = await load()
    const asked = { ...noSwaps, strange: new Set([stranger]) }
    expect(countSwaps(changed(market, { traded: asked }), [stranger])).toEqual({
      ...asked,
      unknown: 1,
    })
    const many = Array.from({ length: 1_001 }, (_, i) => strangerAt(i))
    const traded = countSwaps(market, many)
    expect(traded).toEqual({ ...noSwaps, unknown: 1_001, waiting: new Set(many.slice(1)) })
    const later = countSwaps(changed(market, { traded }), [many[1]!, stranger])
    expect([...later.waiting].slice(-2)).toEqual([many[1]!, stranger])
    expect(later.waiting.size).toBe(1_000)
  })
})

it('asks in every 20th round, or 60th with a rate limit, while a contract waits', async () => {
  const market = await load()
  const roundsOf = (of: Market, isLimited: boolean) =>
    Array.from({ length: 121 }, (_, round) => round).filter((round) =>
      asksTraded(of.state, round, isLimited),
    )
  const waiting = changed(market, { traded: waitingFor([stranger]) })
  expect(roundsOf(waiting, false)).toEqual([0, 20, 40, 60, 80, 100, 120])
  expect(roundsOf(waiting, true)).toEqual([0, 60, 120])
  expect(roundsOf(changed(market, { traded: noSwaps }), false)).toEqual([])
  expect(roundsOf(market, false)).toEqual([])
})

const selectorOf = (name: string) => toFunctionSelector(`function ${name}()`)

/** A contract that says these words of itself. */
const says = (id: Address, facts: Readonly<Record<string, bigint | Hex>>): Change => {
  const words = Object.entries(facts).map(
    ([name, value]) => [selectorOf(name), toHex(BigInt(value), 32)] as const,
  )
  const answers = new Map(words)
  return ({ contracts }) => {
    contracts.set(id, (data) => answers.get(data))
    return []
  }
}

/** A pair that says which factory made it. */
const namesFactory =
  (id: Address): Change =>
  ({ answers }) => {
    answers.set(answerKey(id, selectorOf('factory')), toHex(BigInt(FACTORY), 32))
    return []
  }

/** A market that does not know some pools. */
function without(market: Market, ids: readonly Address[]): Market {
  const isKnown = ({ id }: { readonly id: Address }) => !ids.includes(id)
  const pools = market.state.snapshot.pools.filter(isKnown)
  const snapshot = { ...market.state.snapshot, pools }
  return changed(market, { pools: market.state.pools.filter(isKnown), snapshot })
}

/** What becomes of the contracts that wait, and the requests that it takes. */
async function ask(traded: Traded, venues: readonly Venue[] = [pairVenue]) {
  const market = changed(without(await load(), [...traded.waiting]), { traded })
  const header = await readHeader(client, 'latest')
  node.asked.length = 0
  const next = await findTraded(client, market, { venues, header })
  const found = next.state.pools.filter(
    ({ id }) => !market.state.pools.some((one) => one.id === id),
  )
  return { found, traded: next.state.traded!, requests: node.asked.length }
}

describe('a contract that swaps', () => {
  const claims = { factory: FACTORY, token0: t0, token1: t1 }

  it('joins the venue whose factory names it, by two requests', async () => {
    node.mine(namesFactory(p0))
    const { found, traded, requests } = await ask(waitingFor([stranger, p0]))
    expect(requests).toBe(2)
    expect(traded).toEqual({ ...noSwaps, strange: new Set([stranger]) })
    expect(found).toEqual([
      { id: p0, family: 'uniswapV2', venue: 'pairs', tokens: [t0, t1], feePpm: 3_000 },
    ])
  })

  it.each([
    ['says nothing', {}, 1],
    ['does not say its factory', { token0: t0, token1: t1 }, 1],
    ['does not say its first token', { factory: FACTORY, token1: t1 }, 1],
    ['does not say its second token', { factory: FACTORY, token0: t0 }, 1],
    ['is of no venue', { ...claims, factory: stranger }, 1],
    ['has a first token that is no address', { ...claims, token0: 1n << 160n }, 1],
    ['has a second token that is no address', { ...claims, token1: 1n << 160n }, 1],
    ['is another than the factory names', claims, 2],
    ['has tokens of which the factory knows no pool', { ...claims, token1: toHex(9, 20) }, 2],
  ])('is strange if it %s', async (_, facts, requests) => {
    node.mine(says(stranger, facts))
    const asked = await ask(waitingFor([stranger]))
    expect(asked).toEqual({
      ...{ found: [], traded: { ...noSwaps, strange: new Set([stranger]) }, requests },
    })
  })

  it('is strange if its factory cannot be asked by tokens, or does not answer', async () => {
    node.mine(says(stranger, { ...claims, factory: sampledVenue.factory }))
    expect((await ask(waitingFor([stranger]), [sampledVenue])).requests).toBe(1)
    const mute = { ...pairVenue, factory: toHex(0xdead, 20) }
    node.mine(says(stranger, { ...claims, factory: mute.factory }))
    const { found, traded } = await ask(waitingFor([stranger]), [mute])
    expect([found, traded.strange]).toEqual([[], new Set([stranger])])
  })

  it.each([
    ['fee', GET_POOL, {}],
    ['tick spacing', GET_POOL_BY_SPACING, { tickSpacings: [60] }],
  ])('is found by its own %s, which the venue does not list', async (_, selector, list) => {
    const venue: Venue = { id: 'ranges', family: 'uniswapV3', factory: toHex(0xf3, 20), ...list }
    const names = callData(selector, BigInt(t0), BigInt(t1), 77)
    node.mine(
      says(stranger, { ...claims, factory: venue.factory, fee: 77n, tickSpacing: 77n }),
      ({ contracts }) => {
        contracts.set(venue.factory, (data) => toHex(data === names ? BigInt(stranger) : 0n, 32))
        return []
      },
    )
    const { found } = await ask(waitingFor([stranger]), [pairVenue, venue])
    expect(found).toMatchObject([{ id: stranger, venue: 'ranges', tokens: [t0, t1] }])
  })

  it('waits its turn between the oldest eight and the newest, and the oldest of a thousand strange ones is forgotten', async () => {
    const ids = Array.from({ length: 17 }, (_, i) => strangerAt(i))
    const strange = Array.from({ length: 1_000 }, (_, i) => strangerAt(1_000 + i))
    const { traded } = await ask({ ...waitingFor(ids), strange: new Set(strange) })
    expect([...traded.waiting]).toEqual([ids[8]])
    const asked = ids.filter((_, i) => i !== 8)
    expect([...traded.strange]).toEqual([...strange.slice(16), ...asked])
  })
})

it('joins the followed market in the round after it was asked', async () => {
  node.mine(namesFactory(p0))
  const start = without(await load(), [p0])
  const swap: Change = () => [{ address: p0, topics: [IGNORED_TOPICS[2]!], data: '0x' }]
  const quiet = Array.from({ length: 20 }, () => () => void node.mine())
  const { seen, errors } = await watchSteps(node, [() => void node.mine(swap), ...quiet], {
    ...{ client, venues: [pairVenue], start, auditEvery: 0 },
  })
  expect(errors).toEqual([])
  const isIn = seen.map(({ state }) => state.snapshot.pools.some(({ id }) => id === p0))
  expect(isIn).toEqual(seen.map((_, i) => i === 20))
  expect(seen.at(-1)!.state.traded).toEqual({ ...noSwaps, unknown: 1 })
})
