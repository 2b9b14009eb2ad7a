import { BaseError } from '../errors.js'
import { type Address, concatHex, type Hex, sizeOfHex, sliceHex, toHex } from '../hex.js'

/** The arguments of the router's one entry point. Native ends are {@link NATIVE}. */
export type RouterCall = {
  readonly tokenIn: Address
  readonly amountIn: bigint
  readonly tokenOut: Address
  readonly minAmountOut: bigint
  /** The zero address means the sender of the transaction. */
  readonly receiver: Address
  /** Unix seconds after which the router refuses. */
  readonly deadline: bigint
  readonly program: Hex
}

// swap(address,uint256,address,uint256,address,uint256,bytes); a test derives it with viem.
const SELECTOR: Hex = '0xd475bd3b'
const HEAD_WORDS = 7
const WORD = 32

/** Calldata of the router's `swap`, ABI-encoded. */
export function encodeRouterCall(call: RouterCall): Hex {
  const size = sizeOfHex(call.program)
  const padding = (WORD - (size % WORD)) % WORD
  return concatHex(
    SELECTOR,
    toHex(BigInt(call.tokenIn), WORD),
    toHex(call.amountIn, WORD),
    toHex(BigInt(call.tokenOut), WORD),
    toHex(call.minAmountOut, WORD),
    toHex(BigInt(call.receiver), WORD),
    toHex(call.deadline, WORD),
    toHex(HEAD_WORDS * WORD, WORD),
    toHex(size, WORD),
    call.program,
    `0x${'00'.repeat(padding)}`,
  )
}

/** What calldata asks of the router; throws {@link BadCalldataError} unless it is exactly what we encode. */
export function decodeRouterCall(calldata: Hex): RouterCall {
  const lower = calldata.toLowerCase() as Hex
  const wordAt = (index: number): Hex => sliceHex(lower, 4 + index * WORD, 4 + (index + 1) * WORD)
  const addressAt = (index: number): Address => sliceHex(wordAt(index), 12, WORD)
  const smallest = 4 + (HEAD_WORDS + 1) * WORD
  if (sizeOfHex(lower) < smallest || sliceHex(lower, 0, 4) !== SELECTOR) {
    throw new BadCalldataError('not a call of the router’s swap', {
      selector: lower.slice(0, 10),
      wanted: SELECTOR,
    })
  }
  const size = Number(BigInt(wordAt(HEAD_WORDS)))
  if (smallest + size > sizeOfHex(lower)) {
    throw new BadCalldataError('the program is cut short', { size })
  }
  const call: RouterCall = {
    tokenIn: addressAt(0),
    amountIn: BigInt(wordAt(1)),
    tokenOut: addressAt(2),
    minAmountOut: BigInt(wordAt(3)),
    receiver: addressAt(4),
    deadline: BigInt(wordAt(5)),
    program: sliceHex(lower, smallest, smallest + size),
  }
  if (encodeRouterCall(call) !== lower) {
    throw new BadCalldataError('not the canonical encoding of a router call')
  }
  return call
}

/** Calldata that is no canonical router call. */
export class BadCalldataError extends BaseError {
  readonly code = 'BAD_CALLDATA'
}
