import { BaseError } from '../errors.js'
import { type Address, NATIVE, toHex, ZERO_ADDRESS } from '../hex.js'

// Receivers that would lose what they are paid. The router rejects only itself and the call's executor,
// because it cannot know the others, so code that builds or checks a transaction calls this first.

/** The addresses that a receiver is checked against, in upper or lower case. */
export type ReceiverContext = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly wrappedNative: Address
  /** Absent if not known. */
  readonly router?: Address | undefined
  /** Absent if not known. */
  readonly executors?: readonly Address[] | undefined
  /** Addresses of the chain itself; absent if it has none. */
  readonly systemAddresses?: readonly SystemAddresses[] | undefined
}

/** Addresses of a chain itself, both ends included and in lower case, and why who is paid there loses it, as a clause. */
export type SystemAddresses = {
  readonly from: Address
  /** Absent: there is one. */
  readonly to?: Address | undefined
  readonly why: string
}

const BURN_ADDRESSES: readonly Address[] = [toHex(0xdead, 20), `0xdead${'0'.repeat(36)}`]

/**
 * The reason why a receiver would lose what it is paid, as text; `undefined` if none is known.
 *
 * The zero address is a fault here. In calldata it means the sender of the transaction, so a caller
 * that reads calldata replaces it by the sender first. A burn address is not a fault, because
 * people buy and burn; {@link isBurnAddress} detects it for a warning.
 */
export function receiverFault(receiver: Address, context: ReceiverContext): string | undefined {
  const to = receiver.toLowerCase() as Address
  const { tokenIn, tokenOut, wrappedNative, router, executors = [], systemAddresses } = context
  if (to === ZERO_ADDRESS) return 'it is the zero address'
  if (to === NATIVE) return 'it is the placeholder of the native token, which nobody owns'
  const system = systemAddresses?.find((own) => own.from <= to && to <= (own.to ?? own.from))
  if (system) return system.why
  const contracts = [
    [tokenOut, 'it is the contract of the token out'],
    [tokenIn, 'it is the contract of the token in'],
    [wrappedNative, 'it is the contract of the wrapped native token'],
    [router, 'it is the router'],
    ...executors.map((executor) => [executor, 'it is an executor'] as const),
  ] as const
  return contracts.find(([address]) => address?.toLowerCase() === to)?.[1]
}

/** Returns whether an address is a burn address: people send tokens there to destroy them. */
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
