// Whatever happens on a chain, the followed market is the one that a new load reads.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHeader } from '../reads/headers.js'
import {
  advanced,
  client,
  E18,
  eachOnPairs,
  expectFresh,
  headNow,
  load,
  node,
  PAIRS,
  p0,
  p1,
  p2,
  reservesOf,
  start,
  venues,
  withoutReceipts,
  withoutSampled,
} from '../testing/pairMarket.js'
import {
  type Change,
  createPair,
  type NodeLog,
  pairAt,
  pairVenue,
  sample,
  sampledAt,
  silently,
  TOKENS,
  trade,
  unknownLog,
} from '../testing/scriptedNode.js'
import { advanceMarket } from './advanceMarket.js'
import type { Market } from './market.js'

eachOnPairs()

const RUNS = 5

type Step = { readonly changes: readonly Change[]; readonly undo: number; readonly isSeen: boolean }

const anyReserves = fc.tuple(
  fc.bigInt({ min: E18, max: 9n * E18 }),
  fc.bigInt({ min: E18, max: 9n * E18 }),
)
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...PAIRS), anyReserves).map(([id, r]) => trade(id, r)),
  },
  fc.constantFrom(...PAIRS).map(unknownLog),
  fc.tuple(fc.integer({ min: 4, max: 6 }), anyReserves).map(
    ([i, reserves]): Change =>
      (state) =>
        state.pairs.has(pairAt(i))
          ? []
          : createPair(pairAt(i), [TOKENS[0]!, TOKENS[(i % 3) + 1]!], reserves)(state),
  ),
  fc.bigInt({ min: 500n, max: 2_000n }).map((rate) => sample(sampledAt(0), rate)),
)
const anyStep: fc.Arbitrary<Step> = fc.record({
  changes: fc.array(anyChange, { maxLength: 3 }),
  undo: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
  isSeen: fc.boolean(),
})

/** Writes steps, and follows those that are seen. */
async function follow(before: Market, steps: readonly Step[]): Promise<Market> {
  let market = before
  let past: readonly Market[] = []
  for (const { changes, undo, isSeen } of steps) {
    const undone = Math.min(undo, node.blocks.length - 4)
    if (undone > 0) node.undo(undone)
    for (let i = 0; i < Math.max(0, undone); i++) node.mine()
    node.mine(...changes)
    if (!isSeen) continue
    const next = await advanced(market, { past })
    const known = new Set(next.cursor.trail.map(({ hash }) => hash))
    past = [...past, market].filter(({ state }) => known.has(state.snapshot.block.hash))
    market = next
  }
  return market
}

describe('a followed market equals a new load', () => {
  it.each([
    ['by receipts', false, true],
    ['by ranges of logs', false, false],
    ['where calls are answered from the newest block', true, true],
  ])('%s, after any blocks and reorganisations', async (_, isLatestOnly, hasReceipts) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 8 }), async (steps) => {
        await start()
        node.isLatestOnly = isLatestOnly
        node.tamper = (asked, honest) => {
          if (!hasReceipts) withoutReceipts(asked)
          return honest()
        }
        for (let i = 0; i < 4; i++) node.mine()
        const first = await load()
        const last: Step = { changes: [], undo: 0, isSeen: true }
        await expectFresh(await follow(first, [...steps, last]))
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  it('a round after the newest logs were incomplete', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 1, maxLength: 6 }),
        fc.nat(5),
        async (steps, from) => {
          await start()
          const before = await load()
          node.tamper = (asked, honest) => {
            withoutReceipts(asked)
            const answer = honest()
            if (asked.method !== 'eth_getLogs') return answer
            const newest = BigInt(node.head().number)
            return (answer as readonly NodeLog[]).filter(
              ({ blockNumber, logIndex }) =>
                BigInt(blockNumber) !== newest || Number(logIndex) < from,
            )
          }
          const late = await follow(
            before,
            steps.map((step) => ({ ...step, undo: 0 })),
          )
          node.tamper = (asked, honest) => {
            withoutReceipts(asked)
            return honest()
          }
          const done = [1, 2].map(
            (): Step => ({ changes: [trade(p0, [E18, E18])], undo: 0, isSeen: true }),
          )
          await expectFresh(await follow(late, done))
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})

describe('a reorganisation', () => {
  it('between two blocks of one round keeps the pools created before it', async () => {
    const before = await load()
    node.mine(createPair(pairAt(4), [TOKENS[0]!, TOKENS[1]!], [E18, E18]))
    node.mine(createPair(pairAt(5), [TOKENS[0]!, TOKENS[2]!], [E18, E18]))
    const market = await advanced(before)
    expect(market.cursor.trail.map(({ created }) => created)).toEqual([
      [],
      [pairAt(4)],
      [pairAt(5)],
    ])
    node.undo(1)
    node.mine(trade(pairAt(4), [3n * E18, E18]))
    node.mine()
    await expectFresh(await advanced(market))
  })

  it.each([
    ['as high', 1],
    ['lower', 2],
  ])('to a head that is %s is followed', async (_, undone) => {
    const before = await load()
    node.mine(trade(p0, [3n * E18, E18]))
    node.mine(trade(p2, [5n * E18, E18]))
    const market = await advanced(before)
    node.undo(undone)
    node.mine(trade(p1, [4n * E18, E18]))
    await expectFresh(await advanced(market))
  })

  it('deeper than the trail, and a head before it, are told apart', async () => {
    const before = await load()
    for (let i = 0; i < 70; i++) node.mine(trade(p0, [E18, BigInt(i + 1) * E18]))
    let market = before
    market = await advanced(market)
    expect(market.cursor.trail).toHaveLength(64)
    expect(market.cursor.trail.at(-1)).toMatchObject({ number: 72n, hash: node.head().hash })
    const old = { header: await readHeader(client, 5n), receivedAtMs: 1 }
    await expect(advanceMarket(client, market, { head: old, venues })).rejects.toMatchObject({
      code: 'HEAD_BEHIND',
    })
    const recent = { header: await readHeader(client, 70n), receivedAtMs: 1 }
    expect(await advanceMarket(client, market, { head: recent, venues })).toBe(market)
    node.undo(68)
    for (let i = 0; i < 69; i++) node.mine(trade(p1, [E18, BigInt(i + 1) * E18]))
    await expectFresh(await advanced(market))
  })

  it('leaves no state of one branch in a market of another, where calls are answered from the newest block', async () => {
    const market = withoutSampled(await load())
    node.mine(unknownLog(p0))
    node.mine()
    const head = await headNow()
    node.isLatestOnly = true
    node.tamper = ({ method }, honest) => {
      if (method !== 'eth_call') return honest()
      node.tamper = (_, answer) => answer()
      node.undo(3)
      node.mine(silently(p0, [9n * E18, E18]))
      node.mine()
      return honest()
    }
    const after = await advanceMarket(client, market, { head, venues: [pairVenue] })
    expect(after.state.snapshot.block.hash).toBe(node.head().hash)
    expect(reservesOf(after, p0)).toEqual([9n * E18, E18])
  })
})
