// The slots in which the manager stores a pool, as in StateLibrary of v4-core@1.0.2.

import type { Address, Hex } from '@braid-swap/core'
import { concatHex, toHex } from '@braid-swap/core/advanced'
import { encodeAbiParameters, hexToBytes, keccak256, parseAbiParameters } from 'viem'
import { wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import type { Load } from '../loader.js'
import { EXTSLOAD } from './abi.js'

/** The slot of the mapping from ids to pools. */
const POOLS = 6n
/** Slots of a pool after its first: the liquidity, and the mappings of its ticks and of their bitmap. */
const LIQUIDITY = 3n
const TICKS = 4n
const BITMAP = 5n

/** The slots of a pool: the two words that change with its price, its ticks, and words of its bitmap. */
export function slotsOf(id: Hex): {
  readonly slot0: Hex
  readonly liquidity: Hex
  readonly tick: (index: number) => Hex
  readonly bitmapWord: (word: number) => Hex
} {
  const slot0 = keccak256(concatHex(id, toHex(POOLS, 32)))
  const after = (slots: bigint) => toHex(BigInt.asUintN(256, BigInt(slot0) + slots), 32)
  return {
    slot0,
    liquidity: after(LIQUIDITY),
    tick: mappingAt(after(TICKS)),
    bitmapWord: mappingAt(after(BITMAP)),
  }
}

const WORD = 32

/** The slot of each key in the mapping at a slot. In bytes, because a bitmap has thousands of words. */
function mappingAt(slot: Hex): (key: number) => Hex {
  const preimage = new Uint8Array(2 * WORD)
  preimage.set(hexToBytes(slot), WORD)
  const view = new DataView(preimage.buffer)
  return (key) => {
    // An int24 or int16 is extended by its sign to a whole word.
    preimage.fill(key < 0 ? 0xff : 0, 0, WORD)
    view.setInt32(WORD - 4, key)
    return keccak256(preimage)
  }
}

/** Slots in one call: the node reads each at 2,100 gas, and the answer has about 8 kB. */
const SLOTS_PER_CALL = 256

/** The words in these slots of the manager, in their order. */
export function* readSlots(manager: Address, slots: readonly Hex[]): Load<readonly bigint[]> {
  const parts = Array.from({ length: Math.ceil(slots.length / SLOTS_PER_CALL) }, (_, k) =>
    slots.slice(k * SLOTS_PER_CALL, (k + 1) * SLOTS_PER_CALL),
  )
  const answers = yield parts.map((part): Call => {
    const head = [toHex(WORD, WORD), toHex(part.length, WORD)]
    return { to: manager, data: concatHex(EXTSLOAD, ...head, ...part) }
  })
  // An answer is one list: its offset, its length, then the words.
  return parts.flatMap((part, k) => part.map((_, i) => wordAt(answers[k]!, 2 + i)))
}

/** The fields whose hash is the pool's id; currency 0 is zero for the native token. */
export type Key = {
  readonly currencies: readonly [Address, Address]
  readonly feePpm: number
  readonly tickSpacing: number
  readonly hooks: Address
}

/** The id of the pool with this key. */
export function idOf({ currencies: [currency0, currency1], feePpm, tickSpacing, hooks }: Key): Hex {
  const form = parseAbiParameters('address, address, uint24, int24, address')
  return keccak256(encodeAbiParameters(form, [currency0, currency1, feePpm, tickSpacing, hooks]))
}
