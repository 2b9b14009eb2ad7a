/**
 * A family of pools written outside core: two tokens at a fixed rate, as a redemption contract or a peg
 * module offers them. Input of its functions: a state; output: exact integers for the replay, a curve for
 * the solver, and bytes for the executor. The contract is called like a Uniswap V3 pool, so its hops are
 * encoded with that opcode: the executor on chain knows no other.
 */
import { type Address, uniswapV3 } from '@braid-swap/core'
import {
  type Curve,
  choice,
  type Direction,
  faultOfSorting,
  feePpm,
  integer,
  type PoolBase,
  pair,
  piecesCurve,
  piecesOfLines,
  poolFields,
  record,
  type Shape,
  twoTokens,
  uint,
} from '@braid-swap/core/family'

/** Two tokens at a fixed rate. */
export type FixedRatePool = PoolBase & {
  readonly family: 'fixedRate'
  readonly tokens: readonly [Address, Address]
  /** Wei of token 1 for 10¹⁸ wei of token 0, before the fee. */
  readonly rate: bigint
  /** Wei that the contract has of each token. */
  readonly reserves: readonly [bigint, bigint]
  /** Fee on the input, in parts per million. */
  readonly feePpm: number
}

// Makes these pools a part of core's type `Pool`.
declare module '@braid-swap/core' {
  interface OutsidePools {
    readonly fixedRate: FixedRatePool
  }
}

const FEE_ONE = 1_000_000n
const RATE_ONE = 10n ** 18n
const RESERVE_BITS = 112
const MAX_RESERVE = (1n << BigInt(RESERVE_BITS)) - 1n

/** What a state may be: text from outside is compared with it before any function sees the pool. */
export const shape: Shape<FixedRatePool> = record<FixedRatePool>(
  {
    ...poolFields,
    family: choice('fixedRate'),
    tokens: twoTokens,
    rate: integer(1n, 10n ** 36n),
    reserves: pair(uint(RESERVE_BITS)),
    feePpm,
  },
  faultOfSorting,
)

/** The price of a direction as a fraction, after the fee. */
function priceOf({ rate, feePpm: fee }: FixedRatePool, direction: Direction) {
  const kept = FEE_ONE - BigInt(fee)
  return direction.in === 0
    ? { numerator: kept * rate, denominator: FEE_ONE * RATE_ONE }
    : { numerator: kept * RATE_ONE, denominator: FEE_ONE * rate }
}

/** y = ⌊x·(1−φ)·r⌋ in wei; `0n` if the contract has less, or cannot take the input. */
export function getAmountOut(pool: FixedRatePool, direction: Direction, amountIn: bigint): bigint {
  if (amountIn <= 0n) return 0n
  const { numerator, denominator } = priceOf(pool, direction)
  const amountOut = (amountIn * numerator) / denominator
  const isPaid = amountOut <= pool.reserves[direction.out as 0 | 1]
  const isTaken = pool.reserves[direction.in as 0 | 1] + amountIn <= MAX_RESERVE
  return isPaid && isTaken ? amountOut : 0n
}

/** The reserves after the swap; the same pool if it is not possible. */
export function applySwap(
  pool: FixedRatePool,
  direction: Direction,
  amountIn: bigint,
): FixedRatePool {
  const amountOut = getAmountOut(pool, direction, amountIn)
  if (amountOut === 0n) return pool
  const [reserve0, reserve1] = pool.reserves
  return {
    ...pool,
    reserves:
      direction.in === 0
        ? [reserve0 + amountIn, reserve1 - amountOut]
        : [reserve0 - amountOut, reserve1 + amountIn],
  }
}

/** Whether the contract has nothing of either token. */
export function isEmpty({ reserves }: FixedRatePool): boolean {
  return reserves[0] === 0n && reserves[1] === 0n
}

// Some units of float precision, so that no rounding exceeds the reserve.
const ROOM = 1 - 2 ** -46

/** One straight line that ends where the reserve of the token out ends. */
export function toCurve(pool: FixedRatePool, direction: Direction): Curve {
  const { numerator, denominator } = priceOf(pool, direction)
  const price = Number(numerator) / Number(denominator)
  const paid = Number(pool.reserves[direction.out as 0 | 1]) / price
  const taken = Number(MAX_RESERVE - pool.reserves[direction.in as 0 | 1])
  const end = Math.min(paid, taken) * ROOM
  return piecesCurve(undefined, () => piecesOfLines(end > 0 ? [{ end, price }] : []))
}

/** The fee as part of the input, from 0 to 1. */
export function feeRate({ feePpm: fee }: FixedRatePool): number {
  return fee / 1e6
}

/** Gas of one hop. A real family measures it on a chain. */
export function estimateGas(): number {
  return 95_000
}

/** Opcode and length of its hops: those of a Uniswap V3 pool. */
export const swapLayout = uniswapV3.swapLayout

/** The bytes of a hop, which are those of a Uniswap V3 pool at the same address. */
export function encodeSwap(pool: FixedRatePool, direction: Direction) {
  return uniswapV3.encodeSwap(pool, direction)
}
