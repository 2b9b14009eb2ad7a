// Loads a Curve StableSwap pool, NG or older, and proves its formula: asks the pool for quotes at
// probe amounts and accepts it only if ours are the same.

import type { Address, Hex } from '@braid-swap/core'
import {
  type AmplificationRamp,
  applySwap,
  type CurveStableSwapPool,
  getAmountOut,
} from '@braid-swap/core/families'
import { addressOf, callData, listOf, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import type { LogBody } from '../../reads/log.js'
import { feeWords } from '../feeWords.js'
import { balancesGlance } from '../glance.js'
import { inRange, LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import * as abi from './abi.js'
import { provePool } from './prove.js'

/** `TokenExchange`. */
export const topics: readonly Hex[] = [abi.TOKEN_EXCHANGE]
/** None: a swap's log has amounts, not balances. */
export const replacingTopics: readonly Hex[] = []
/** Transfers and approvals of the LP token. */
export const ignoredTopics: readonly Hex[] = abi.IGNORED_TOPICS

const E10 = 10n ** 10n
const MAX_A = 10n ** 6n
const MAX_UINT128 = (1n << 128n) - 1n
// Rates from 10¹⁸ times a thousandth, for 18 decimals, to 10³⁶ times a thousand, for none.
const MIN_RATE = 10n ** 15n
const MAX_RATE = 10n ** 39n

/**
 * Reads balances, rates, fees and A, and proves that the pool quotes as we do. A coin with a rate or a
 * balance that changes without a log makes the pool a sampled one; the caller sets `sampledAt` and
 * `quotedAt`, because it knows the block that answered.
 */
export function* load(ref: PoolRef): Load<CurveStableSwapPool> {
  const { id, tokens } = ref
  const own = Object.entries(abi.OF_POOL)
  const answers = yield [
    ...own.map(([, data]) => ({ to: id, data })),
    ...[abi.A_PRECISE, abi.GET_BALANCES, abi.STORED_RATES, abi.OFFPEG_FEE_MULTIPLIER].map(
      (data) => ({ to: id, data, mayFail: true }),
    ),
    ...factoryCalls(ref),
  ]
  const word = (name: keyof typeof abi.OF_POOL) =>
    wordAt(answers[own.findIndex(([key]) => key === name)]!, 0)
  const [precise, balances, rates, offpeg, types, meta, base, second] = answers.slice(own.length)
  const isNg = [balances, rates, offpeg].every((answer) => answer !== '0x')
  const aPrecision = precise === '0x' ? 1n : 100n
  const [current] = precise === '0x' ? [word('A')] : [wordAt(precise!, 0)]
  const within = (field: string, value: bigint, max: bigint, min = 0n) =>
    inRange(value, { pool: id, field, min, max })
  const [fee] = feeWords(answers[own.findIndex(([key]) => key === 'fee')]!, {
    ...{ pool: id, field: 'fee()', count: 1 },
  })
  const coins = isNg
    ? { balances: listOf(balances!), rates: listOf(rates!) }
    : yield* readCoins(ref)
  if (coins.balances.length !== tokens.length || coins.rates.length !== tokens.length) {
    const got = `${coins.balances.length} balances and ${coins.rates.length} rates`
    throw new LoadError('POOL_FORM_UNKNOWN', `pool ${id} of ${tokens.length} coins has ${got}`, {
      ...{ pool: id, got, wanted: `${tokens.length} of each` },
    })
  }
  const ratedBy = basePoolOf(ref, meta!, isNg ? [base!, second!] : ['0x', '0x'])
  const ratedFrom = isNg ? rateSources(ref, types!) : []
  const pool: CurveStableSwapPool = {
    ...{ family: 'curveStableSwap', id, venue: ref.venue, tokens, isNg },
    balances: coins.balances.map((value, k) => within(`balances(${k})`, value, MAX_UINT128)),
    rates: coins.rates.map((value, k) => within(`rates(${k})`, value, MAX_RATE, MIN_RATE)),
    A: within('future_A', word('future_A'), MAX_A * aPrecision, 1n),
    ...{ aPrecision, rounding: isNg ? 'once' : 'eachCoin' },
    fee: within('fee', fee!, E10 / 2n),
    offpegFeeMultiplier: isNg ? within('offpeg_fee_multiplier', wordAt(offpeg!, 0), E10 ** 2n) : 0n,
    adminFee: within('admin_fee', word('admin_fee'), E10),
    ...rampOf(ref, word),
    ...((ratedFrom.length > 0 || ratedBy) && { sampledAt: 0n, quotedAt: 0n }),
    ...(ratedFrom.length > 0 && { ratedFrom }),
    ...(ratedBy !== undefined && { ratedBy }),
  }
  return yield* provePool(pool, current!)
}

/** The factory knows which coins have a rate or a balance that changes without a log; then the second coin. */
function factoryCalls({ id, factory }: PoolRef): readonly Call[] {
  const ofFactory = [abi.ASSET_TYPES, abi.IS_META, abi.BASE_POOL].map(
    (selector) => ({ to: factory!, data: callData(selector, BigInt(id)), mayFail: true }) as const,
  )
  return [...ofFactory, { to: id, data: callData(abi.COINS, 1), mayFail: true }]
}

/** The `asset_types` of a coin with an oracle, which the creator of the pool chose. */
const WITH_ORACLE = 1n

/**
 * What sets the rates and balances that move without a log: a vault or a rebasing token, which is the coin itself, or an
 * oracle. No getter names the oracle, so the pool stands for it, as it does for what the factory does not tell.
 */
function rateSources({ id, tokens }: PoolRef, types: Hex): readonly Address[] {
  if (types === '0x') return [id]
  const sources = listOf(types).flatMap((type, k) => {
    if (type === 0n) return []
    return [type === WITH_ORACLE ? id : (tokens[k] ?? id)]
  })
  return [...new Set(sources)]
}

/**
 * The pool whose LP token a meta pool trades: its swaps raise that token's rate. A meta pool before NG,
 * which has no `stored_rates()`, is refused. So is one whose second coin is not that of the log by which it was found.
 */
function basePoolOf(
  { id, tokens }: PoolRef,
  meta: Hex,
  [base, second]: readonly [Hex, Hex],
): Address | undefined {
  if (meta === '0x' || wordAt(meta, 0) === 0n) return undefined
  const [got, coin] = [base, second].map((answer) => (answer === '0x' ? 0n : wordAt(answer, 0)))
  if (got !== 0n && coin === BigInt(tokens[1]!)) return addressOf(got!)
  throw new LoadError('POOL_FORM_UNKNOWN', `meta pool ${id} has no known rate or another coin`, {
    ...{ pool: id, got: 'no base pool, rate or coin', wanted: 'all three, of a meta pool' },
  })
}

/** Balances and rates of a pool before NG, whose rates follow from the decimals of its coins. */
function* readCoins({
  id,
  tokens,
}: PoolRef): Load<Pick<CurveStableSwapPool, 'balances' | 'rates'>> {
  const answers = yield [
    ...tokens.map((_, k) => ({ to: id, data: callData(abi.BALANCES, k) })),
    ...tokens.map((token) => ({ to: token, data: abi.DECIMALS })),
  ]
  const [balances, decimals] = [answers.slice(0, tokens.length), answers.slice(tokens.length)]
  const rateOf = (answer: Hex) =>
    10n ** (36n - inRange(wordAt(answer, 0), { pool: id, field: 'decimals', min: 0n, max: 36n }))
  return { balances: balances.map((data) => wordAt(data, 0)), rates: decimals.map(rateOf) }
}

/** The last change of A, also if it is over: no log says when it ends. */
function rampOf(
  { id }: PoolRef,
  word: (name: keyof typeof abi.OF_POOL) => bigint,
): { readonly ramp?: AmplificationRamp; readonly quotedAt?: bigint } {
  const [initialA, initialATime] = [word('initial_A'), word('initial_A_time')]
  if (initialA === word('future_A') || word('future_A_time') === 0n) return {}
  const bounds = { pool: id, field: 'future_A_time', min: initialATime + 1n, max: MAX_UINT128 }
  const futureATime = inRange(word('future_A_time'), bounds)
  return { ramp: { initialA, initialATime, futureATime }, quotedAt: 0n }
}

/**
 * The pool after a swap: the log's amounts must be those that our own formula gives at the time of its
 * block, because it does not tell the admin's fee. Anything else reloads the pool.
 */
export function applyLog(
  pool: CurveStableSwapPool,
  { topics, data, timestamp }: LogBody,
): CurveStableSwapPool | 'reload' {
  if (topics[0] !== abi.TOKEN_EXCHANGE || pool.sampledAt !== undefined) return 'reload'
  if (pool.quotedAt === undefined) return swapOf(pool, data)
  if (timestamp === undefined) return 'reload'
  const after = swapOf({ ...pool, quotedAt: timestamp }, data)
  return after === 'reload' ? after : { ...after, quotedAt: pool.quotedAt }
}

function swapOf(pool: CurveStableSwapPool, data: Hex): CurveStableSwapPool | 'reload' {
  const [soldId, sold, boughtId, bought] = [0, 1, 2, 3].map((k) => wordAt(data, k))
  const direction = { in: Number(soldId), out: Number(boughtId) }
  const count = pool.tokens.length
  if (soldId === boughtId || direction.in >= count || direction.out >= count) return 'reload'
  return getAmountOut(pool, direction, sold!) === bought
    ? applySwap(pool, direction, sold!)
    : 'reload'
}

/** The pool's balances. */
export const glance = balancesGlance
