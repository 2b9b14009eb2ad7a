import type { PayBy, SwapProgress } from '@braid-swap/client'
import { isSameOrder, type PageOrder } from '../order/order.js'
import type { Sent } from './sendSwap.js'

/** A swap that was started, with the payment that its steps show. */
export type Sending = {
  readonly order: PageOrder
  readonly progress: SwapProgress
  readonly payBy: PayBy | undefined
} & (
  | { readonly is: 'under way' }
  | { readonly is: 'done'; readonly sent: Sent }
  | { readonly is: 'failed'; readonly error: unknown }
)

/** True while nothing else may be sent: until a swap has left, of any order, and then of its own until it ends. */
export function isLocked(sending: Sending | undefined, order: PageOrder | undefined): boolean {
  if (sending?.is !== 'under way') return false
  const hasLeft = sending.progress.step === 'confirm'
  return !hasLeft || (order !== undefined && isSameOrder(order, sending.order))
}
