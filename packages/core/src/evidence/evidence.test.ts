import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { routerCallOf, swapCallOf } from '../encoder/swapCall.js'
import { buildGraph } from '../graph.js'
import { type Hex, toHex, ZERO_ADDRESS } from '../hex.js'
import type { UniswapV2Pool } from '../pools/uniswapV2/pool.js'
import { quote } from '../quote.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { checkEvidence, leftOut, verdictOf } from './checkEvidence.js'
import { type Evidence, evidenceOf, type Settled } from './evidence.js'
import { evidenceSchema, parseEvidence, stringifyEvidence } from './evidenceFile.js'

const E18 = 10n ** 18n
const [a, b, c] = [token(1), token(2), token(3)]
const [router, executor, payer] = [toHex(0xaa, 20), toHex(0xee, 20), toHex(0xfe, 20)]
const FEE = { of: 'tokenOut', ppm: 500, recipient: toHex(0xfee, 20) } as const
const pools = [
  pair(1, [1, 2], [1_000n * E18, 2_000n * E18]),
  pair(2, [1, 3], [500n * E18, 500n * E18]),
  pair(3, [2, 3], [1_400n * E18, 700n * E18]),
  // No route between the ends passes it.
  pair(4, [3, 4], [E18, E18]),
]
const snapshot = snapshotOf(pools)
const order = { tokenIn: a, tokenOut: b, amountIn: 10n * E18 }
const terms = { wrappedNative: snapshot.wrappedNative, executor, slippagePpm: 5_000n, deadline: 9n }

/** A transaction that the router performed, as its receipt says it. */
function settledOf(call: { data: Hex; value: bigint }, amountOut: bigint): Settled {
  const word = (value: bigint | Hex) => toHex(BigInt(value), 32)
  const topic = '0x20efd6d5195b7b50273f01cd79a27989255356f9f13293edc53ee142accfdb75'
  const topics: readonly Hex[] = [topic, word(payer), word(payer)]
  const data: Hex = `0x${[a, b, order.amountIn, amountOut].map((one) => word(one).slice(2)).join('')}`
  return {
    transaction: {
      hash: toHex(1, 32),
      from: payer,
      to: router,
      input: call.data,
      value: call.value,
    },
    block: { number: 8n, hash: toHex(2, 32) },
    receipt: {
      ...{ index: 0, type: '0x2', status: '0x1', cumulativeGasUsed: '0x5208', logsBloom: '0x' },
      logs: [{ address: router, topics, data }],
    },
  }
}

const quoted = quote(buildGraph(snapshot), order, { fee: FEE })
const built = routerCallOf(quoted, terms)
const call = swapCallOf(router, built)
const parts = { minAmountOut: built.minAmountOut, receiver: ZERO_ADDRESS, call, offers: [] }
const settled = settledOf(call, quoted.amountOut)
const evidence = evidenceOf(snapshot, quoted, { ...parts, settled })
const wrongIn = (one: Evidence) =>
  checkEvidence(one)
    .filter(({ isOk }) => !isOk)
    .map(({ name }) => name)

describe('the evidence of a swap', () => {
  it('fits together, with the pools that route and bound touch alone', () => {
    expect(wrongIn(parseEvidence(stringifyEvidence(evidence)))).toEqual([])
    expect(evidence.snapshot.pools.map(({ id }) => id)).not.toContain(pools[3]!.id)
    expect(evidence.route.length).toBeGreaterThan(1)
    expect(leftOut(evidence)).toEqual([])
    expect(verdictOf(evidence)).toBe('paid as quoted')
  })

  const touched = evidence.snapshot.pools[0] as UniswapV2Pool
  it.each<[string, Partial<Evidence>, string]>([
    ['the amount', { order: { ...order, amountIn: order.amountIn + 1n } }, 'calldata: amountIn'],
    [
      'a price',
      { bound: { ...evidence.bound, prices: { ...evidence.bound.prices, [c]: 0.5 } } },
      'bound',
    ],
    [
      'a pool',
      {
        snapshot: {
          ...evidence.snapshot,
          pools: [{ ...touched, reserves: [touched.reserves[0] + E18, touched.reserves[1]] }],
        },
      },
      'route',
    ],
    [
      'the calldata',
      { call: { ...call, data: call.data.replace(/00$/, '01') as Hex } },
      'calldata',
    ],
    ['the receiver', { receiver: toHex(5, 20) }, 'calldata: receiver'],
    ['the fee', { fee: { ...FEE, ppm: 501 } }, 'calldata: its fee'],
    ['the token', { order: { ...order, tokenOut: c } }, 'calldata: tokenOut'],
    ['the bound', { bound: { ...evidence.bound, amount: evidence.bound.amount * 2n } }, 'bound'],
    ['the promise', { amountOut: quoted.amountOut + 1n }, 'quoted'],
    ['the floor', { minAmountOut: built.minAmountOut - 1n }, 'calldata: its floor'],
    ['what was received', { settled: settledOf(call, 1n) }, 'received'],
    [
      'the status',
      { settled: { ...settled, receipt: { ...settled.receipt, status: '0x0' } } },
      'receipt: status',
    ],
    ['the edges', { edges: evidence.edges.slice(1) }, 'edges'],
    ['what an edge costs', { edges: evidence.edges.map((e) => ({ ...e, gas: 1 })) }, 'edges'],
    ['the gas', { gas: 1 }, 'gas'],
    ['what counts', { bound: { ...evidence.bound, objective: 'gross', gasCost: 1e-9 } }, 'bound'],
    ['the block', { settled: { ...settled, block: { ...settled.block, number: 1n } } }, 'block'],
    [
      'the status to none',
      { settled: { ...settled, receipt: { ...settled.receipt, status: '0x2', logs: [] } } },
      'receipt: status',
    ],
    [
      'the number of swaps',
      {
        settled: {
          ...settled,
          receipt: { ...settled.receipt, logs: [...settled.receipt.logs, ...settled.receipt.logs] },
        },
      },
      'receipt: status',
    ],
  ])('does not, if somebody alters %s', (_, change, name) => {
    expect(wrongIn({ ...evidence, ...change })).toContain(name)
  })

  it.each<[Partial<Evidence['bound']>, string]>([
    [{ maxLegs: 1 }, 'routes of more than 1 hops'],
    [{ maxGas: 200_000 }, 'routes of more than 200000 gas'],
    [{ gasCost: 5 }, 'routes if gas costs less than 5 a unit'],
    [{ setAside: [pools[0]!.id] }, '1 pools off the market, but as a single hop'],
  ])('says that a bound with %o leaves routes out', (terms, left) => {
    expect(leftOut({ ...evidence, bound: { ...evidence.bound, ...terms } })).toEqual([left])
  })

  it('says what came of it', () => {
    const of = (amountOut: bigint) =>
      verdictOf({ ...evidence, settled: settledOf(call, amountOut) })
    expect(of(quoted.amountOut + 1n)).toBe('paid more than quoted')
    expect(of(quoted.amountOut - 1n)).toBe('paid less than quoted, and no less than its floor')
    expect(of(1n)).toBe('paid less than its floor')
    const { settled: _, ...unsent } = evidence
    expect(verdictOf(unsent)).toBe('only quoted')
    const receipt = { ...settled.receipt, status: '0x0' as const, logs: [] }
    expect(verdictOf({ ...evidence, settled: { ...settled, receipt } })).toBe('reverted')
  })

  it('fits together for any amount, and its bound is the one of its prices', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 6n, max: 300n * E18 }), (amountIn) => {
        const answer = quote(buildGraph(snapshot), { ...order, amountIn })
        const one = evidenceOf(snapshot, answer, { offers: [] })
        expect(wrongIn(parseEvidence(stringifyEvidence(one)))).toEqual([])
      }),
    )
  })
})

const withTerm = (term: Record<string, unknown>) =>
  stringifyEvidence({ ...evidence, bound: { ...evidence.bound, ...term } as never })

describe('evidence from outside', () => {
  it.each([
    ['no JSON', '{', 'not JSON'],
    ['another version', stringifyEvidence({ ...evidence, version: 2 as 1 }), 'version'],
    ['another field', stringifyEvidence({ ...evidence, more: 1 } as Evidence), 'more'],
    ['no bound', stringifyEvidence({ ...evidence, bound: null as never }), 'bound'],
    ['a text as a term', withTerm({ maxLegs: 3n }), 'maxLegs'],
    ['a text as a price', withTerm({ prices: { [a]: 1n, [b]: 0 } }), 'prices'],
    ['no fee', withTerm({ fee: { of: 'tokenOut', ppm: 'x' } }), 'fee'],
    ['no amount', withTerm({ amount: 'much' }), 'amount'],
    ['no list of tokens', withTerm({ onlyIntermediates: 'abc' }), 'onlyIntermediates'],
    ['no list of edges', withTerm({ open: [null] }), 'open'],
    ['a hop without a pool', stringifyEvidence({ ...evidence, route: [{}] as never }), 'route[0]'],
  ])('with %s is refused', (_, text, name) => {
    expect(() => parseEvidence(text)).toThrow(name)
  })

  it('has the schema in docs', async () => {
    const file = fileURLToPath(new URL('../../../../docs/evidence.schema.json', import.meta.url))
    await expect(`${JSON.stringify(evidenceSchema(), null, 2)}\n`).toMatchFileSnapshot(file)
  })
})
