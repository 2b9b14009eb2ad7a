// The logs bloom filter of a block (Ethereum yellow paper, 4.3.1) as an integer of 2,048 bits: evidence
// of which contracts emitted a log in the block. Receipts prove more. The filter is for the blocks that they do not: of a
// longer round, of a limited node, and of one that gives no receipts.

import type { Address, Hex } from '@braid-swap/core'
import { hexToBytes, keccak256 } from 'viem'
import type { Log } from './log.js'

/** Bits that each address and each topic sets. */
const BITS = 3

/**
 * The bits that an address or a topic sets in a bloom filter. Their positions are the low 11 bits of
 * the first three 16-bit words of its keccak-256 hash (Ethereum yellow paper, 4.3.1).
 */
export function bloomBits(item: Hex): bigint {
  const hash = hexToBytes(keccak256(item))
  let bits = 0n
  for (let i = 0; i < BITS; i++) {
    bits |= 1n << BigInt(((hash[2 * i]! << 8) | hash[2 * i + 1]!) & 0x7ff)
  }
  return bits
}

/** The bloom filter of a block with exactly these logs. */
export function bloomOf(logs: readonly Pick<Log, 'address' | 'topics'>[]): bigint {
  const items = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))
  return [...items].reduce((bloom, item) => bloom | bloomBits(item), 0n)
}

/**
 * The followed contracts whose logs in a block may be missing or foreign, judged by the block's bloom
 * filter; `logs` are all logs that the node returned for the block, in order.
 *
 * If a log is missing, the filter has bits that no log explains, or the numbers of the logs have a hole.
 * Then every contract that may have emitted a log, by the filter, is in doubt. A log whose contract is
 * not in the filter belongs to another block. System transactions are not in the filter
 * either, so only a log of a followed contract counts.
 */
export function doubtfulIn(
  logs: readonly Pick<Log, 'address' | 'topics' | 'logIndex'>[],
  { bloom, followed }: { readonly bloom: bigint; readonly followed: readonly Address[] },
): readonly Address[] {
  const emitters = new Set(logs.map(({ address }) => address))
  const named = new Set(namedIn(bloom, followed))
  const isMissing = isHoled(logs) || (bloom & ~bloomOf(logs)) !== 0n
  return followed.filter((address) =>
    isMissing
      ? emitters.has(address) || named.has(address)
      : emitters.has(address) && !named.has(address),
  )
}

/** The contracts that may have emitted a log of a block, by its bloom filter. */
export function namedIn(bloom: bigint, contracts: readonly Address[]): readonly Address[] {
  return contracts.filter((address) => {
    const bits = bloomBits(address)
    return (bits & bloom) === bits
  })
}

/** Returns true if the logs of a block are not numbered from 0 without a gap. */
export function isHoled(logs: readonly Pick<Log, 'logIndex'>[]): boolean {
  return logs.some(({ logIndex }, i) => logIndex !== i)
}
