// Trials in a round: which venues are asked, again and because of a sign, on a chain whose router pays what a
// test says; and while a market is followed.
import type { Address, Hex } from '@braid-swap/core'
import { toEventSelector } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { readHeader } from '../reads/headers.js'
import { changed } from '../testing/changed.js'
import {
  createPairs,
  FACTORY,
  pairAt,
  pairVenue,
  type ScriptedNode,
  silently,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import { HONOURING, mineRouter, type ScriptedRouter, TERMS } from '../testing/scriptedRouter.js'
import { watchSteps } from '../testing/watchSteps.js'
import { type Client, learnProfiles } from '../transport/client.js'
import { servedSnapshot, startTrials, type Trial } from '../trust/trials.js'
import type { FollowOptions } from './followMarket.js'
import { loadSnapshot } from './loadMarket.js'
import type { Market } from './market.js'
import { tryDue } from './tryDue.js'

const E18 = 10n ** 18n
const PAIRS = [0, 1, 2, 3].map(pairAt)
const [p0] = PAIRS as [Address]
const venues = [pairVenue]
const accusation = { pool: p0, kind: 'less', reason: 'pays less', since: 1n, times: 1 } as const

let node: ScriptedNode
let client: Client
let router: ScriptedRouter
let market: Market
let fresh: Trial

beforeEach(async () => {
  node = await startScriptedNode()
  node.mine(createPairs(PAIRS.length, [E18, 2n * E18]))
  router = mineRouter(node)
  client = createClient(node.url)
  learnProfiles(client, [HONOURING])
  const loaded = await loadSnapshot(client, { venues, wrappedNative: TOKENS[0]! })
  market = startTrials(loaded, venues, new Map())
  ;[fresh] = market.trust.trials as [Trial]
  node.asked.length = 0
})
afterEach(() => node.stop())

const withTrial = (trial: Partial<Trial>): Market =>
  changed(market, { trials: [{ ...fresh, ...trial }] })
/** The market after a round. */
const after = async (
  of: Market,
  options: { readonly round?: number; readonly signs?: ReadonlySet<Hex> } = {},
) =>
  tryDue(client, of, {
    ...{ ...TERMS, venues, round: 1, isLimited: false, signs: new Set(), ...options },
    header: await readHeader(client, of.state.snapshot.block.number),
  })
/** The swaps so far of a pair. */
const swapsOf = (id: Address) => {
  const { tokens } = market.state.snapshot.pools.find((one) => one.id === id)!
  return router.asked.filter((one) =>
    [one.tokenIn, one.tokenOut].every((token) => tokens.includes(token)),
  )
}
const serving = { state: 'serving', agreed: 20, turn: 20, since: 2n } as const

describe('a round', () => {
  it('asks a new venue one swap, and a proven one every twentieth time', async () => {
    expect((await after(market)).trust.trials).toMatchObject([{ agreed: 1, turn: 1 }])
    expect(router.asked).toHaveLength(1)
    const proven = withTrial(serving)
    node.asked.length = 0
    expect(await after(proven)).toBe(proven)
    expect(await after(proven, { round: 19 })).toBe(proven)
    expect(node.asked.filter(({ method }) => method === 'eth_call')).toEqual([])
    expect((await after(proven, { round: 20 })).trust.trials).toMatchObject([{ agreed: 21 }])
  })

  it('asks the pool that a sign names, there and back, unless the operator set the state', async () => {
    const signs = new Set([p0])
    router.pays = (honest, { tokenIn }) => (tokenIn === TOKENS[0] ? honest : honest - 1n)
    const doubted = await after(withTrial(serving), { signs })
    expect(doubted.trust.trials).toMatchObject([
      { state: 'serving', accused: [{ pool: p0, times: 1 }] },
    ])
    expect(router.asked.map(({ tokenIn }) => tokenIn).sort()).toEqual(TOKENS.slice(0, 2))
    const fixed = withTrial({ ...serving, isFixed: true })
    expect(await after(fixed, { signs })).toBe(fixed)
  })

  it('takes the worst of what the swaps of one turn say', async () => {
    const signs = new Set([p0])
    router.pays = (honest, { tokenIn }) => (tokenIn === TOKENS[0] ? 2n * honest : undefined)
    expect((await after(withTrial(serving), { signs })).trust.trials).toMatchObject([
      { misses: 0, accused: [{ kind: 'refused' }] },
    ])
    router.pays = (honest, { tokenIn }) => (tokenIn === TOKENS[0] ? honest : 2n * honest)
    const [trial] = (await after(withTrial(serving), { signs })).trust.trials!
    expect(trial).toMatchObject({ state: 'serving', agreed: 20, misses: 0 })
    expect(trial!.reason).toContain('more than')
  })

  it('reads a pool in doubt again, because its state may be old, and clears the doubt', async () => {
    node.mine(silently(p0, [E18, E18]))
    const moved = await loadSnapshot(client, { venues, wrappedNative: TOKENS[0]! })
    const pools = moved.state.snapshot.pools.map((one) =>
      one.id === p0 ? market.state.snapshot.pools.find(({ id }) => id === p0)! : one,
    )
    const stale = changed(moved, {
      snapshot: { ...moved.state.snapshot, pools },
      trials: [{ ...fresh, accused: [accusation] }],
    })
    const {
      state: { snapshot },
      trust: { trials },
    } = await after(stale)
    expect(snapshot.pools.find(({ id }) => id === p0)).toMatchObject({ reserves: [E18, E18] })
    expect(trials).toEqual([{ ...fresh, agreed: 1, turn: 1, since: 3n }])
    expect(swapsOf(p0)).toHaveLength(2)
    router.pays = (honest) => honest - 1n
    expect((await after(stale)).trust.trials).toMatchObject([{ state: 'quarantined' }])
  })

  it('asks at the block to which the reading of a doubted pool has moved the market', async () => {
    node.isLatestOnly = true
    node.mine(silently(p0, [E18, E18]))
    const next = await after(withTrial({ accused: [accusation] }))
    expect(next.state.snapshot.block.number).toBe(3n)
    expect(next.trust.trials).toMatchObject([{ agreed: 1, since: 3n }])
  })
})

describe('following with trials', () => {
  const times = (length: number, step = () => void node.mine()) =>
    Array.from({ length }, () => step)
  const watch = async (
    steps: readonly (() => void)[],
    start: Market,
    options: Partial<FollowOptions> = {},
  ) => {
    const { seen, errors } = await watchSteps(node, steps, {
      ...{ client, venues, start, auditEvery: 0, trials: TERMS, ...options },
    })
    expect(errors).toEqual([])
    return seen.map((one) => ({ ...one, trial: one.trust.trials![0]! }))
  }

  it('has a venue in answers after three rounds, in each of which it was asked', async () => {
    const seen = await watch(times(4), market)
    const byBlock = new Map(seen.map((one) => [one.state.snapshot.block.number, one]))
    expect([...byBlock.values()].map(({ trial }) => [trial.state, trial.agreed])).toEqual([
      ...[
        ['shadow', 1],
        ['shadow', 2],
        ['canary', 3],
        ['canary', 4],
      ],
    ])
    const served = [...byBlock.values()].map((one) => servedSnapshot(one).pools.length)
    expect(served).toEqual([1, 1, 5, 5])
  })

  it('asks nobody without the contracts to ask through', async () => {
    const seen = await watch(times(3), market, { trials: undefined })
    expect(seen.map(({ trial }) => trial)).toEqual([fresh, fresh, fresh])
    expect(router.asked).toEqual([])
  })

  it('asks a pool that a swap failed at in three rounds', async () => {
    let isTold = false
    const doubted = () => {
      const ids = isTold ? [] : [p0]
      isTold = true
      return ids
    }
    await watch(times(6), withTrial(serving), { doubted })
    expect(swapsOf(p0)).toHaveLength(6)
    expect(router.asked).toHaveLength(6)
  })

  it.each([
    ['the pool that says in a log that its code changed', p0, 2],
    ['four pools of a factory that says so', FACTORY, 8],
  ])('asks %s in three rounds', async (_, address, swaps) => {
    const topics = [toEventSelector('Upgraded(address)')]
    const upgrade = () => void node.mine(() => [{ address, topics, data: '0x' }])
    await watch([...times(2), upgrade, ...times(5)], withTrial(serving))
    expect(router.asked).toHaveLength(3 * swaps)
    expect(swapsOf(p0)).toHaveLength(6)
  })

  it('keeps what a venue has earned when it resumes from an earlier market', async () => {
    const reorganise = () => {
      node.undo(1)
      for (let i = 0; i < 2; i++) node.mine()
    }
    const seen = await watch([...times(3), reorganise, ...times(1)], market)
    expect(seen.at(-1)!.trial).toMatchObject({ state: 'canary', agreed: 5 })
  })
})
