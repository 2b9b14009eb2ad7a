import { type Address, type Hex, sizeOfHex, sliceHex } from '../hex.js'
import { swapOfOpcode } from '../pools/layouts.js'

const ADDRESS_BYTES = 20
/** Two indices of tokens, the share, the opcode and the pool. */
const HOP_START_BYTES = 2 + 3 + 1 + ADDRESS_BYTES

/**
 * The account that gets the amount in: the first pool if its hop sells everything and its family is paid
 * before the swap, which saves a transfer; otherwise the executor. Any bytes are read, because the
 * executor refuses what is not a program.
 */
export function payeeOf(program: Hex, executor: Address): Address {
  if (sizeOfHex(program) === 0) return executor
  const start = 1 + ADDRESS_BYTES * Number(sliceHex(program, 0, 1))
  if (sizeOfHex(program) < start + HOP_START_BYTES) return executor
  const [tokenIn, share, opcode] = [
    sliceHex(program, start, start + 1),
    sliceHex(program, start + 2, start + 5),
    // The highest bit announces a least rate.
    Number(sliceHex(program, start + 5, start + 6)) & 0x7f,
  ]
  const sellsAll = Number(tokenIn) === 0 && Number(share) === 0
  if (!sellsAll || !swapOfOpcode(opcode)?.isPaidBefore) return executor
  return sliceHex(program, start + 6, start + HOP_START_BYTES).toLowerCase() as Address
}
