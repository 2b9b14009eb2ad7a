import {
  type Address,
  type Fee,
  type Hex,
  NATIVE,
  type Order,
  type Payment,
  type Route,
  type RouterCall,
  routerCallOf,
  type Snapshot,
} from '@braid-swap/core'
import { type ApiError, type ErrorCode, type Issue, refusal } from '../errors.js'

/** Default time after the snapshot's block until the router rejects the swap. */
const DEADLINE_SECONDS = 1_200n

/** Options of the call in addition to the order. */
export type CallWishes = {
  /** Parts per million. */
  readonly slippage: number
  readonly receiver?: Address | undefined
  /** Unix seconds. */
  readonly deadline?: bigint | undefined
  readonly permit?: Hex | undefined
  readonly permit2?: Hex | undefined
  readonly permit2Nonce?: bigint | undefined
  /** The output that must arrive, if it was given instead of the amount to sell. */
  readonly dstAmountExact?: bigint | undefined
}

/** Trade to perform: a route, its output in wei, and the fee that the output is net of. */
type QuotedSale = { readonly route: Route; readonly amountOut: bigint; readonly fee?: Fee }

/** The call of the router that performs a route. */
export function callOf(
  snapshot: Snapshot,
  order: Order,
  { route, amountOut, fee }: QuotedSale,
  wishes: CallWishes & { readonly payment: Payment | undefined; readonly executor: Address },
): RouterCall {
  const { wrappedNative, block } = snapshot
  const { receiver, payment, executor, dstAmountExact: minAmountOut } = wishes
  const deadline = wishes.deadline ?? block.timestamp + DEADLINE_SECONDS
  const slippagePpm = BigInt(wishes.slippage)
  return routerCallOf(
    { order, route, amountOut, ...(fee && { fee }) },
    { wrappedNative, executor, slippagePpm, minAmountOut, deadline, receiver, payment },
  )
}

/**
 * The signature that pays, if one is given. Throws MISSING_PARAMETER if its deadline or nonce is
 * absent, INVALID_SIGNATURE for two signatures or one beside `dstAmountExact`, NATIVE_NOT_APPROVABLE for a native source, and
 * AMOUNT_OUT_OF_RANGE for a deadline that has passed.
 */
export function paymentOf(
  snapshot: Snapshot,
  { tokenIn }: Pick<Order, 'tokenIn'>,
  { deadline, permit, permit2, permit2Nonce, dstAmountExact }: Omit<CallWishes, 'slippage'>,
): Payment | undefined {
  const { timestamp } = snapshot.block
  if (deadline !== undefined && deadline <= timestamp) {
    const message = `must be after the block timestamp ${timestamp}`
    const issue = { path: 'deadline', message, expected: `> ${timestamp}` }
    throw fault('AMOUNT_OUT_OF_RANGE', issue)
  }
  const path = permit ? 'permit' : 'permit2'
  const signature = permit ?? permit2
  if (!signature) return undefined
  if (permit && permit2) {
    const issue = { path, message: 'must be the only signature', expected: 'one signature' }
    throw fault('INVALID_SIGNATURE', issue)
  }
  if (tokenIn === NATIVE) {
    const message = 'must be absent: the native token is sent with the transaction'
    const issue = { path, message, expected: 'an ERC-20 src' }
    throw fault('NATIVE_NOT_APPROVABLE', issue)
  }
  if (dstAmountExact !== undefined) {
    const message = 'must be absent with dstAmountExact: it covers an amount that is not known yet'
    throw fault('INVALID_SIGNATURE', { path, message, expected: 'amount, and a signature for it' })
  }
  const required = (name: string): ApiError => {
    const message = `is required: the ${path} signature covers it`
    const issue = { path: name, message, expected: 'a value' }
    return fault('MISSING_PARAMETER', issue)
  }
  if (deadline === undefined) throw required('deadline')
  if (permit) return { by: 'permit', signature }
  if (permit2Nonce === undefined) throw required('permit2Nonce')
  return { by: 'permit2', nonce: permit2Nonce, signature }
}

function fault(code: ErrorCode, rule: Pick<Issue, 'path' | 'message' | 'expected'>): ApiError {
  return refusal({ code, ...rule })
}
