/**
 * Answers that a fee is made of. A fee module that says more or less than a known one may charge by
 * a rule nobody here knows, and still charge what the known rule comes to while it is read. So the
 * shape of an answer is checked as strictly as its values.
 */
import type { Address, Hex } from '@braid-swap/core'
import { wordAt } from '../words.js'
import { LoadError } from './loadError.js'

/** The number of 32-byte words in an answer; a fraction if it ends inside a word. */
export function wordCount(answer: Hex): number {
  return (answer.length - 2) / 64
}

/**
 * The words of an answer that holds exactly `count` of them; throws a LoadError 'POOL_FEE_UNKNOWN'
 * that names the pool and the getter for any other length.
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
    `the fee of pool ${pool} is not known: ${field} answers ${got} words, wanted ${count}`,
    { pool, field, got: `${got}`, wanted: `${count}` },
  )
}
