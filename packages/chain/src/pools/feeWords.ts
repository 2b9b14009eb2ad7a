/**
 * Reads the answers that determine a fee. A module whose answer is longer or shorter than a known
 * module's may have an unknown rule, even if its current fee equals that of the known rule. The
 * length of an answer is therefore checked as strictly as its values.
 */
import type { Address, Hex } from '@braid-swap/core'
import { wordAt } from '../reads/abiWords.js'
import { LoadError } from './loadError.js'

/** The number of 32-byte words in an answer; a fraction if it ends inside a word. */
export function wordCount(answer: Hex): number {
  return (answer.length - 2) / 64
}

/**
 * The words of an answer of exactly `count` words. For any other length it throws a LoadError
 * 'POOL_FEE_UNKNOWN' that names the pool and the getter.
 */
export function feeWords(
  answer: Hex,
  asked: { readonly pool: Address; readonly field: string; readonly count: number },
): readonly bigint[] {
  const { pool, field, count } = asked
  const got = wordCount(answer)
  if (got === count) return Array.from({ length: count }, (_, i) => wordAt(answer, i))
  throw new LoadError(
    'POOL_FEE_UNKNOWN',
    `the fee of pool ${pool} is unknown: ${field} has ${got} words instead of ${count}`,
    { pool, field, got: `${got}`, wanted: `${count}` },
  )
}
