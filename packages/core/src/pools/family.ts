import type { Address, Hex } from '../hex.js'
import type { Intervals } from '../math/intervals.js'
import type { Pieces } from '../math/pieces.js'
import type { Shape } from '../shape/shape.js'

/** The fields of every pool state, in addition to those of its family. */
export type PoolBase = {
  /**
   * The pool's address in lower case, or 32 bytes for a pool that is not a contract of its own; for
   * wrapping, the wrapped token's address.
   */
  readonly id: Hex
  /** The contract that a hop calls, if a contract keeps many pools under ids of 32 bytes. */
  readonly manager?: Address
  readonly tokens: readonly Address[]
  /** Id of its venue (`hyperswap-v3`): letters, digits and dashes. */
  readonly venue: string
  /**
   * Unix seconds for which quotes are made. Only pools that depend on time have it. `advance` sets
   * it, because core reads no clock.
   */
  readonly quotedAt?: bigint
  /**
   * Unix seconds: the last one before the block after that in which the pool was read. Only pools that change
   * without a log have it: they are read again in every block.
   */
  readonly sampledAt?: bigint
  /** Other contracts whose logs may change what the pool pays, in lower case. */
  readonly watched?: readonly Address[]
  /**
   * Id of another pool whose swaps change what this one pays, as those of a base pool do. A route swaps
   * here before it swaps there, or in only one of them.
   */
  readonly ratedBy?: Hex
  /**
   * Contracts that set a rate of the pool and that its creator chose; the pool itself if it does not name them.
   */
  readonly ratedFrom?: readonly Address[]
}

/**
 * What somebody may move between a quote and its swap: no swap in the pool changes it. Each number is
 * comparable only with itself in another block.
 */
export type Movable = {
  /** Numbers that what the pool pays is proportional to, such as rates of tokens. */
  readonly rates: readonly bigint[]
  /** The fee that the pool's state names, in parts per million; 0 if none. */
  readonly feePpm: number
  /** Present if anybody lowers the rates by giving assets to those who hold shares, which nobody takes back. */
  readonly isDonatable?: true
  /** Present if the rates follow a market, so that they step in every block. */
  readonly isMarketPrice?: true
  /** Present if a contract beside the pool sets its fee in each swap. */
  readonly isFeeMoving?: true
}

/** The token in and the token out, as indices into `pool.tokens`. */
export type Direction = { readonly in: number; readonly out: number }

/**
 * A pool in one direction as a concave gain function over floats, in wei as float64. The solver
 * optimises over curves; the exact integers are used only to replay a route.
 */
export type Curve = {
  /** h(x): output for an input of x; concave, h(0) = 0, constant beyond `limit`. */
  readonly out: (amountIn: number) => number
  /** h′(x): marginal output per input after fees; never increases. */
  readonly price: (amountIn: number) => number
  /** The x at which h′(x) = price, clamped to [0, limit]. */
  readonly inputAt: (price: number) => number
  /** The largest input of the pool. */
  readonly limit: number
  /** The same function as constant-product pieces, so that hot loops call no closures. */
  readonly pieces?: Pieces
  /** Gas of each piece after the first, for a crossed tick. Absent if pieces are not ticks. */
  readonly stepGas?: number
  /** The words of the bitmap of ticks that a swap reads, or bins, if they cost gas. */
  readonly intervals?: Intervals
  /**
   * Wei of input by which the pool's integer rounding may exceed the curve: the pool pays at most
   * `out(x + extraIn)`. Absent if every rounding is in the pool's favour.
   */
  readonly extraIn?: number
  /** Present if the pool is not concave: this is its hull, and between corners it may pay less. */
  readonly isHull?: true
}

/** A pool in one direction in a few numbers, which the graph stores for each edge. */
export type Measures = {
  /** h′(0): marginal price at zero flow, after the fee. */
  readonly spot: number
  /** Input and output, in wei, of the trade that lowers this price by a given part. */
  readonly depthIn: number
  readonly depthOut: number
  /** As in {@link Curve}. */
  readonly stepGas?: number
  readonly intervals?: Intervals
  readonly extraIn?: number
}

/**
 * The interface that every pool family implements, as a module: the shape of its state, and six pure functions over
 * it.
 */
export type Family<P extends PoolBase> = {
  /**
   * The valid states: its fields with their ranges, and what holds between them. Text from outside is
   * compared with it before anything else sees the pool, and the functions may rely on it.
   */
  readonly shape: Shape<P>
  /**
   * Exact output of the pool for `amountIn` wei; `0n` if it would revert, pay nothing, or not take
   * the whole input.
   */
  readonly getAmountOut: (pool: P, direction: Direction, amountIn: bigint) => bigint
  /** The state after that swap; the same pool if `getAmountOut` returns `0n`. */
  readonly applySwap: (pool: P, direction: Direction, amountIn: bigint) => P
  /** True if the pool has no liquidity: it pays nothing for any amount, and the market sets it aside. */
  readonly isEmpty: (pool: P) => boolean
  readonly toCurve: (pool: P, direction: Direction) => Curve
  /**
   * Returns the measures of `measureCurve` in closed form, because a block may move hundreds
   * of pools of which a quote uses a few. Optional; `undefined` for a state without a closed form.
   */
  readonly measure?: (pool: P, direction: Direction, fall: number) => Measures | undefined
  /**
   * The part of `amountIn`, from 0 to 1, that is a fee; `undefined` if the pool does not separate
   * its fee from its price.
   */
  readonly feeRate: (pool: P, direction: Direction, amountIn: bigint) => number | undefined
  /** Gas of one hop through the pool, executor overhead included. */
  readonly estimateGas: (pool: P, direction: Direction, amountIn: bigint) => number
  /** The least gas of a hop, if it is not that of one wei. */
  readonly leastGas?: (pool: P) => number
}

/**
 * Every swap in a program begins with `opcode:uint8 pool:address flag:uint8`, and continues with
 * `feePpm:uint24` if it has 25 bytes or more; `bytes` is its whole length. In place of a pool that is not
 * a contract it names the pool's manager.
 */
export type SwapLayout = {
  readonly opcode: number
  readonly bytes: number
  /**
   * The meaning of the flag, if it can be checked against the tokens of a hop: that token 0 of two
   * tokens in ascending order goes in, that assets go into a vault whose shares are the pool itself,
   * the indices of two different coins, of 4 bits each, or that currency 0 goes in (1), and is the
   * native token, which is below every other (2).
   */
  readonly flag?: 'zeroForOne' | 'isDeposit' | 'coins' | 'currencies'
  /** The flag in both directions, if it does not say that token 0 goes in. */
  readonly fixedFlag?: 0 | 1
  /**
   * True if the pool is paid by a transfer before its swap, which any holder of the token can make.
   */
  readonly isPaidBefore?: boolean
  /** True if the pool pays only its caller. */
  readonly paysItsCaller?: boolean
}

/** The price of a curve at zero flow, and the trade that lowers it by the part `fall`. */
export function measureCurve(curve: Curve, fall: number): Measures {
  const { stepGas = 0, intervals, extraIn = 0 } = curve
  const spot = curve.price(0)
  const depthIn = spot > 0 ? curve.inputAt(spot * (1 - fall)) : 0
  const depthOut = spot > 0 ? curve.out(depthIn) : 0
  return { spot, depthIn, depthOut, stepGas, extraIn, ...(intervals && { intervals }) }
}
