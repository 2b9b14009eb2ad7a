import { BaseError } from '../errors.js'
import { type Address, NATIVE, toHex } from '../hex.js'

// Which receivers lose what they are paid. The router refuses only itself and its executor: it cannot
// know the others, so whoever builds or checks a transaction asks here first.

/** What a swap is, as far as its receiver is concerned; addresses in any case. */
export type ReceiverContext = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly wrappedNative: Address
  /** Where it is known. */
  readonly router?: Address | undefined
  /** Where it is known. */
  readonly executor?: Address | undefined
}

const ZERO_ADDRESS = toHex(0, 20)
/** HyperCore's address for HYPE, and its contract for actions. */
const CORE_ADDRESSES: readonly Address[] = [`0x${'22'.repeat(20)}`, `0x${'33'.repeat(20)}`]
/** HyperCore's address of a token: 0x20, zeros, and the token's index in the low eight bytes. */
const CORE_TOKEN = /^0x200{22}[0-9a-f]{16}$/
const BURN_ADDRESSES: readonly Address[] = [toHex(0xdead, 20), `0xdead${'0'.repeat(36)}`]

/**
 * Why a receiver would lose what it is paid, in words; `undefined` if no reason is known.
 *
 * The zero address is a fault here. In calldata it means the sender of the transaction: a caller that
 * reads calldata replaces it by the sender first. A burn address is no fault, because people buy and
 * burn: {@link isBurnAddress} finds it for a warning.
 */
export function receiverFault(receiver: Address, context: ReceiverContext): string | undefined {
  const to = receiver.toLowerCase() as Address
  const { tokenIn, tokenOut, wrappedNative, router, executor } = context
  if (to === ZERO_ADDRESS) return 'it is the zero address'
  if (to === NATIVE) return 'it is the placeholder of the native token, which nobody owns'
  if (CORE_ADDRESSES.includes(to) || CORE_TOKEN.test(to)) {
    return 'it is a system address of HyperCore, which credits the sending contract, not the buyer'
  }
  const contracts = [
    [tokenOut, 'it is the contract of the token out'],
    [tokenIn, 'it is the contract of the token in'],
    [wrappedNative, 'it is the contract of the wrapped native token'],
    [router, 'it is the router'],
    [executor, 'it is the executor'],
  ] as const
  return contracts.find(([address]) => address?.toLowerCase() === to)?.[1]
}

/** Whether an address is one that people burn tokens at: what it receives is gone on purpose. */
export function isBurnAddress(receiver: Address): boolean {
  return BURN_ADDRESSES.includes(receiver.toLowerCase() as Address)
}

/** The receiver would lose what the swap pays. */
export class ReceiverRefusedError extends BaseError {
  readonly code = 'RECEIVER_REFUSED'

  constructor(receiver: Address, reason: string) {
    super(`the receiver would lose what it is paid: ${reason}`, { receiver })
  }
}
