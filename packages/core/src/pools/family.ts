import type { Address, Hex } from '../hex.js'
import type { Pieces } from '../math/pieces.js'

/** What every pool state carries beside its family's own fields. */
export type PoolBase = {
  /** The pool's address in lower case; for wrapping, the wrapped token's address. */
  readonly id: Hex
  readonly tokens: readonly Address[]
  /** Id of the deployment it belongs to (`hyperswap-v3`): letters, digits and dashes, from the venue list. */
  readonly venue: string
  /**
   * Unix seconds of the block that quotes are for. Only pools that depend on time have it; `advance`
   * writes it, because core reads no clock.
   */
  readonly quotedAt?: bigint
  /**
   * Unix seconds of the block in which the pool was read. Only pools have it that change without a
   * log: they are read again in every block.
   */
  readonly sampledAt?: bigint
  /** Other contracts whose logs may change what the pool pays, in lower case. */
  readonly watched?: readonly Address[]
}

/** Which token goes in and which comes out, as indices into `pool.tokens`. */
export type Direction = { readonly in: number; readonly out: number }

/**
 * A pool in one direction as a concave gain function over floats, in raw token units (wei as
 * float64). The solver sees nothing else of a pool.
 */
export type Curve = {
  /** h(x): output for an input of x; concave, h(0) = 0, constant past `limit`. */
  readonly out: (amountIn: number) => number
  /** h′(x): marginal output per input after fees; never rises. */
  readonly price: (amountIn: number) => number
  /** The x at which h′(x) = price, clamped to [0, limit]. */
  readonly inputAt: (price: number) => number
  /** The most the pool can take. */
  readonly limit: number
  /** The same function as constant-product pieces, where it is made of them: hot loops call no closure. */
  readonly pieces?: Pieces
  /** Gas that each piece after the first takes: a tick crossed. Absent where pieces are no steps. */
  readonly stepGas?: number
  /**
   * Wei of input by which the pool's integers may beat this curve: it pays at most `out(x + extraIn)`.
   * Absent where every rounding is in the pool's favour.
   */
  readonly extraIn?: number
  /** The pool is not concave: this is its hull, and it may pay less between two corners. */
  readonly isHull?: true
}

/** What every pool family implements, as a module: six pure functions over its own state. */
export type Family<P extends PoolBase> = {
  /**
   * Exactly what the pool pays for `amountIn` wei; `0n` where it would revert, pay nothing, or be
   * unable to take the whole input.
   */
  readonly getAmountOut: (pool: P, direction: Direction, amountIn: bigint) => bigint
  /** The state after that swap; the same pool where `getAmountOut` answers `0n`. */
  readonly applySwap: (pool: P, direction: Direction, amountIn: bigint) => P
  readonly toCurve: (pool: P, direction: Direction) => Curve
  /**
   * The part of `amountIn`, from 0 to 1, that is a fee; `undefined` where the pool does not tell its fee
   * apart from its price.
   */
  readonly feeRate: (pool: P, direction: Direction, amountIn: bigint) => number | undefined
  /** Gas of one hop through the pool, executor overhead included. */
  readonly estimateGas: (pool: P, direction: Direction, amountIn: bigint) => number
  /** The hop's own bytes in a program, of the length that `swapLayout` states. */
  readonly encodeSwap: (pool: P, direction: Direction) => Hex
  /** First byte and length of those bytes; `undefined` for what the router does itself. */
  readonly swapLayout: SwapLayout | undefined
}

/** Every swap in a program begins `opcode:uint8 pool:address`; `bytes` counts all of it. */
export type SwapLayout = {
  readonly opcode: number
  readonly bytes: number
  /** Whether the pool is paid by a transfer before its swap, which whoever has the token can make. */
  readonly isPaidBefore?: boolean
  /** Whether the pool pays nobody but its caller. */
  readonly paysItsCaller?: boolean
}
