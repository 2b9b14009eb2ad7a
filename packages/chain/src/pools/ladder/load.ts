// Loads a pool that only answers quotes, as a table of samples (a ladder): input amounts a factor
// of √2 apart, each with the output that the pool quotes.

import type { Hex } from '@braid-swap/core'
import type { Ladder, LadderPool } from '@braid-swap/core/families'
import { callData, listOf, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { type Load, type PoolRef, type TokenPair, tokenPairOf } from '../loader.js'
import { BALANCE_OF } from './abi.js'
import { concavePart, lowered } from './rungs.js'
import { loadVault } from './vault.js'
import { estimateData, estimateOneData } from './words.js'

/** None: its price changes without a log. */
export const topics: readonly Hex[] = []
/** None. */
export const replacingTopics: readonly Hex[] = []
/** None: it is sampled again in every block. */
export const ignoredTopics: readonly Hex[] = []

/** Divisor of the reserve that gives the amount at which the price is probed. */
const PROBE_PART = 10_000n
/** Rungs per direction and per call: a refused large amount does not fail the smaller ones. */
const RUNGS = 40
const RUNGS_IN_CALL = 8
const SIDES = [0, 1] as const

/**
 * Samples amounts up to the one that would empty the pool at its current price: a factor of √2
 * apart, or of 2 for a pool without `estimateSwapBatch`, because each sample is then a call. The
 * outputs are lowered by the venue's haircut. All is read at the node's newest block, because the pool
 * asks HyperCore. The caller sets `sampledAt` and `quotedAt`, because it
 * knows the block that answered.
 */
export function* load(ref: PoolRef): Load<LadderPool> {
  if (ref.protocol === 'vault') return yield* loadVault(ref)
  const tokens = tokenPairOf(ref)
  const balances = yield tokens.map((to) => ({
    ...{ to, data: callData(BALANCE_OF, BigInt(ref.id)), isLatest: true as const },
  }))
  const reserves = balances.map((answer) => wordAt(answer, 0))
  const asked = yield* probe(ref, reserves)
  const climbed = yield asked.flatMap(({ calls }) => calls)
  const split = asked[0]!.calls.length
  const answers = [climbed.slice(0, split), climbed.slice(split)]
  const ladders = SIDES.map((i) => {
    const { amounts, read } = asked[i]!
    const paid = answers[i]!.flatMap((answer, c) => padded(read(answer), amounts[c]!.length))
    const ladder = ladderOf(amounts.flat(), paid, reserves[1 - i]!)
    return lowered(concavePart(ladder), BigInt(ref.haircutPpm ?? 0))
  })
  return {
    ...{ family: 'ladder', id: ref.id, venue: ref.venue, tokens },
    protocol: 'estimateSwap',
    ladders: [ladders[0]!, ladders[1]!],
    ...{ sampledAt: 0n, quotedAt: 0n },
  }
}

/** No log determines what the pool pays. */
export function applyLog(): 'reload' {
  return 'reload'
}

/** The samples to ask for in one direction. */
type Asked = {
  /** In chunks of one call each. */
  readonly amounts: readonly (readonly bigint[])[]
  readonly calls: readonly Call[]
  /** The outputs in an answer; fewer than asked for if the pool refused. */
  readonly read: (answer: Hex) => readonly bigint[]
}

/** Asks for a small amount in each direction, in both forms, and plans the samples from it. */
function* probe(ref: PoolRef, reserves: readonly bigint[]): Load<readonly Asked[]> {
  const probes = reserves.map((amount) => (amount > PROBE_PART ? amount / PROBE_PART : 1n))
  const sides = SIDES.map((i) => sideOf(tokenPairOf(ref), i))
  const answers = yield sides.flatMap((side, i) => [
    estimate(ref, side, [probes[i]!]),
    estimateOne(ref, side, probes[i]!),
  ])
  return SIDES.map((i) => {
    const [batch, one] = answers.slice(2 * i, 2 * i + 2) as [Hex, Hex]
    const side = sides[i]!
    const isBatched = batch !== '0x'
    const [paid = 0n] = isBatched ? listOf(batch) : wordOf(one)
    const top = paid > 0n ? (reserves[1 - i]! * probes[i]!) / paid : 0n
    const amounts = isBatched ? chunksOf(rungsUpTo(top, 1)) : rungsUpTo(top, 2).map((x) => [x])
    return isBatched
      ? { amounts, read: listed, calls: amounts.map((chunk) => estimate(ref, side, chunk)) }
      : { amounts, read: wordOf, calls: amounts.map(([x]) => estimateOne(ref, side, x!)) }
  })
}

function sideOf(tokens: TokenPair, i: 0 | 1): TokenPair {
  return [tokens[i], tokens[i === 0 ? 1 : 0]]
}

function estimate({ id: to }: PoolRef, side: TokenPair, amounts: readonly bigint[]): Call {
  return { to, data: estimateData(side, amounts), mayFail: true, isLatest: true }
}

function estimateOne({ id: to }: PoolRef, side: TokenPair, amount: bigint): Call {
  return { to, data: estimateOneData(side, amount), mayFail: true, isLatest: true }
}

function listed(answer: Hex): readonly bigint[] {
  return answer === '0x' ? [] : listOf(answer)
}

function wordOf(answer: Hex): readonly bigint[] {
  return answer === '0x' ? [] : [wordAt(answer, 0)]
}

function padded(paid: readonly bigint[], length: number): readonly (bigint | undefined)[] {
  return Array.from({ length }, (_, i) => paid[i])
}

/** Amounts up to `top`, ascending: every `stride`-th power of √2. */
function rungsUpTo(top: bigint, stride: number): readonly bigint[] {
  const all = new Set<bigint>()
  for (let k = RUNGS - stride; k >= 0; k -= stride) {
    const whole = top >> BigInt(k >> 1)
    all.add(k % 2 === 0 ? whole : (whole * 7071n) / 10_000n)
  }
  return [...all].filter((amount) => amount > 0n)
}

function chunksOf(rungs: readonly bigint[]): readonly (readonly bigint[])[] {
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
  amounts: readonly bigint[],
  paid: readonly (bigint | undefined)[],
  reserve: bigint,
): Ladder {
  const ladder: (readonly [bigint, bigint])[] = []
  for (const [i, amountIn] of amounts.entries()) {
    const amountOut = paid[i]
    if (amountOut === undefined || amountOut > reserve) break
    if (amountOut < (ladder.at(-1)?.[1] ?? 0n)) break
    ladder.push([amountIn, amountOut])
  }
  const most = ladder.at(-1)?.[1] ?? 0n
  return most === 0n ? [] : ladder.slice(0, ladder.findIndex(([, y]) => y === most) + 1)
}
