// Loads a pool that only answers quotes, as a table of samples (a ladder): input amounts a factor
// of √2 apart, each with the output that the pool quotes.

import type { Hex, Ladder, LadderPool } from '@braid-swap/core'
import { listOf, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import { GET_RESERVES } from './abi.js'
import { estimateData } from './words.js'

/** None: its price changes without a log. */
export const topics: readonly Hex[] = []
/** None. */
export const replacingTopics: readonly Hex[] = []
/** None: it is sampled again in every block. */
export const ignoredTopics: readonly Hex[] = []

/** Divisor of the reserve that gives the amount at which the price is probed. */
const PROBE_PART = 10_000n
/** Rungs per direction and per call: a refused large amount does not fail the smaller ones. */
const [RUNGS, RUNGS_IN_CALL] = [40, 8]
const SIDES = [0, 1] as const

/**
 * Samples amounts a factor of √2 apart, up to the amount that would empty the pool at its current
 * price. The caller sets `sampledAt` and `quotedAt`, because it knows the block that answered.
 */
export function* load(ref: PoolRef): Load<LadderPool> {
  const [reserves] = yield [{ to: ref.id, data: GET_RESERVES }]
  const reserve = SIDES.map((i) => wordAt(reserves!, i))
  const probes = reserve.map((amount) => (amount > PROBE_PART ? amount / PROBE_PART : 1n))
  const answers = yield SIDES.map((i) => estimate(ref, i, [probes[i]!]))
  const calls = SIDES.map((i) => {
    const [paid] = answersOf(answers[i]!)
    const isPriced = paid !== undefined && paid > 0n
    return isPriced ? rungsUpTo((reserve[1 - i]! * probes[i]!) / paid) : []
  })
  const climbed = yield calls.flatMap((chunks, i) =>
    chunks.map((chunk) => estimate(ref, i as 0 | 1, chunk)),
  )
  const split = calls[0]!.length
  const parts = [climbed.slice(0, split), climbed.slice(split)]
  const ladders = SIDES.map((i) => ladderOf(calls[i]!, parts[i]!, reserve[1 - i]!))
  return {
    ...{ family: 'ladder', id: ref.id, venue: ref.venue, tokens: tokenPairOf(ref) },
    protocol: 'estimateSwap',
    ladders: [ladders[0]!, ladders[1]!],
    ...{ sampledAt: 0n, quotedAt: 0n },
  }
}

/** No log determines what the pool pays. */
export function applyLog(): 'reload' {
  return 'reload'
}

function estimate(ref: PoolRef, i: 0 | 1, amounts: readonly bigint[]): Call {
  const tokens = tokenPairOf(ref)
  const data = estimateData([tokens[i], tokens[i === 0 ? 1 : 0]], amounts)
  return { to: ref.id, data, mayFail: true }
}

function answersOf(answer: Hex): readonly bigint[] {
  return answer === '0x' ? [] : listOf(answer)
}

/** Amounts up to `top`, ascending, in chunks of one call each. */
function rungsUpTo(top: bigint): readonly (readonly bigint[])[] {
  const all = new Set<bigint>()
  for (let k = RUNGS - 1; k >= 0; k--) {
    const whole = top >> BigInt(k >> 1)
    all.add(k % 2 === 0 ? whole : (whole * 7071n) / 10_000n)
  }
  const rungs = [...all].filter((amount) => amount > 0n)
  const count = Math.ceil(rungs.length / RUNGS_IN_CALL)
  return Array.from({ length: count }, (_, i) =>
    rungs.slice(i * RUNGS_IN_CALL, (i + 1) * RUNGS_IN_CALL),
  )
}

/**
 * The rungs up to the last useful one. It ends before an amount that the pool refuses, that pays
 * less than the previous one, or that pays more than the reserve. Of final rungs with equal output
 * only the first is kept.
 */
function ladderOf(
  chunks: readonly (readonly bigint[])[],
  answers: readonly Hex[],
  reserve: bigint,
): Ladder {
  const ladder: (readonly [bigint, bigint])[] = []
  climb: for (const [c, chunk] of chunks.entries()) {
    const paid = answersOf(answers[c]!)
    for (const [i, amountIn] of chunk.entries()) {
      const amountOut = paid[i]
      if (amountOut === undefined || amountOut > reserve) break climb
      if (amountOut < (ladder.at(-1)?.[1] ?? 0n)) break climb
      ladder.push([amountIn, amountOut])
    }
  }
  const most = ladder.at(-1)?.[1] ?? 0n
  return most === 0n ? [] : ladder.slice(0, ladder.findIndex(([, y]) => y === most) + 1)
}
