// Loads and follows a Camelot pair: a V2 pair with a fee per direction and an optional stable
// curve.

import type { Hex } from '@braid-swap/core'
import type { CamelotPool } from '@braid-swap/core/families'
import { decodeEventLog } from 'viem'
import { wordAt } from '../../reads/abiWords.js'
import type { LogBody } from '../../reads/log.js'
import { feeWords } from '../feeWords.js'
import { reservesGlance } from '../glance.js'
import { inRange } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import {
  EVENTS,
  FEE_DENOMINATOR,
  FEE_INFO,
  GET_RESERVES,
  IGNORED_TOPICS,
  PRECISION_MULTIPLIERS,
  STABLE_SWAP,
  TOPICS,
} from './abi.js'

/** `Sync`, `FeePercentUpdated`, `SetStableSwap`. */
export const topics = TOPICS
/** All of them: each log contains every value that it changes. */
export const replacingTopics = TOPICS
/** Logs that accompany a `Sync` or do not change what a swap pays. */
export const ignoredTopics = IGNORED_TOPICS

/** Reads reserves and fees, the curve and its scales, and the factory's share of the fee. */
export function* load(ref: PoolRef): Load<CamelotPool> {
  const factory = ref.factory!
  const [state, denominator, stable, unit0, unit1, feeInfo] = yield [
    ...[GET_RESERVES, FEE_DENOMINATOR, STABLE_SWAP, ...PRECISION_MULTIPLIERS].map((data) => ({
      to: ref.id,
      data,
    })),
    { to: factory, data: FEE_INFO },
  ]
  const check = (field: string, value: bigint, min: bigint, max: bigint) =>
    inRange(value, { pool: ref.id, field, min, max })
  const exactly = (field: string, answer: Hex, count: number) =>
    feeWords(answer, { pool: ref.id, field, count })
  const [feeOne] = exactly('FEE_DENOMINATOR()', denominator!, 1)
  check('FEE_DENOMINATOR', feeOne!, FEE_ONE, FEE_ONE)
  // Both fees stand beside the reserves.
  exactly('getReserves()', state!, 4)
  const [ownerShare, owner] = exactly('feeInfo()', feeInfo!, 2)
  const reserve = (i: 0 | 1) => check(`reserves[${i}]`, wordAt(state!, i), 0n, MAX_UINT112)
  const percent = (i: 0 | 1) =>
    Number(check(`feePercents[${i}]`, wordAt(state!, 2 + i), 0n, FEE_ONE - 1n))
  const scale = (i: 0 | 1, answer: Hex) =>
    check(`precisionMultipliers[${i}]`, wordAt(answer, 0), 1n, WAD)
  const isShared = owner !== 0n
  const share = check('ownerFeeShare', ownerShare!, 0n, FEE_ONE)
  return {
    family: 'camelot',
    id: ref.id,
    venue: ref.venue,
    tokens: tokenPairOf(ref),
    stableSwap: check('stableSwap', wordAt(stable!, 0), 0n, 1n) === 1n,
    reserves: [reserve(0), reserve(1)],
    precisionMultipliers: [scale(0, unit0!), scale(1, unit1!)],
    feePercents: [percent(0), percent(1)],
    ownerFeeShare: isShared ? Number(share) : 0,
    watched: [factory],
  }
}

/** The pair after a change of its reserves, its fees or its curve. */
export function applyLog(pool: CamelotPool, log: LogBody): CamelotPool | 'reload' {
  if (!TOPICS.includes(log.topics[0]!)) return 'reload'
  const { eventName, args } = decodeEventLog({
    abi: EVENTS,
    topics: [...log.topics] as never,
    data: log.data,
  })
  switch (eventName) {
    case 'Sync':
      return { ...pool, reserves: [args.reserve0, args.reserve1] }
    case 'FeePercentUpdated':
      return { ...pool, feePercents: [args.token0FeePercent, args.token1FeePercent] }
    case 'SetStableSwap':
      return { ...pool, stableSwap: args.next }
  }
}

const FEE_ONE = 100_000n
const WAD = 10n ** 18n
const MAX_UINT112 = (1n << 112n) - 1n

/** The pair's reserves. */
export const glance = reservesGlance
