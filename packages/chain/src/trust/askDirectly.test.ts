// What swaps pay where no call can be paid for: what each family is asked, and what its answers mean.
import type { Address, Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { getAmountOut } from '@braid-swap/core/families'
import { toFunctionSelector } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { refAt } from '../loaders/loaders.js'
import { readHeader } from '../reads/headers.js'
import {
  FACTORY,
  pairAt,
  type ScriptedNode,
  sample,
  sampledAt,
  sampledVenue,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import {
  answerProgram,
  programIn,
  type ScriptedAsk,
  type ToldSwap,
} from '../testing/scriptedProgram.js'
import type { Client } from '../transport/client.js'
import { askDirectly } from './askDirectly.js'

const [t0, t1, t2] = TOKENS as [Address, Address, Address]
const E18 = 10n ** 18n
const FORTH = { in: 0, out: 1 }

let node: ScriptedNode
let client: Client
/** The swaps that programs have asked for. */
let called: ScriptedAsk[]
/** What such a swap comes to. */
let told: ToldSwap

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  called = []
  node.tamper = (asked, honest) => {
    const program = programIn(asked)
    if (program === undefined) return honest()
    return answerProgram(node.head(), program, (ask) => {
      called.push(ask)
      return told
    })
  }
})
afterEach(() => node.stop())

const poolOf = (fields: object) =>
  ({ id: pairAt(0), venue: 'venue', tokens: [t0, t1], feePpm: 3_000, ...fields }) as unknown as Pool
const pairOf = (id: Address, tokens: readonly Address[], reserves: readonly [bigint, bigint]) =>
  poolOf({ family: 'uniswapV2', id, tokens, reserves })

/** What a pool says of a swap there. */
async function ask(pool: Pool, lenders: readonly Pool[] = []) {
  const swap = { pool, direction: FORTH, amountIn: 1_000_000n, quoted: 900_000n }
  const header = await readHeader(client, 'latest')
  const refs = new Map([[pool.id, refAt(sampledVenue, sampledAt(0), [t0, t1])]])
  const isKnown = pool.id === sampledAt(0)
  const place = { header, lenders, refs: isKnown ? refs : new Map() }
  const [answer] = await askDirectly(client, [swap], place)
  return answer && { paid: answer.paid, blocks: answer.seen.map(({ number }) => Number(number)) }
}

describe('a pair', () => {
  const pair = pairOf(pairAt(0), [t0, t1], [100n * E18, 100n * E18])
  const poor = pairOf(pairAt(1), [t0, t2], [E18, E18])
  const rich = pairOf(pairAt(2), [t2, t0], [E18, 5n * E18])
  const other = pairOf(pairAt(3), [t1, t2], [9n * E18, 9n * E18])
  const ranged = poolOf({ family: 'uniswapV3', id: pairAt(4), tokens: [t0, t2] })
  const lenders = [other, poor, rich, pair]

  it.each([
    ['pays the quote', 900_000n, 900_000n, 1],
    ['pays a wei more', 900_001n, 900_001n, 2],
    ['does not pay it', 0n, 899_999n, 2],
  ])('%s after the richest other pair lent the input', async (_, amountOut, paid, calls) => {
    told = { amountOut }
    expect(await ask(pair, lenders)).toEqual({ paid, blocks: [0] })
    // What does not pay the quote is asked again alone.
    const one = { pool: pair.id, lender: rich.id, isPair: true, lendsFirst: false }
    const swap = { token: t0, zeroForOne: true, amountIn: 1_000_000n, amountOut: 900_000n }
    expect(called).toEqual(Array.from({ length: calls }, () => ({ ...one, ...swap })))
  })

  it('is borrowed for from a pool with ticks where no pair has the token', async () => {
    told = { amountOut: 900_000n }
    expect(await ask(pair, [other, ranged, pair])).toMatchObject({ paid: 900_000n })
    const lent = { lender: ranged.id, isPair: false, lendsFirst: true }
    expect(called).toEqual([expect.objectContaining(lent)])
  })

  it('is not judged where nobody can lend, or the lender does not', async () => {
    told = undefined
    expect(await ask(pair, lenders)).toBeUndefined()
    called.length = 0
    expect(await ask(pair, [pair, other])).toBeUndefined()
    expect(called).toEqual([])
  })
})

describe('a pool with ticks', () => {
  const pool = poolOf({ family: 'uniswapV3' })
  const selectorOf = (name: string) =>
    toFunctionSelector(`function ${name}SwapCallback(int256,int256,bytes)`).slice(2)

  it.each([
    ['pays what its callback says', 'uniswapV3', 900_001n, 900_001n],
    ['is refused if it pays nothing', 'uniswapV3', 0n, undefined],
    ['is refused if the executor does not know its callback', 'odd', 9n, undefined],
  ])('%s', async (_, name, amountOut, paid) => {
    told = { callback: `0x${selectorOf(name)}`, amountOut }
    expect(await ask(pool)).toEqual({ paid, blocks: [0] })
    // Another amount than the quote is asked for again alone.
    expect(called.map((one) => one.pool)).toEqual([pool.id, pool.id])
  })

  it('is refused if it does not reach the callback, and not judged if it says nothing', async () => {
    told = { amountOut: 0n }
    expect(await ask(pool)).toEqual({ paid: undefined, blocks: [0] })
    told = undefined
    expect(await ask(pool)).toBeUndefined()
  })
})

it('a pair that quotes itself pays that, and is refused without a quote of one word', async () => {
  const quote = toFunctionSelector('function getAmountOut(uint256,address)')
  for (const family of ['solidly', 'camelot']) {
    for (const [answer, paid] of [
      [toHex(900_002n, 32), 900_002n],
      [toHex(1n, 64), undefined],
      [undefined, undefined],
    ] as const) {
      node.mine(({ contracts }) => {
        contracts.set(pairAt(0), (data) => (data.startsWith(quote) ? answer : undefined))
        return []
      })
      const { number } = node.head()
      expect(await ask(poolOf({ family }))).toEqual({ paid, blocks: [number] })
    }
  }
})

describe('a pool that only answers quotes', () => {
  const sampled = async (rate: bigint) => {
    node.mine(sample(sampledAt(0), rate))
    const ladder: readonly (readonly [bigint, bigint])[] = [[E18, E18]]
    return poolOf({
      ...{ family: 'ladder', id: sampledAt(0), protocol: 'estimateSwap' },
      ...{ ladders: [ladder, ladder], sampledAt: 7n, quotedAt: 8n },
    })
  }

  it('pays what it says when it is read again', async () => {
    const pool = await sampled(1_500n)
    const answer = await ask(pool)
    expect(answer!.paid).toBeGreaterThan(1_490_000n)
    expect(answer!.paid).toBeLessThanOrEqual(1_500_000n)
    expect(getAmountOut(pool, FORTH, 1_000_000n)).toBeLessThanOrEqual(1_000_000n)
    expect(new Set(answer!.blocks)).toEqual(new Set([1]))
  })

  it('is refused if it pays nothing or cannot be read', async () => {
    expect((await ask(await sampled(0n)))!.paid).toBeUndefined()
    const pool = await sampled(1_500n)
    node.mine(({ contracts }) => {
      for (const token of TOKENS) contracts.set(token, () => undefined)
      return []
    })
    expect((await ask(pool))!.paid).toBeUndefined()
  })

  it('cannot be asked if nobody knows how to read it', async () => {
    expect(await ask(poolOf({ family: 'ladder', id: FACTORY }))).toBeUndefined()
  })
})
