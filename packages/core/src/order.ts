import type { Address } from './hex.js'

/** What a person wants: sell exactly `amountIn` wei of `tokenIn` for as much `tokenOut` as it brings. */
export type Order = {
  /** Lower-case address; {@link NATIVE} stands for the native token. */
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}
