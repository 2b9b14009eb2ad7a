// Reads the shape of a Gyro E-CLP's ellipse from the answer of `getECLPParams`.

import type { Hex } from '@braid-swap/core'
import type { EclpForm } from '@braid-swap/core/families'
import { wordAt } from '../../reads/abiWords.js'
import { inRange } from '../loadError.js'
import type { PoolRef } from '../loader.js'

const ONE = 10n ** 18n
const ONE_38 = 10n ** 38n
// The contract accepts at its deployment: λ up to 10⁸, and c² + s² and the unit vectors within
// 10⁻¹⁵ of 1.
const MAX_STRETCH = 10n ** 8n * ONE
const MAX_FACTOR = ONE_38 + 10n ** 23n
const DSQ_SLACK = 10n ** 23n
const WORDS = 14

/** Returns true if an answer has the length of `getECLPParams`. */
export function isEclp(answer: Hex): boolean {
  return answer.length === 2 + 64 * WORDS
}

/** The form of a pool; throws 'POOL_OUT_OF_RANGE' for a value that no E-CLP has. */
export function eclpForm({ id }: PoolRef, answer: Hex): EclpForm {
  const within = (field: string, index: number, [min, max]: readonly [bigint, bigint]) =>
    inRange(BigInt.asIntN(256, wordAt(answer, index)), { pool: id, field, min, max })
  const factor = (field: string, index: number) => within(field, index, [-MAX_FACTOR, MAX_FACTOR])
  // The price bounds, words 0 and 1, are in the formula as tauAlpha and tauBeta.
  return {
    kind: 'eclp',
    c: within('c', 2, [0n, ONE]),
    s: within('s', 3, [0n, ONE]),
    lambda: within('lambda', 4, [ONE, MAX_STRETCH]),
    tauAlpha: { x: factor('tauAlpha.x', 5), y: factor('tauAlpha.y', 6) },
    tauBeta: { x: factor('tauBeta.x', 7), y: factor('tauBeta.y', 8) },
    ...{ u: factor('u', 9), v: factor('v', 10), w: factor('w', 11), z: factor('z', 12) },
    dSq: within('dSq', 13, [ONE_38 - DSQ_SLACK, ONE_38 + DSQ_SLACK]),
  }
}
