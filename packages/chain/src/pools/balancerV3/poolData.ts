// Reads the answer of the vault's `getPoolData`: one struct with six lists.

import type { Address, Hex } from '@braid-swap/core'
import { addressOf, wordAt } from '../../reads/abiWords.js'

/** The fields of it that a swap needs. */
export type PoolData = {
  readonly tokens: readonly Address[]
  /** Without the yield fees that are due. */
  readonly balancesRaw: readonly bigint[]
  readonly rates: readonly bigint[]
  readonly scalingFactors: readonly bigint[]
  /** The rate providers of its tokens. */
  readonly providers: readonly Address[]
}

// Words of the struct: its flags, then the offset of each list.
const TOKENS = 1
const INFO = 2
const RAW = 3
const RATES = 5
const SCALING = 6
// A token's kind, its rate provider, and whether it pays yield fees.
const WORDS_OF_INFO = 3

/** The struct's lists; throws a RangeError if the answer is truncated. */
export function poolDataOf(answer: Hex): PoolData {
  const start = Number(wordAt(answer, 0)) / 32
  const info = start + Number(wordAt(answer, start + INFO)) / 32
  const count = Number(wordAt(answer, info))
  const infos = Array.from({ length: count }, (_, k) => info + 1 + WORDS_OF_INFO * k)
  return {
    tokens: listAt(answer, start, TOKENS).map(addressOf),
    balancesRaw: listAt(answer, start, RAW),
    rates: listAt(answer, start, RATES),
    scalingFactors: listAt(answer, start, SCALING),
    providers: infos.flatMap((at) =>
      wordAt(answer, at) === 0n ? [] : [addressOf(wordAt(answer, at + 1))],
    ),
  }
}

/** The list whose offset is word `index` of the struct that begins at word `start`. */
export function listAt(answer: Hex, start: number, index: number): readonly bigint[] {
  const at = start + Number(wordAt(answer, start + index)) / 32
  const length = Number(wordAt(answer, at))
  return Array.from({ length }, (_, k) => wordAt(answer, at + 1 + k))
}
