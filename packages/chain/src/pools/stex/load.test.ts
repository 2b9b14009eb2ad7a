import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import {
  convertToToken0,
  convertToToken1,
  feeBipsOf,
  type StexPool,
} from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import { answering, runLoad, words } from '../../testing/loaderAnswers.js'
import type { LoadErrorCode } from '../loadError.js'
import { type PoolRef, tokenPairOf } from '../loader.js'
import * as abi from './abi.js'
import { load } from './load.js'

const [POOL, EXCHANGE, FEE, WITHDRAWALS] = [0xabc, 0xe, 0xf, 0xd].map((n) => toHex(n, 20))
const CODE = toHex(0xc0de, 32)
const ref: PoolRef = {
  ...{ id: POOL!, family: 'stex', venue: 'test', modules: [CODE] },
  tokens: [toHex(0xa, 20), toHex(0xb, 20)],
}
const E18 = 10n ** 18n
const ratio: StexPool['fee'] = {
  kind: 'ratio',
  ...{ minThresholdRatioBips: 5_000, maxThresholdRatioBips: 20_000, feeMinBips: 1, feeMaxBips: 30 },
}
const steps: StexPool['fee'] = {
  kind: 'steps',
  minThresholdToken1: 10_000n * E18,
  maxThresholdToken1: 200_000n * E18,
  stepsBips: [3, 20, 50, 200, 500],
}
const poolOf = (fee: StexPool['fee']): StexPool => ({
  ...{ family: 'stex', id: ref.id, venue: ref.venue, tokens: tokenPairOf(ref) },
  reserves: [50_000n * E18, 150_001n * E18],
  rate: 1_037_000_000_000_000_001n,
  amountToken0PendingUnstaking: 1_000n * E18,
  amountToken1PendingLPWithdrawal: 2_000n * E18,
  amountToken1LendingPool: 70_000n * E18,
  fee,
  poolManagerFeeBips: 2_000,
  isPaused: false,
  ...{ sampledAt: 0n, quotedAt: 0n },
})

/** Answers of a pool's contracts, by selector. */
function answersOf(pool: StexPool): Record<Hex, Hex | ((data: Hex) => Hex)> {
  const { fee } = pool
  const ofWord = (f: (x: bigint) => bigint) => (data: Hex) => words(f(wordAt(data, 0)))
  const ofFee: Record<Hex, Hex> =
    fee.kind === 'ratio'
      ? {
          [abi.FEE_PARAMS]: words(
            ...[fee.minThresholdRatioBips, fee.maxThresholdRatioBips],
            ...[fee.feeMinBips, fee.feeMaxBips],
          ),
        }
      : {
          [abi.MIN_THRESHOLD]: words(fee.minThresholdToken1),
          [abi.MAX_THRESHOLD]: words(fee.maxThresholdToken1),
          [abi.FEE_STEPS]: words(32, fee.stepsBips.length, ...fee.stepsBips),
        }
  return {
    // The code of both modules.
    '0x': CODE,
    [abi.OF_POOL.alm]: words(BigInt(EXCHANGE!)),
    [abi.OF_POOL.swapFeeModule]: words(BigInt(FEE!)),
    [abi.OF_POOL.sovereignVault]: words(BigInt(POOL!)),
    [abi.OF_POOL.verifierModule]: words(0n),
    [abi.OF_POOL.sovereignOracleModule]: words(0n),
    [abi.OF_POOL.poolManagerFeeBips]: words(pool.poolManagerFeeBips),
    [abi.OF_POOL.getReserves]: words(...pool.reserves),
    [abi.PAUSED]: words(pool.isPaused ? 1n : 0n),
    [abi.WITHDRAWAL_MODULE]: words(BigInt(WITHDRAWALS!)),
    [abi.POOL]: words(BigInt(POOL!)),
    ...ofFee,
    [abi.OF_WITHDRAWALS.amountToken0PendingUnstaking]: words(pool.amountToken0PendingUnstaking),
    [abi.OF_WITHDRAWALS.amountToken1PendingLPWithdrawal]: words(
      pool.amountToken1PendingLPWithdrawal,
    ),
    [abi.OF_WITHDRAWALS.amountToken1LendingPool]: words(pool.amountToken1LendingPool),
    [abi.CONVERT_TO_TOKEN0]: ofWord((x) => convertToToken0(pool, x)),
    [abi.CONVERT_TO_TOKEN1]: ofWord((x) => convertToToken1(pool, x)),
    [abi.SWAP_FEE]: (data) => {
      const isZeroToOne = wordAt(data, 0) === BigInt(pool.tokens[0])
      const bips = isZeroToOne ? feeBipsOf(pool, wordAt(data, 2)) : 0n
      return bips === undefined ? '0x' : words(32, bips, 64, 0)
    },
  }
}

function run(answers: Record<Hex, Hex | ((data: Hex) => Hex)>): StexPool {
  return runLoad(load(ref), answering(answers))
}

function refused(answers: Parameters<typeof run>[0], code: LoadErrorCode) {
  expect(() => run(answers)).toThrow(expect.objectContaining({ code }))
}

describe('the loader of stex pools', () => {
  it('refuses modules of unknown code, although they compute as ours do', () => {
    refused({ ...answersOf(poolOf(ratio)), '0x': toHex(0xbad, 32) }, 'POOL_MODULE_UNKNOWN')
  })

  it('reads the contracts, with either kind of fee', () => {
    for (const fee of [ratio, steps]) expect(run(answersOf(poolOf(fee)))).toEqual(poolOf(fee))
    const paused = { ...poolOf(steps), isPaused: true }
    expect(run(answersOf(paused))).toEqual(paused)
  })

  it('reads a pool that owes more than it has, whose module refuses small amounts', () => {
    const owing = { ...poolOf(ratio), amountToken1PendingLPWithdrawal: 60_000n * E18 }
    expect(run(answersOf(owing))).toEqual(owing)
  })

  it('refuses a verifier, an oracle, a separate vault, and the fee module of another pool', () => {
    const answers = answersOf(poolOf(steps))
    const { verifierModule, sovereignOracleModule, sovereignVault } = abi.OF_POOL
    for (const selector of [verifierModule, sovereignOracleModule, sovereignVault, abi.POOL]) {
      refused({ ...answers, [selector]: words(BigInt(EXCHANGE!)) }, 'POOL_FORM_UNKNOWN')
    }
  })

  it('refuses an unknown kind of fee, and settings that no module accepts', () => {
    const answers = answersOf(poolOf(steps))
    refused({ ...answers, [abi.FEE_STEPS]: '0x' }, 'POOL_FORM_UNKNOWN')
    for (const list of [[], [20, 3], [5_000]]) {
      const given = words(32, list.length, ...list)
      refused({ ...answers, [abi.FEE_STEPS]: given }, 'POOL_FORM_UNKNOWN')
    }
    refused({ ...answers, [abi.MIN_THRESHOLD]: words(0) }, 'POOL_FORM_UNKNOWN')
    const params = [
      [5_000, 5_000, 1, 30],
      [1, 2, 30, 1],
      [1, 2, 1, 5_000],
    ]
    for (const given of params) {
      const changed = { ...answersOf(poolOf(ratio)), [abi.FEE_PARAMS]: words(...given) }
      refused(changed, 'POOL_FORM_UNKNOWN')
    }
  })

  it('refuses modules whose answers differ by one wei or one bip', () => {
    const pool = poolOf(steps)
    const answers = answersOf(pool)
    const changed: Parameters<typeof run>[0] = {
      [abi.CONVERT_TO_TOKEN0]: (data) => words(convertToToken0(pool, wordAt(data, 0)) + 1n),
      [abi.CONVERT_TO_TOKEN1]: (data) => {
        const amount = wordAt(data, 0)
        return words(convertToToken1(pool, amount) + (amount === E18 ? 0n : 1n))
      },
      [abi.SWAP_FEE]: (data) => {
        const isFree = wordAt(data, 0) === BigInt(pool.tokens[1])
        return words(32, isFree ? 0n : feeBipsOf(pool, wordAt(data, 2))! + 1n, 64, 0)
      },
    }
    for (const [selector, answer] of Object.entries(changed)) {
      refused({ ...answers, [selector]: answer }, 'POOL_FORM_UNKNOWN')
    }
    // A fee on token 1, and a context for a callback to the module after the swap.
    refused({ ...answers, [abi.SWAP_FEE]: words(32, 1, 64, 0) }, 'POOL_FORM_UNKNOWN')
    const given = words(32, 0, 64, 32, 1)
    refused({ ...answers, [abi.SWAP_FEE]: () => given }, 'POOL_FORM_UNKNOWN')
  })

  it('refuses a rate and amounts outside the supported range', () => {
    const range = (change: Partial<StexPool>) =>
      refused(answersOf({ ...poolOf(steps), ...change }), 'POOL_OUT_OF_RANGE')
    range({ rate: E18 / 11n })
    range({ rate: 11n * E18 })
    range({ reserves: [1n << 128n, 1n] })
    range({ amountToken1LendingPool: 1n << 128n })
    range({ poolManagerFeeBips: 5_001 })
  })
})
