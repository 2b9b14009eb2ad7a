// Venues on trial, on a chain whose router pays what a test says: what each swap decides, and which are asked.
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { loadSnapshot } from '../market/loadMarket.js'
import type { Market } from '../market/market.js'
import { readHeader } from '../reads/headers.js'
import { changed } from '../testing/changed.js'
import {
  type Asked,
  createPairs,
  pairAt,
  pairVenue,
  type ScriptedNode,
  sample,
  sampledAt,
  sampledVenue,
  startScriptedNode,
  TOKENS,
  trade,
} from '../testing/scriptedNode.js'
import { answerProgram, programIn } from '../testing/scriptedProgram.js'
import { HONOURING, mineRouter, type ScriptedRouter, TERMS } from '../testing/scriptedRouter.js'
import { type Client, learnProfiles } from '../transport/client.js'
import { isServed, servedSnapshot, startTrials, type Trial, type VenueState } from './trials.js'
import { tryAtOnce, tryVenues } from './tryVenues.js'

const E18 = 10n ** 18n
const PAIRS = [0, 1, 2, 3].map(pairAt)

let node: ScriptedNode
let client: Client
let router: ScriptedRouter
/** All pairs on trial since block 2. */
let market: Market

beforeEach(async () => {
  node = await startScriptedNode()
  node.mine(createPairs(PAIRS.length, [E18, 2n * E18]))
  router = mineRouter(node)
  client = connect()
  market = startTrials(await load(), [pairVenue], new Map())
  node.asked.length = 0
})
afterEach(() => node.stop())

function connect(options = {}) {
  const made = createClient(node.url, options)
  learnProfiles(made, [HONOURING])
  return made
}
const load = () => loadSnapshot(client, { venues: [pairVenue], wrappedNative: TOKENS[0]! })
const trialAfter = async (of = market, by = client) =>
  (await tryAtOnce(by, of, TERMS)).trust.trials![0]!
const isOfToken = ({ params: [call] }: Asked) =>
  TOKENS.includes((Object(call) as { readonly to?: Address }).to!)
/** The requests that look for the slots of a token. */
const searches = () => node.asked.filter((one) => one.method === 'eth_call' && isOfToken(one))
/** The requests that simulate swaps. */
const simulated = () =>
  node.asked.filter(
    (one) => !isOfToken(one) && JSON.stringify(one.params).includes(TERMS.router.slice(2)),
  )
/** The pool that swaps between two tokens. */
const poolOf = ({ tokenIn, tokenOut }: { readonly tokenIn: Address; readonly tokenOut: Address }) =>
  market.state.snapshot.pools.find((one) =>
    [tokenIn, tokenOut].every((id) => one.tokens.includes(id)),
  )!

describe('a venue that is tried at once', () => {
  it('is in answers after three swaps, each of another pool, that pay the quote', async () => {
    expect(await trialAfter()).toEqual({
      ...{ venue: 'pairs', state: 'canary', since: 2n, agreed: 3, misses: 0, turn: 3 },
    })
    expect(new Set(router.asked.map((one) => poolOf(one).id)).size).toBe(3)
    expect(simulated().map(({ params }) => params[1])).toEqual([{ blockHash: node.head().hash }])
    // A node is taken to honour overrides until it is known not to.
    expect(await trialAfter(market, createClient(node.url))).toMatchObject({ state: 'canary' })
  })

  it('is in doubt after the first swap that pays less, whatever the later ones pay', async () => {
    router.pays = (honest) => (router.asked.length === 2 ? honest - 1n : honest)
    const { reason, ...trial } = await trialAfter()
    const [, second] = router.asked
    const { id } = poolOf(second!)
    expect(trial).toEqual({
      ...{ venue: 'pairs', state: 'shadow', since: 2n, agreed: 0, misses: 0, turn: 1 },
      accused: [expect.objectContaining({ pool: id, kind: 'less', times: 1 })],
    })
    expect(reason).toMatch(/^pool 0x\w+ at \d+ in: pays \d+ instead of \d+$/)
    expect(reason).toContain(`pool ${id} at ${second!.amountIn} in`)
  })

  it('misses once, however many swaps are refused', async () => {
    router.pays = () => undefined
    expect(await trialAfter()).toMatchObject({
      ...{ state: 'shadow', agreed: 0, misses: 0, turn: 1 },
      reason: expect.stringMatching(/^pool 0x\w+ at \d+ in: the swap is refused$/),
    })
  })

  it.each([
    ['agrees with as much as a hundred millionths and a wei more', 0n, { agreed: 3 }],
    ['decides nothing beyond', 1n, { agreed: 0, turn: 1, state: 'shadow' }],
  ])('%s', async (_, more, expected) => {
    router.pays = (honest) => honest + honest / 10_000n + 1n + more
    const trial = await trialAfter()
    expect(trial).toMatchObject(expected)
    if (more > 0n) expect(trial.reason).toMatch(/in: pays \d+, more than \d+$/)
  })

  it('is not asked in quarantine, where the operator set its state, or of a block that is gone', async () => {
    const trial = market.trust.trials![0]!
    for (const other of [{ state: 'quarantined' }, { isFixed: true }] as Partial<Trial>[]) {
      const of = changed(market, { trials: [{ ...trial, ...other }] })
      expect(await tryAtOnce(client, of, TERMS)).toBe(of)
    }
    expect(await tryAtOnce(client, changed(market, { trials: [] }), TERMS)).toMatchObject({
      trust: { trials: [] },
    })
    expect(node.asked).toEqual([])
    node.undo(1)
    node.mine()
    expect(await tryAtOnce(client, market, TERMS)).toBe(market)
    expect(router.asked).toEqual([])
  })

  it('is asked once if it was in answers, and not yet where requests are limited', async () => {
    const [other] = PAIRS
    const pools = market.state.snapshot.pools.map((pool) =>
      pool.id === other ? { ...pool, venue: 'others' } : pool,
    )
    const two = startTrials(market, [pairVenue, { id: 'others' }], new Map())
    const [pairs, others] = two.trust.trials as [Trial, Trial]
    const of = changed(two, {
      snapshot: { ...two.state.snapshot, pools },
      trials: [{ ...pairs, state: 'canary', agreed: 3, turn: 3 }, others],
    })
    const agreed = async (by: Client) =>
      (await tryAtOnce(by, of, TERMS)).trust.trials!.map((one) => [one.agreed, one.turn])
    expect(await agreed(client)).toEqual([
      [4, 4],
      [3, 3],
    ])
    expect(router.asked).toHaveLength(4)
    // The swaps of one pool are in requests of their own.
    expect(simulated()).toHaveLength(4)
    const limited = connect({ requestsPerMinute: 1_000_000 })
    expect(await agreed(limited)).toEqual([
      [3, 3],
      [3, 3],
    ])
  })
})

describe('a node on which nobody can pay', () => {
  /** What becomes of the trial of most pairs, by the states of their venue and of the one of pair 3. */
  async function tried(own: VenueState, others: VenueState) {
    const [last] = PAIRS.slice(3)
    const pools = market.state.snapshot.pools.map((pool) =>
      pool.id === last ? { ...pool, venue: 'others' } : pool,
    )
    const trials = startTrials(market, [pairVenue, { id: 'others' }], new Map()).trust.trials
    const states = [own, others]
    const of = changed(market, {
      snapshot: { ...market.state.snapshot, pools },
      trials: trials.map((trial, i) => ({ ...trial, state: states[i]! })),
    })
    const by = createClient(node.url)
    learnProfiles(by, [{ ...HONOURING, overrides: 'ignored' }])
    const lenders: Address[] = []
    node.tamper = (asked, honest) => {
      const program = programIn(asked)
      if (program === undefined) return honest()
      return answerProgram(node.head(), program, ({ lender, amountOut }) => {
        lenders.push(lender)
        return { amountOut }
      })
    }
    const header = await readHeader(by, market.state.snapshot.block.number)
    const after = await tryVenues(by, of, { ...TERMS, header, venues: ['pairs'] })
    return { trial: after.trust.trials![0]!, lenders, last }
  }

  it('has pools lend that are in answers, or any if none is', async () => {
    // Pair 0 is asked what it pays for the first token, which pair 3 has too.
    for (const [own, others] of [
      ['serving', 'serving'],
      ['shadow', 'shadow'],
    ] as const) {
      const { trial, lenders, last } = await tried(own, others)
      expect(lenders).toEqual([last])
      expect(trial).toMatchObject({ agreed: 1 })
    }
    const { trial, lenders } = await tried('serving', 'shadow')
    expect(lenders).toEqual([])
    expect(trial.reason).toContain('cannot be asked on this node')
  })
})

describe('what one pool says of its venue', () => {
  const serving = (trial: Partial<Trial> = {}) =>
    changed(market, {
      trials: [{ ...market.trust.trials![0]!, state: 'serving', agreed: 20, ...trial }],
    })
  /** The trial after rounds in which these pools pay less. */
  const after = async (
    isBad: (pool: Address) => boolean,
    rounds: number,
    of: Market = serving(),
  ) => {
    router.pays = (honest, call) => (isBad(poolOf(call).id) ? honest - 1n : honest)
    let now = of
    const header = await readHeader(client, of.state.snapshot.block.number)
    for (let i = 0; i < rounds; i++) {
      now = await tryVenues(client, now, { ...TERMS, header, venues: ['pairs'] })
    }
    return now
  }

  it('is nothing, as long as pools with half of its depth pay', async () => {
    const [bad] = PAIRS
    const now = await after((id) => id === bad, 6)
    expect(now.trust.trials).toMatchObject([{ state: 'serving', accused: [{ pool: bad }] }])
    expect(servedSnapshot(now).pools.map(({ id }) => id)).not.toContain(bad)
    expect(servedSnapshot(now).pools).toHaveLength(market.state.snapshot.pools.length - 1)
  })

  it('is that it falls, within two rounds, if the deepest do not pay either', async () => {
    const now = await after(() => true, 2)
    expect(isServed(now.trust.trials![0]!)).toBe(false)
    expect(servedSnapshot(now).pools.filter(({ venue }) => venue === 'pairs')).toEqual([])
  })

  it('is nothing if all who speak against it were made within the kept blocks', async () => {
    const trail = [{ ...market.cursor.trail[0]!, created: PAIRS }]
    const now = await after(() => true, 4, changed(serving(), { trail }))
    expect(now.trust.trials).toMatchObject([{ state: 'serving' }])
    expect(servedSnapshot(now).pools.filter(({ venue }) => venue === 'pairs')).toEqual([])
  })
})

it('a pool that is sampled is asked at the newest block, and may pay more than its quote', async () => {
  node.mine(sample(sampledAt(0), 1_500n))
  const loaded = await loadSnapshot(client, { venues: [sampledVenue], wrappedNative: TOKENS[0]! })
  router.pays = (_, { amountIn }) => 2n * amountIn
  node.asked.length = 0
  expect(await trialAfter(startTrials(loaded, [sampledVenue], new Map()))).toMatchObject({
    ...{ state: 'canary', agreed: 3 },
  })
  expect(new Set(simulated().map(({ params }) => params[1]))).toEqual(new Set(['latest']))
  router.pays = () => 1n
  expect(await trialAfter(startTrials(loaded, [sampledVenue], new Map()))).toMatchObject({
    ...{ state: 'shadow', accused: [{ pool: sampledAt(0) }] },
  })
})

describe('a node that answers from its newest block', () => {
  it('proves a venue by the same answer, and says nothing by another', async () => {
    node.isLatestOnly = true
    node.mine()
    expect(await trialAfter()).toMatchObject({ agreed: 3 })
    for (const reserves of [
      [E18, 3n * E18],
      [E18, E18],
    ] as const) {
      node.mine(...PAIRS.map((id) => trade(id, [...reserves])))
      expect(await trialAfter()).toEqual(market.trust.trials![0])
    }
  })
})

describe('the payer of simulated swaps', () => {
  it('is another for each swap, as the receiver is, and holds and allows what that takes', async () => {
    await trialAfter()
    await trialAfter()
    const amounts = router.asked.map(({ amountIn }) => toHex(amountIn, 32))
    const given = simulated().flatMap(({ params }) => Object.entries(Object(params[2])))
    const ofTokens = given.filter(([of]) => TOKENS.includes(of as Address))
    const held = ofTokens.flatMap(([, own]) => Object.values(Object(own).stateDiff as object))
    expect(held.toSorted()).toEqual([...amounts, ...amounts].toSorted())
    // A payer and a meter of gas for each.
    const others = given.filter(([, own]) => 'code' in Object(own)).map(([of]) => of)
    expect([new Set(others).size, others.length]).toEqual([12, 12])
    expect(new Set(router.asked.map(({ receiver }) => receiver)).size).toBe(6)
  })

  it('is called by somebody else each time, who pays for all gas what a transaction does', async () => {
    await trialAfter()
    await trialAfter()
    const senders = simulated().map(({ params: [call, , overrides] }) => {
      const { from, gas, gasPrice, maxFeePerGas } = Object(call) as Record<string, Hex>
      const price = BigInt(gasPrice ?? maxFeePerGas!)
      expect(price).toBeGreaterThan(BigInt(node.head().header.baseFeePerGas))
      const { balance } = (overrides as Record<string, { balance: Hex }>)[from!]!
      expect(BigInt(balance)).toBeGreaterThan(BigInt(gas!) * price)
      return from
    })
    expect(new Set(senders).size).toBe(2)
  })

  it('has its slots looked for once for each token, and again after a search that failed', async () => {
    node.tamper = (_, honest) => {
      if (searches().length > 0) throw new Refusal(-32000, 'no')
      return honest()
    }
    await expect(trialAfter()).rejects.toThrow()
    node.tamper = (_, honest) => honest()
    node.asked.length = 0
    expect(await trialAfter()).toMatchObject({ agreed: 3 })
    // A balance and an allowance.
    const tokens = new Set(router.asked.map(({ tokenIn }) => tokenIn))
    expect(searches()).toHaveLength(2 * tokens.size)
    node.asked.length = 0
    await trialAfter()
    expect(searches()).toEqual([])
  })

  it('cannot pay in a token of unknown storage, nor where overrides are ignored', async () => {
    node.tamper = ({ params }, honest) => (params[2] === undefined ? honest() : '0x')
    const reason = expect.stringMatching(/^pool 0x\w+ cannot be asked on this node$/)
    const undecided = { state: 'shadow', agreed: 0, turn: 1, reason }
    expect(await trialAfter()).toMatchObject(undecided)
    expect(router.asked).toEqual([])
    node.tamper = (_, honest) => honest()
    const other = createClient(node.url)
    learnProfiles(other, [{ ...HONOURING, overrides: 'ignored' }])
    node.asked.length = 0
    expect(await trialAfter(market, other)).toMatchObject(undecided)
    expect(searches()).toEqual([])
  })
})

it('a venue without a pool to ask waits, and keeps what is known against it', async () => {
  const pools = market.state.snapshot.pools.filter(({ tokens }) => tokens.includes(NATIVE))
  const dry = changed(market, { snapshot: { ...market.state.snapshot, pools } })
  const [trial] = market.trust.trials as [Trial]
  const reason = 'no pool with liquidity to try yet'
  expect(await trialAfter(dry)).toEqual({ ...trial, reason })
  const refused = { ...trial, reason: 'is refused' }
  expect(await trialAfter(changed(dry, { trials: [refused] }))).toEqual(refused)
  const served: Trial = { ...trial, state: 'serving' }
  expect(await trialAfter(changed(dry, { trials: [served] }))).toEqual(served)
})
