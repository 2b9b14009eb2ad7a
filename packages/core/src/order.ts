import { type Address, wrappedOf } from './hex.js'

/** A request to sell exactly `amountIn` wei of `tokenIn` for as much `tokenOut` as possible. */
export type Order = {
  /** Lower-case address; {@link NATIVE} stands for the native token. */
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}

/** An order, of which the amount in may be open: then any amount is meant. */
export type PartialOrder = Omit<Order, 'amountIn'> & { readonly amountIn?: bigint | undefined }

/** A request to buy at least `amountOut` wei of `tokenOut` for as little `tokenIn` as possible. */
export type ExactOutOrder = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountOut: bigint
}

declare const ofPools: unique symbol

/** An order between two tokens that pools trade, which the native token is not: {@link poolOrderOf} makes it. */
export type PoolOrder = Order & { readonly [ofPools]: true }

/** The order that pools see, with the wrapped token in place of the native one. Its tokens may be the same. */
export function poolOrderOf(order: Order, wrappedNative: Address): PoolOrder {
  const ends = {
    tokenIn: wrappedOf(order.tokenIn, wrappedNative),
    tokenOut: wrappedOf(order.tokenOut, wrappedNative),
  }
  return { ...order, ...ends } as PoolOrder
}
