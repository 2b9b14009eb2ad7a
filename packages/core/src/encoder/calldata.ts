import { requireFields } from '../checkNames.js'
import { BaseError } from '../errors.js'
import { type Address, concatHex, type Hex, sizeOfHex, sliceHex, toHex } from '../hex.js'
import { textOf } from '../shape/check.js'
import {
  isBytes,
  requireAddress,
  requireAmount,
  requireBytes,
  requireReceiver,
} from './checkCall.js'
import { payeeOf } from './payee.js'

/** The arguments of a call of the router. Native ends are {@link NATIVE}. */
export type RouterCall = {
  readonly tokenIn: Address
  readonly amountIn: bigint
  readonly tokenOut: Address
  readonly minAmountOut: bigint
  /** The zero address means the sender of the transaction. */
  readonly receiver: Address
  /** Unix seconds; the router rejects a later block. */
  readonly deadline: bigint
  /** The contract that performs the program; the amount in goes to it, or to {@link payeeOf}. */
  readonly executor: Address
  readonly program: Hex
  /**
   * The way in which the router takes `amountIn` from its caller; if absent, by an approval or the value
   * sent.
   */
  readonly payment?: Payment
}

/** A signature of the caller that allows one swap, instead of an approval of the router. */
export type Payment =
  /** Signature of the token's own EIP-2612 permit for the router: r, s and v, 65 bytes. */
  | { readonly by: 'permit'; readonly signature: Hex }
  /**
   * Signature of Permit2's `PermitTransferFrom` for the router; the caller has approved Permit2.
   */
  | { readonly by: 'permit2'; readonly nonce: bigint; readonly signature: Hex }

type Entry = 'approval' | Payment['by']

// Selectors of swap, swapWithPermit and swapWithPermit2 (docs/program.md); a test derives them with
// viem.
const SELECTORS: Readonly<Record<Entry, Hex>> = {
  approval: '0xfcb433d6',
  permit: '0x61535904',
  permit2: '0xf2f2e05f',
}
/** Words before the program's bytes: eight of the order, then one per argument, an offset for bytes. */
const HEAD_WORDS: Readonly<Record<Entry, number>> = { approval: 9, permit: 10, permit2: 11 }
const WORD = 32
const SELECTOR_BYTES = 4

/**
 * ABI-encoded calldata of the router's entry point for the call's payment. Throws BAD_CALL for a field
 * that cannot be encoded.
 */
export function encodeRouterCall(call: RouterCall): Hex {
  requireFields('call', call, [])
  checkCall(call)
  const entry = call.payment?.by ?? 'approval'
  const program = encodeBytes(call.program)
  const programAt = HEAD_WORDS[entry] * WORD
  return concatHex(
    SELECTORS[entry],
    toHex(BigInt(call.tokenIn), WORD),
    toHex(call.amountIn, WORD),
    toHex(BigInt(call.tokenOut), WORD),
    toHex(call.minAmountOut, WORD),
    toHex(BigInt(call.receiver), WORD),
    toHex(call.deadline, WORD),
    toHex(BigInt(call.executor), WORD),
    toHex(BigInt(payeeOf(call.program, call.executor)), WORD),
    toHex(programAt, WORD),
    ...(call.payment?.by === 'permit2' ? [toHex(call.payment.nonce, WORD)] : []),
    ...(call.payment ? [toHex(programAt + sizeOfHex(program), WORD)] : []),
    program,
    ...(call.payment ? [encodeBytes(call.payment.signature)] : []),
  )
}

function checkCall({ payment, ...call }: RouterCall): void {
  for (const name of ['tokenIn', 'tokenOut', 'executor'] as const) requireAddress(name, call[name])
  requireReceiver('receiver', call.receiver)
  for (const name of ['amountIn', 'minAmountOut', 'deadline'] as const) {
    requireAmount(name, call[name])
  }
  requireBytes('program', call.program)
  if (payment) requireBytes('payment.signature', payment.signature)
  if (payment?.by === 'permit2') requireAmount('payment.nonce', payment.nonce)
}

/** ABI encoding of bytes: the length, the bytes, and zeros up to a whole word. */
function encodeBytes(bytes: Hex): Hex {
  const size = sizeOfHex(bytes)
  const padding = (WORD - (size % WORD)) % WORD
  return concatHex(toHex(size, WORD), bytes, `0x${'00'.repeat(padding)}`)
}

/** Decodes a router call; throws {@link BadCalldataError} unless the encoding is canonical. */
export function decodeRouterCall(calldata: Hex): RouterCall {
  if (!isBytes(calldata)) throw new BadCalldataError(`the calldata is ${textOf(calldata)}`)
  const lower = calldata.toLowerCase() as Hex
  const entry = entryOf(lower)
  const body: Hex = `0x${lower.slice(2 + 2 * SELECTOR_BYTES)}`
  const wordAt = (index: number): Hex => take(body, index * WORD, WORD)
  const addressAt = (index: number): Address => sliceHex(wordAt(index), 12, WORD)
  const bytesAt = (index: number): Hex => {
    const offset = sizeFrom(wordAt(index))
    return take(body, offset + WORD, sizeFrom(take(body, offset, WORD)))
  }
  const call: RouterCall = {
    tokenIn: addressAt(0),
    amountIn: BigInt(wordAt(1)),
    tokenOut: addressAt(2),
    minAmountOut: BigInt(wordAt(3)),
    receiver: addressAt(4),
    deadline: BigInt(wordAt(5)),
    executor: addressAt(6),
    program: bytesAt(8),
    ...(entry === 'permit' && { payment: { by: 'permit', signature: bytesAt(9) } }),
    ...(entry === 'permit2' && {
      payment: { by: 'permit2', nonce: BigInt(wordAt(9)), signature: bytesAt(10) },
    }),
  }
  const [payee, wanted] = [addressAt(7), payeeOf(call.program, call.executor)]
  if (payee !== wanted) {
    throw new BadCalldataError('the amount in would go to another payee', { got: payee, wanted })
  }
  if (encodeRouterCall(call) !== lower) {
    throw new BadCalldataError('not the canonical encoding of a router call')
  }
  return call
}

function entryOf(calldata: Hex): Entry {
  const selector = calldata.slice(0, 2 + 2 * SELECTOR_BYTES)
  const entry = (Object.keys(SELECTORS) as Entry[]).find((name) => SELECTORS[name] === selector)
  if (entry) return entry
  throw new BadCalldataError('not a call of the router’s swap', {
    got: selector,
    wanted: Object.values(SELECTORS).join(', '),
  })
}

/** A length or offset. Precision beyond the length of any calldata does not matter. */
function sizeFrom(word: Hex): number {
  return Number(BigInt(word))
}

function take(body: Hex, start: number, size: number): Hex {
  if (start + size > sizeOfHex(body)) {
    throw new BadCalldataError('the calldata is cut short', {
      got: sizeOfHex(body),
      wanted: start + size,
    })
  }
  return sliceHex(body, start, start + size)
}

/** The calldata is not a canonical router call. */
export class BadCalldataError extends BaseError {
  readonly code = 'BAD_CALLDATA'
}
