import type { Direction, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { applySwap, type CurveStableSwapPool, getAmountOut } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import { type Answers, answering, runLoad, words } from '../../testing/loaderAnswers.js'
import type { LoadErrorCode } from '../loadError.js'
import type { PoolRef } from '../loader.js'
import * as abi from './abi.js'
import { applyLog, load } from './load.js'

const E18 = 10n ** 18n
const ref: PoolRef = {
  ...{ id: toHex(0xabc, 20), family: 'curveStableSwap', venue: 'test', factory: toHex(0xf, 20) },
  tokens: [toHex(0xa, 20), toHex(0xb, 20), toHex(0xc, 20)],
}
const ng: CurveStableSwapPool = {
  ...{ family: 'curveStableSwap', id: ref.id, venue: ref.venue, tokens: ref.tokens, isNg: true },
  balances: [1_000_000n * E18, 1_200_000n * 10n ** 6n, 800_000n * E18],
  rates: [E18, 10n ** 30n, E18],
  ...{ A: 200_00n, aPrecision: 100n, rounding: 'once', fee: 4_000_000n },
  ...{ offpegFeeMultiplier: 20_000_000_000n, adminFee: 5_000_000_000n },
}
const plain: CurveStableSwapPool = {
  ...ng,
  ...{ isNg: false, A: 200n, aPrecision: 1n, rounding: 'eachCoin', offpegFeeMultiplier: 0n },
}

const list = (values: readonly bigint[]) => words(32, values.length, ...values)

/** Answers of a pool and its factory, by selector. */
function answersOf(pool: CurveStableSwapPool, current = pool.A): Answers {
  const { ramp } = pool
  const asked = { ...pool, A: current }
  delete (asked as { ramp?: unknown }).ramp
  return {
    [abi.OF_POOL.A]: words(current / pool.aPrecision),
    [abi.OF_POOL.fee]: words(pool.fee),
    [abi.OF_POOL.admin_fee]: words(pool.adminFee),
    [abi.OF_POOL.initial_A]: words(ramp?.initialA ?? pool.A),
    [abi.OF_POOL.future_A]: words(pool.A),
    [abi.OF_POOL.initial_A_time]: words(ramp?.initialATime ?? 0n),
    [abi.OF_POOL.future_A_time]: words(ramp?.futureATime ?? 0n),
    ...(pool.aPrecision === 100n && { [abi.A_PRECISE]: words(current) }),
    ...(pool.isNg
      ? {
          [abi.GET_BALANCES]: list(pool.balances),
          [abi.STORED_RATES]: list(pool.rates),
          [abi.OFFPEG_FEE_MULTIPLIER]: words(pool.offpegFeeMultiplier),
          [abi.ASSET_TYPES]: list([0n, 0n, 0n]),
          [abi.IS_META]: words(0n),
        }
      : {
          [abi.BALANCES]: (data: Hex) => words(pool.balances[Number(wordAt(data, 0))]!),
        }),
    [abi.GET_DY]: (data) => {
      const direction: Direction = { in: Number(wordAt(data, 0)), out: Number(wordAt(data, 1)) }
      return words(getAmountOut(asked, direction, wordAt(data, 2)))
    },
  }
}

function run(answers: Answers): CurveStableSwapPool {
  const answer = answering(answers)
  return runLoad(load(ref), (call) =>
    call.data === abi.DECIMALS ? words(call.to === ref.tokens[1] ? 6n : 18n) : answer(call),
  )
}

function refused(answers: Answers, code: LoadErrorCode) {
  expect(() => run(answers)).toThrow(expect.objectContaining({ code }))
}

describe('the loader of StableSwap pools', () => {
  it('reads an NG pool, and one before it by its coins’ decimals', () => {
    expect(run(answersOf(ng))).toEqual(ng)
    expect(run(answersOf(plain))).toEqual(plain)
  })

  it('finds the rounding of an older pool by its quotes', () => {
    const small = { ...plain, A: 10n, balances: [10n ** 6n, 10n ** 3n, 10n ** 9n] }
    const oldest = { ...small, rounding: 'eachCoinPlusOne' as const }
    expect(run(answersOf(small)).rounding).toBe('eachCoin')
    expect(run(answersOf(oldest)).rounding).toBe('eachCoinPlusOne')
  })

  it('samples a pool with a rate of its own, and one of which nobody tells', () => {
    const sampled = { ...ng, sampledAt: 0n, quotedAt: 0n }
    const answers = answersOf(ng)
    const cases: readonly [Hex, readonly Hex[]][] = [
      [list([0n, 3n, 0n]), [ref.tokens[1]!]],
      [list([1n, 2n, 1n]), [ref.id, ref.tokens[1]!]],
      ['0x', [ref.id]],
    ]
    for (const [types, ratedFrom] of cases) {
      expect(run({ ...answers, [abi.ASSET_TYPES]: types })).toEqual({ ...sampled, ratedFrom })
    }
  })

  it('samples a meta pool and names its base pool, and refuses one without it or before NG', () => {
    const second = words(BigInt(ref.tokens[1]!))
    const answers = { ...answersOf(ng), [abi.IS_META]: words(1n), [abi.COINS]: second }
    const base = toHex(0xba5e, 20)
    expect(run({ ...answers, [abi.BASE_POOL]: words(BigInt(base)) })).toEqual({
      ...{ ...ng, sampledAt: 0n, quotedAt: 0n, ratedBy: base },
    })
    refused({ ...answers, [abi.BASE_POOL]: words(0n) }, 'POOL_FORM_UNKNOWN')
    refused(answers, 'POOL_FORM_UNKNOWN')
    const named = { ...answers, [abi.BASE_POOL]: words(BigInt(base)) }
    refused({ ...named, [abi.COINS]: words(BigInt(base)) }, 'POOL_FORM_UNKNOWN')
    const older = { [abi.IS_META]: words(1n), [abi.BASE_POOL]: words(BigInt(base)) }
    refused({ ...answersOf(plain), ...older }, 'POOL_FORM_UNKNOWN')
  })

  it('reads a ramp of A, under way or over', () => {
    const ramp = { initialA: 100_00n, initialATime: 1_000n, futureATime: 2_000n }
    const moving = { ...ng, ramp, quotedAt: 0n }
    for (const current of [150_00n, 200_00n]) {
      expect(run(answersOf(moving, current))).toEqual(moving)
    }
  })

  it('refuses a pool whose quote differs by a wei, and lists of another length', () => {
    const answers = answersOf(ng)
    const quoted = answers[abi.GET_DY] as (data: Hex) => Hex
    const off = (data: Hex) => words(wordAt(quoted(data), 0) + 1n)
    refused({ ...answers, [abi.GET_DY]: off }, 'POOL_FORM_UNKNOWN')
    refused({ ...answers, [abi.STORED_RATES]: list(ng.rates.slice(1)) }, 'POOL_FORM_UNKNOWN')
    refused({ ...answers, [abi.OF_POOL.fee]: words(4_000_000n, 0n) }, 'POOL_FEE_UNKNOWN')
  })

  it('refuses what no pool of Curve has', () => {
    const range = (change: Partial<CurveStableSwapPool>) =>
      refused(answersOf({ ...ng, ...change }), 'POOL_OUT_OF_RANGE')
    range({ fee: 5_000_000_001n })
    range({ adminFee: 10_000_000_001n })
    range({ A: 0n })
    range({ balances: [1n << 128n, 1n, 1n] })
    range({ rates: [E18, 10n ** 40n, E18] })
  })
})

describe('the log of a swap', () => {
  const direction = { in: 1, out: 2 }
  const sold = 5_000n * 10n ** 6n
  const bought = getAmountOut(ng, direction, sold)
  const log = (...values: readonly bigint[]) => ({
    topics: [abi.TOKEN_EXCHANGE, words(1n)],
    data: words(...values),
  })

  it('gives the state after the same swap', () => {
    expect(applyLog(ng, log(1n, sold, 2n, bought))).toEqual(applySwap(ng, direction, sold))
  })

  it('is that of A at the time of its block, while A moves', () => {
    const ramp = { initialA: 50_00n, initialATime: 1_000n, futureATime: 2_000n }
    const moving = { ...ng, ramp, quotedAt: 1_700n }
    const then = { ...moving, quotedAt: 1_500n }
    const paid = getAmountOut(then, direction, sold)
    expect(paid).not.toBe(getAmountOut(moving, direction, sold))
    const swapped = { ...log(1n, sold, 2n, paid), timestamp: 1_500n }
    const after = { ...applySwap(then, direction, sold), quotedAt: 1_700n }
    expect(applyLog(moving, swapped)).toEqual(after)
    expect(applyLog(moving, log(1n, sold, 2n, paid))).toBe('reload')
  })

  it('reloads the pool if its amounts are not ours, if it is sampled, and for any other log', () => {
    expect(applyLog(ng, log(1n, sold, 2n, bought - 1n))).toBe('reload')
    expect(applyLog(ng, log(1n, sold, 1n, bought))).toBe('reload')
    expect(applyLog(ng, log(1n, sold, 9n, bought))).toBe('reload')
    const sampled = { ...ng, sampledAt: 4n, quotedAt: 5n }
    expect(applyLog(sampled, log(1n, sold, 2n, bought))).toBe('reload')
    expect(applyLog(ng, { topics: [words(7n)], data: '0x' })).toBe('reload')
  })
})
