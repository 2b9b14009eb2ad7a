// The logs bloom filter of a block (Ethereum yellow paper, 4.3.1), to verify that logs are
// complete.

import type { Hex } from '@braid-swap/core'
import { bytesToHex, hexToBytes, keccak256 } from 'viem'
import type { Log } from './log.js'

/** Bytes of a block's bloom filter. */
const BYTES = 256
/** Bits that each address and each topic sets. */
const BITS = 3

/**
 * The bloom filter that the header of a block with exactly these logs contains.
 *
 * Each address and topic sets three bits. Their positions, counted from the end, are the low 11
 * bits of the first three 16-bit words of its keccak-256 hash (Ethereum yellow paper, 4.3.1).
 */
export function bloomOf(logs: readonly Pick<Log, 'address' | 'topics'>[]): Hex {
  const bloom = new Uint8Array(BYTES)
  const items = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))
  for (const item of items) {
    const hash = hexToBytes(keccak256(item))
    for (let i = 0; i < BITS; i++) {
      const bit = ((hash[2 * i]! << 8) | hash[2 * i + 1]!) & 0x7ff
      bloom[BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7)
    }
  }
  return bytesToHex(bloom)
}
