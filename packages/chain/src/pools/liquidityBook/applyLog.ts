// Follows a Liquidity Book pair by its logs.

import {
  type Bin,
  type LiquidityBookPool,
  referencesOf,
  volatilityAt,
} from '@braid-swap/core/families'
import { decodeEventLog, type Hex } from 'viem'
import type { LogBody } from '../../reads/log.js'
import { IGNORED_TOPICS, PAIR_EVENTS, PAIR_TOPICS } from './abi.js'

/** `Swap`, `DepositedToBins`, `WithdrawnFromBins`. */
export const topics = PAIR_TOPICS
/** None: every log adds to a bin. */
export const replacingTopics = []
/** LB tokens, the oracle, collected fees. */
export const ignoredTopics = IGNORED_TOPICS

/**
 * The pair after the part of a swap in one bin, or after a change of liquidity. `'reload'` if the
 * log does not determine the state: another volatility than ours, or a block of unknown time.
 */
export function applyLog(pool: LiquidityBookPool, log: LogBody): LiquidityBookPool | 'reload' {
  if (!PAIR_TOPICS.includes(log.topics[0]!)) return 'reload'
  const { eventName, args } = decodeEventLog({
    abi: PAIR_EVENTS,
    topics: [...log.topics] as never,
    data: log.data,
  })
  if (eventName !== 'Swap') {
    const sign = eventName === 'DepositedToBins' ? 1n : -1n
    const changes = args.ids.map((id, k) => {
      return { id: Number(id), amounts: scaled(amountsOf(args.amounts[k]!), sign) }
    })
    return withChanges(pool, changes)
  }
  const { id, volatilityAccumulator } = args
  const { staticFee, quotedAt } = pool
  // With no filter period, the logs of one swap and of two cannot be told apart.
  if (log.timestamp === undefined || staticFee.filterPeriod === 0n) return 'reload'
  const memory = referencesOf({ ...pool, quotedAt: log.timestamp })
  if (volatilityAt(pool, memory, id) !== BigInt(volatilityAccumulator)) return 'reload'
  const [inX, inY] = amountsOf(args.amountsIn)
  const [outX, outY] = amountsOf(args.amountsOut)
  // The protocol's fees are already taken off the amounts in.
  const after = withChanges(pool, [{ id, amounts: [inX - outX, inY - outY] }])
  if (after === 'reload') return after
  const variableFee = { ...memory, volatilityAccumulator: BigInt(volatilityAccumulator) }
  return { ...after, activeId: id, variableFee, quotedAt }
}

type Amounts = readonly [bigint, bigint]

function withChanges(
  pool: LiquidityBookPool,
  changes: readonly { readonly id: number; readonly amounts: Amounts }[],
): LiquidityBookPool | 'reload' {
  const bins = new Map<number, Bin>(pool.bins.map((bin) => [bin.id, bin]))
  for (const { id, amounts } of changes) {
    const [x, y] = bins.get(id)?.reserves ?? [0n, 0n]
    const reserves = [x + amounts[0], y + amounts[1]] as const
    if (reserves[0] < 0n || reserves[1] < 0n) return 'reload'
    if (reserves[0] === 0n && reserves[1] === 0n) bins.delete(id)
    else bins.set(id, { id, reserves })
  }
  return { ...pool, bins: [...bins.values()].sort((a, b) => a.id - b.id) }
}

/** Two packed uint128, token X in the low bits. */
function amountsOf(packed: Hex): Amounts {
  const word = BigInt(packed)
  return [BigInt.asUintN(128, word), word >> 128n]
}

function scaled([x, y]: Amounts, sign: 1n | -1n): Amounts {
  return [x * sign, y * sign]
}
