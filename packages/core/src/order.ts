import type { Address } from './hex.js'

/** A request to sell exactly `amountIn` wei of `tokenIn` for as much `tokenOut` as possible. */
export type Order = {
  /** Lower-case address; {@link NATIVE} stands for the native token. */
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}

/** A request to buy at least `amountOut` wei of `tokenOut` for as little `tokenIn` as possible. */
export type ExactOutOrder = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountOut: bigint
}
