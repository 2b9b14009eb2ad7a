import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { instantUnstake } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { runLoad, words } from '../../testing/loaderAnswers.js'
import type { LoadErrorCode } from '../loadError.js'
import { type PoolRef, tokenPairOf } from '../loader.js'
import * as abi from './abi.js'
import { load } from './load.js'

type InstantUnstakePool = instantUnstake.InstantUnstakePool

const [MANAGER, POOL] = [0xabc, 0xd].map((n) => toHex(n, 20))
const ref: PoolRef = {
  ...{ id: MANAGER!, family: 'instantUnstake', venue: 'test' },
  tokens: [toHex(0xa, 20), toHex(0xb, 20)],
}
const E18 = 10n ** 18n
const pool: InstantUnstakePool = {
  ...{ family: 'instantUnstake', id: ref.id, venue: ref.venue, tokens: tokenPairOf(ref) },
  ...{ rate: 1_021_081_627_974_204_384n, feeRateBps: 10, buffer: 41_837n * E18 + 3n },
  ...{ minAmountIn: E18 / 10n, sampledAt: 0n, quotedAt: 0n },
}

type Answers = Readonly<Record<Hex, Hex | ((amountIn: bigint) => readonly bigint[])>>

const previewed = (state: InstantUnstakePool, amountIn: bigint): readonly bigint[] => {
  const { feeRateBps, buffer } = state
  const amountOut = instantUnstake.previewInstantUnstake(state, amountIn)
  const fee = (amountIn * BigInt(feeRateBps)) / 10_000n
  return [amountOut, fee, BigInt(feeRateBps), amountOut <= buffer ? 1n : 0n]
}

/** Answers of a manager and its pool, by contract and selector. */
const answersOf = (state: InstantUnstakePool): Answers => ({
  [`${MANAGER}${abi.INSTANT_UNSTAKE_POOL}`]: words(BigInt(POOL!)),
  [`${MANAGER}${abi.MIN_WITHDRAWAL_AMOUNT}`]: words(state.minAmountIn),
  [`${POOL}${abi.FEE_RATE}`]: words(state.feeRateBps),
  [`${POOL}${abi.EFFECTIVE_BUFFER}`]: words(state.buffer),
  [`${POOL}${abi.PREVIEW}`]: (amountIn: bigint) => previewed(state, amountIn),
})

function run(answers: Answers): InstantUnstakePool {
  const answer = ({ to, data, mayFail }: Call): Hex => {
    const given = answers[`${to}${data.slice(0, 10)}` as Hex]
    if (given === undefined && !mayFail) throw new Error(`${to} has no ${data}`)
    const argument = () => wordAt(`0x${data.slice(10)}`, 0)
    return typeof given === 'function' ? words(...given(argument())) : (given ?? '0x')
  }
  return runLoad(load(ref), answer)
}

function refused(changed: Answers, code: LoadErrorCode) {
  const answers = { ...answersOf(pool), ...changed }
  expect(() => run(answers)).toThrow(expect.objectContaining({ code }))
}

const PREVIEW: Hex = `${POOL!}${abi.PREVIEW}` as Hex

describe('the loader of instant unstaking', () => {
  it('reads the manager and its pool, of any fee, empty too', () => {
    const others = [{ feeRateBps: 0 }, { feeRateBps: 4_999 }, { buffer: 0n }, { rate: E18 / 10n }]
    for (const other of [{}, ...others]) {
      const state = { ...pool, ...other }
      expect(run(answersOf(state))).toEqual(state)
    }
  })

  it('refuses a pool whose previews differ from ours by a wei, at any of the amounts', () => {
    const asked: bigint[] = []
    const record = (amountIn: bigint) => {
      asked.push(amountIn)
      return previewed(pool, amountIn)
    }
    run({ ...answersOf(pool), [PREVIEW]: record })
    expect(new Set(asked).size).toBe(11)
    for (const odd of asked) {
      for (const word of [0, 1, 2]) {
        const differing = (amountIn: bigint) =>
          previewed(pool, amountIn).map((value, i) =>
            amountIn === odd && i === word ? value + 1n : value,
          )
        refused({ [PREVIEW]: differing }, 'POOL_FORM_UNKNOWN')
      }
    }
  })

  it('refuses a pool that pays more or less than its buffer', () => {
    for (const more of [1n, -1n]) {
      const other = { ...pool, buffer: pool.buffer + more }
      refused({ [PREVIEW]: (x) => previewed(other, x) }, 'POOL_FORM_UNKNOWN')
    }
  })

  it('refuses a fee that is rounded up, and a fee on the output', () => {
    const roundedUp = (x: bigint) => {
      const fee = (x * 10n + 9_999n) / 10_000n
      const amountOut = ((x - fee) * pool.rate) / E18
      return [amountOut, fee, 10n, amountOut <= pool.buffer ? 1n : 0n]
    }
    const onOutput = (x: bigint) => {
      const gross = (x * pool.rate) / E18
      const amountOut = gross - (gross * 10n) / 10_000n
      return [amountOut, (x * 10n) / 10_000n, 10n, amountOut <= pool.buffer ? 1n : 0n]
    }
    for (const other of [roundedUp, onOutput]) refused({ [PREVIEW]: other }, 'POOL_FORM_UNKNOWN')
  })

  it('refuses answers of another length, as those of another version', () => {
    const longer = (x: bigint) => [...previewed(pool, x), 0n]
    refused({ [PREVIEW]: longer }, 'POOL_FEE_UNKNOWN')
    refused({ [`${POOL}${abi.FEE_RATE}`]: words(10, 0) }, 'POOL_FEE_UNKNOWN')
  })

  it('refuses a manager without a pool, or that is paused', () => {
    refused({ [`${MANAGER}${abi.INSTANT_UNSTAKE_POOL}`]: words(0) }, 'POOL_PAUSED')
    refused({ [`${MANAGER}${abi.WITHDRAWAL_PAUSED}`]: words(1) }, 'POOL_PAUSED')
    const open = { [`${MANAGER}${abi.WITHDRAWAL_PAUSED}`]: words(0) }
    expect(run({ ...answersOf(pool), ...open })).toEqual(pool)
  })

  it('refuses a rate, a fee and amounts outside the supported range', () => {
    const range = (change: Partial<InstantUnstakePool>) =>
      refused(answersOf({ ...pool, ...change }), 'POOL_OUT_OF_RANGE')
    range({ rate: E18 / 11n })
    range({ rate: 11n * E18 })
    range({ feeRateBps: 5_000 })
    range({ buffer: 1n << 128n })
    range({ minAmountIn: 1n << 128n })
  })
})
