import { type Address, isBurnAddress, type Order, receiverFault } from '@braid-swap/core'
import { getContractAddress } from 'viem'
import type { Services } from '../context.js'
import { ApiError } from '../errors.js'
import type { Warning } from '../wire/responses.js'

/** Who receives the output: `receiver` if given, otherwise the sender `from` if given. */
type Paid = { readonly receiver?: Address | undefined; readonly from?: Address | undefined }

/** Throws RECEIVER_REFUSED for a receiver that would lose the output of the swap. */
export function requireReceiver(
  { config }: Services,
  order: Pick<Order, 'tokenIn' | 'tokenOut'>,
  paid: Paid,
): void {
  const receiver = paid.receiver ?? paid.from
  if (receiver === undefined) return
  const { router, wrappedNative } = config
  // The first contract that a router creates is its executor.
  const executor = getContractAddress({ from: router, nonce: 1n })
  const { tokenIn, tokenOut } = order
  const reason = receiverFault(receiver, { tokenIn, tokenOut, wrappedNative, router, executor })
  if (reason === undefined) return
  const code = 'RECEIVER_REFUSED'
  const path = paid.receiver ? 'receiver' : 'from'
  throw new ApiError(code, 'the receiver would lose the output of the swap', {
    issues: [
      {
        ...{ in: 'query', path, code, message: `must be another address: ${reason}` },
        ...{ received: receiver, expected: 'an address that can use the output' },
      },
    ],
  })
}

/** A warning if the receiver is a burn address. */
export function receiverWarnings({ receiver, from }: Paid): readonly Warning[] {
  const paid = receiver ?? from
  if (paid === undefined || !isBurnAddress(paid)) return []
  const message = 'the receiver is a burn address: nobody can use the output'
  return [{ code: 'RECEIVER_BURNS', message }]
}
