// Loads the price oracle of a pool, which some dynamic fees read.

import type { Address, Hex } from '@braid-swap/core'
import { type Observation, type Oracle, pruneOracle } from '@braid-swap/core/families'
import { callData, signed, wordAt } from '../../reads/abiWords.js'
import { feeWords } from '../feeWords.js'
import { inRange } from '../loadError.js'
import type { Load } from '../loader.js'
import { OBSERVATIONS } from './abi.js'

/** Observations per round of reads. */
const AT_ONCE = 128

/**
 * The pool's ring buffer of observations, read backwards from the newest until one is `keepSeconds`
 * older. Words 2 to 4 of `slot0` are index, cardinality and next cardinality, in Uniswap's format
 * and in Slipstream's.
 */
export function* loadOracle(
  pool: Address,
  { slot0, keepSeconds }: { readonly slot0: Hex; readonly keepSeconds: number },
): Load<Oracle> {
  const [index, cardinality, cardinalityNext] = [2, 3, 4].map((word) =>
    Number(inRange(wordAt(slot0, word), { pool, field: 'slot0', min: 0n, max: 65_535n })),
  ) as [number, number, number]
  const ask = (slot: number) => ({ to: pool, data: callData(OBSERVATIONS, slot) })
  const [next] = yield [ask((index + 1) % cardinality)]
  const isFull = observation(pool, next!)[3] === 1n
  const held = isFull ? cardinality : index + 1
  const observations: Observation[] = []
  while (observations.length < held) {
    const count = Math.min(AT_ONCE, held - observations.length)
    const slots = Array.from({ length: count }, (_, i) => index - observations.length - i)
    const answers = yield slots.map((slot) => ask((slot + cardinality) % cardinality))
    observations.push(...answers.map((answer) => readObservation(pool, answer)))
    if (observations.at(-1)!.timestamp <= observations[0]!.timestamp - keepSeconds) break
  }
  const older = held - observations.length
  const oracle = {
    index,
    cardinality,
    cardinalityNext,
    older,
    observations: observations.reverse(),
  }
  return pruneOracle(oracle, keepSeconds)
}

function readObservation(pool: Address, answer: Hex): Observation {
  const [timestamp, tickCumulative] = observation(pool, answer)
  return { timestamp: Number(timestamp!), tickCumulative: signed(tickCumulative!) }
}

function observation(pool: Address, answer: Hex): readonly bigint[] {
  return feeWords(answer, { pool, field: 'observations(uint256)', count: 4 })
}
