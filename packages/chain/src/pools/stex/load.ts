// Loads a Valantis Stake Exchange pool and proves its modules: reads fee and rate at probe amounts
// and accepts the pool only if our formulas give the same results.

import type { Address, Hex } from '@braid-swap/core'
import {
  convertToToken0,
  convertToToken1,
  feeBipsOf,
  type StexPool,
} from '@braid-swap/core/families'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { wordCount } from '../feeWords.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import { requireModules } from '../modules.js'
import * as abi from './abi.js'
import { feeCalls, feeOf } from './fee.js'

/** None: lent amounts, staked amounts and rebasing balances change without a log of the pool. */
export const topics: readonly Hex[] = []
/** None. */
export const replacingTopics: readonly Hex[] = []
/** None: it is read again in every block. */
export const ignoredTopics: readonly Hex[] = []

const ONE = 10n ** 18n
const MAX_UINT128 = (1n << 128n) - 1n
const MAX_BIPS = 5_000n
// No known staked token is worth more than ten native tokens or less than a tenth of one.
const MIN_RATE = ONE / 10n
const MAX_RATE = ONE * 10n

/** Divisors of the reserve that give the probe amounts; mostly odd, so that rounding shows. */
const PROBE_PARTS = [1_000_003n, 10_007n, 103n, 11n, 3n, 2n, 1n]

/**
 * Reads the pool, its exchange and both modules, and proves that the modules compute as ours do:
 * the fee at amounts up to the whole reserve, and the rate at the same amounts in both directions.
 * The caller sets `sampledAt` and `quotedAt`, because it knows the block that answered. Throws
 * 'POOL_FORM_UNKNOWN' for a pool of another kind, with a verifier or oracle, or whose tokens are
 * held by another contract.
 */
export function* load(ref: PoolRef): Load<StexPool> {
  const pool = yield* readPool(ref)
  const { exchange, feeModule, reserves } = pool
  const settings = yield [
    { to: exchange, data: abi.PAUSED },
    { to: exchange, data: abi.WITHDRAWAL_MODULE },
    { to: feeModule, data: abi.POOL },
    ...feeCalls(feeModule),
  ]
  const withdrawals = addressOf(wordAt(settings[1]!, 0))
  const ofPool = addressOf(wordAt(settings[2]!, 0))
  if (ofPool !== ref.id) throw formUnknown(ref, `the fee module of pool ${ofPool}`, 'its own')
  yield* requireModules(ref, [feeModule, withdrawals])
  const fee = feeOf(settings.slice(3))
  if (!fee) throw formUnknown(ref, `the fee module ${feeModule}`, 'a fee by ratio or in steps')
  const probes = PROBE_PARTS.map((part) => reserves[1] / part + 1n)
  const calls = [
    ...Object.values(abi.OF_WITHDRAWALS).map((data) => ({ to: withdrawals, data })),
    { to: withdrawals, data: callData(abi.CONVERT_TO_TOKEN1, ONE) },
    ...probes.map((x) => ({ to: withdrawals, data: callData(abi.CONVERT_TO_TOKEN0, x) })),
    ...probes.map((x) => ({ to: withdrawals, data: callData(abi.CONVERT_TO_TOKEN1, x) })),
    askFee(ref, feeModule, { in: 1, amountIn: probes[0]! }),
    ...probes.map((amountIn) => askFee(ref, feeModule, { in: 0, amountIn })),
  ]
  const answers = yield calls
  const [unstaking, leaving, lent, rate] = answers.slice(0, 4).map((data) => wordAt(data, 0))
  const within = (field: string, value: bigint, [min, max]: readonly [bigint, bigint]) =>
    inRange(value, { pool: ref.id, field, min, max })
  const uint128 = [0n, MAX_UINT128] as const
  const state: StexPool = {
    ...{ family: 'stex', id: ref.id, venue: ref.venue, tokens: tokenPairOf(ref) },
    reserves,
    rate: within('rate', rate!, [MIN_RATE, MAX_RATE]),
    amountToken0PendingUnstaking: within('amountToken0PendingUnstaking', unstaking!, uint128),
    amountToken1PendingLPWithdrawal: within('amountToken1PendingLPWithdrawal', leaving!, uint128),
    amountToken1LendingPool: within('amountToken1LendingPool', lent!, uint128),
    fee,
    poolManagerFeeBips: Number(within('poolManagerFeeBips', pool.managerBips, [0n, MAX_BIPS])),
    isPaused: wordAt(settings[0]!, 0) !== 0n,
    ...{ sampledAt: 0n, quotedAt: 0n },
  }
  prove(ref, state, { probes, answers: answers.slice(4) })
  return state
}

/** No log of the pool determines its state. */
export function applyLog(): 'reload' {
  return 'reload'
}

type Parts = {
  readonly exchange: Address
  readonly feeModule: Address
  readonly reserves: readonly [bigint, bigint]
  readonly managerBips: bigint
}

function* readPool(ref: PoolRef): Load<Parts> {
  const names = Object.keys(abi.OF_POOL) as (keyof typeof abi.OF_POOL)[]
  const answers = yield names.map((name) => ({ to: ref.id, data: abi.OF_POOL[name] }))
  const wordOf = (name: keyof typeof abi.OF_POOL, index = 0) =>
    wordAt(answers[names.indexOf(name)]!, index)
  const vault = addressOf(wordOf('sovereignVault'))
  if (vault !== ref.id) throw formUnknown(ref, `its tokens at ${vault}`, 'at the pool itself')
  for (const name of ['verifierModule', 'sovereignOracleModule'] as const) {
    const module = addressOf(wordOf(name))
    if (BigInt(module) !== 0n) throw formUnknown(ref, `the ${name} ${module}`, 'none')
  }
  const [max, min] = [MAX_UINT128, 0n]
  const reserve = (i: 0 | 1) =>
    inRange(wordOf('getReserves', i), { pool: ref.id, field: `reserve${i}`, min, max })
  return {
    exchange: addressOf(wordOf('alm')),
    feeModule: addressOf(wordOf('swapFeeModule')),
    reserves: [reserve(0), reserve(1)],
    managerBips: wordOf('poolManagerFeeBips'),
  }
}

/** The call for a module's fee; a refusal is an answer too. */
function askFee(
  ref: PoolRef,
  to: Address,
  { in: i, amountIn }: { readonly in: 0 | 1; readonly amountIn: bigint },
): Call {
  const tokens = tokenPairOf(ref)
  const [tokenIn, tokenOut] = i === 0 ? tokens : [tokens[1], tokens[0]]
  const context = [5n * 32n, 0n]
  const args = [BigInt(tokenIn), BigInt(tokenOut), amountIn, 0n, ...context]
  return { to, data: callData(abi.SWAP_FEE, ...args), mayFail: true }
}

function prove(
  ref: PoolRef,
  state: StexPool,
  { probes, answers }: { readonly probes: readonly bigint[]; readonly answers: readonly Hex[] },
): void {
  const count = probes.length
  const ours = [
    ...probes.map((x) => convertToToken0(state, x)),
    ...probes.map((x) => convertToToken1(state, x)),
    0n,
    ...probes.map((x) => feeBipsOf(state, x)),
  ]
  const theirs = answers.map((data, i) => (i < 2 * count ? wordAt(data, 0) : feeIn(data)))
  const at = ours.findIndex((value, i) => value !== theirs[i])
  if (at !== -1) throw formUnknown(ref, `answer ${at}: ${theirs[at]}`, `${ours[at]}`)
}

/** Equals no fee of ours: marks an answer that no known module gives. */
const OTHER_SHAPE = -1n

/** The fee in bips, undefined if the module refuses, or {@link OTHER_SHAPE}. */
function feeIn(data: Hex): bigint | undefined {
  if (data === '0x') return undefined
  // A struct behind an offset, its bytes empty.
  if (wordCount(data) !== 4) return OTHER_SHAPE
  const [start, bips, context, length] = [0, 1, 2, 3].map((i) => wordAt(data, i))
  return start === 32n && context === 64n && length === 0n ? bips : OTHER_SHAPE
}

function formUnknown({ id }: PoolRef, got: string, wanted: string): LoadError {
  return new LoadError('POOL_FORM_UNKNOWN', `pool ${id} has ${got}; expected ${wanted}`, {
    pool: id,
    got,
    wanted,
  })
}
