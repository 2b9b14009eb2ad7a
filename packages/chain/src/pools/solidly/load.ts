// Loads and follows a Solidly pair, volatile or stable, and its variants Ramses and Velodrome v2.

import { maxReserveOf, type SolidlyPool } from '@braid-swap/core/families'
import { callData, wordAt } from '../../reads/abiWords.js'
import type { LogBody } from '../../reads/log.js'
import { feeWords } from '../feeWords.js'
import { balanceCalls, requireBacked, reservesGlance } from '../glance.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import { GET_FEE, IGNORED_TOPICS, IS_PAUSED, METADATA, PAIR_FEE, SYNC_TOPICS } from './abi.js'

/** Both shapes of `Sync`. */
export const topics = SYNC_TOPICS
/** `Sync` replaces both reserves; no other log of the pair changes its state. */
export const replacingTopics = SYNC_TOPICS
/** Logs that accompany a `Sync` or only move fees or liquidity tokens. */
export const ignoredTopics = IGNORED_TOPICS

/** Reads `metadata()` and the fee, from the pair or the factory, depending on the variant. */
export function* load(ref: PoolRef): Load<SolidlyPool> {
  const variant = ref.variant ?? 'solidly'
  const factory = ref.factory!
  const [metadata, paused, ...balances] = yield [
    { to: ref.id, data: METADATA },
    { to: factory, data: IS_PAUSED, mayFail: true },
    ...balanceCalls(ref),
  ]
  if (paused !== '0x' && wordAt(paused!, 0) === 1n) {
    throw new LoadError('POOL_PAUSED', `pool ${ref.id} is paused by its factory`, { pool: ref.id })
  }
  const check = (field: string, index: number, max: bigint) =>
    inRange(wordAt(metadata!, index), { pool: ref.id, field, min: 0n, max })
  const stable = check('stable', 4, 1n) === 1n
  const fitting = maxReserveOf({ variant })
  const most = fitting < MAX_KEPT ? fitting : MAX_KEPT
  const pool: SolidlyPool = {
    family: 'solidly',
    id: ref.id,
    venue: ref.venue,
    tokens: tokenPairOf(ref),
    variant,
    stable,
    reserves: [check('reserves[0]', 2, most), check('reserves[1]', 3, most)],
    units: [unit(ref, metadata!, 0), unit(ref, metadata!, 1)],
    feePpm: yield* loadFee(ref, stable),
    watched: [factory],
  }
  return requireBacked(pool, balances)
}

/** Applies a `Sync`, which contains both reserves. If no pair can keep them, the load refuses the pool. */
export function applyLog(pool: SolidlyPool, { topics, data }: LogBody): SolidlyPool | 'reload' {
  if (!SYNC_TOPICS.includes(topics[0]!)) return 'reload'
  const reserves = [wordAt(data, 0), wordAt(data, 1)] as const
  return reserves.some((reserve) => reserve > MAX_KEPT) ? 'reload' : { ...pool, reserves }
}

/**
 * A pair sums its reserves over seconds in a uint256, and reverts for ever once the sum overflows. No
 * call reports the sum; with reserves up to this limit it lasts for 2⁶⁴ seconds.
 */
const MAX_KEPT = (1n << 192n) - 1n

const WAD = 10n ** 18n

// A stable pair of a token with more than 18 decimals may refuse its own quote and even one wei
// less, so such pairs are not served.
function unit(ref: PoolRef, metadata: `0x${string}`, index: 0 | 1): bigint {
  const bounds = { pool: ref.id, field: `units[${index}]`, min: 1n, max: WAD }
  return inRange(wordAt(metadata, index), bounds)
}

function* loadFee(ref: PoolRef, stable: boolean): Load<number> {
  if (ref.feePpm !== undefined) return ref.feePpm
  const isOwn = ref.variant === 'ramses'
  const call = isOwn
    ? { to: ref.id, data: PAIR_FEE }
    : { to: ref.factory!, data: callData(GET_FEE, BigInt(ref.id), stable ? 1 : 0) }
  const [answer] = yield [call]
  const field = isOwn ? 'fee()' : 'getFee(address,bool)'
  const [fee] = feeWords(answer!, { pool: ref.id, field, count: 1 })
  const feePpm = fee! * (isOwn ? 1n : 100n)
  return Number(inRange(feePpm, { pool: ref.id, field: 'feePpm', min: 0n, max: 999_999n }))
}

/** The pair's reserves. */
export const glance = reservesGlance
