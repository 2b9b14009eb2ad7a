/** Swaps of concentrated pools that bytecode recorded, also up to a price limit: core must end where the pool did. */
import { describe, expect, it } from 'vitest'
import type { SaleEnd, Tick } from '../math/concentrated.js'
import { getAmountOut, type Pool } from '../pools/index.js'

/** A recorded swap, in Algebra's names; a negative amount is an exact output. */
export type RecordedSwap = {
  readonly name: string
  readonly zeroToOne: boolean
  readonly amountRequired: string
  readonly limitSqrtPrice: string | null
  readonly amount0: string
  readonly amount1: string
  readonly tickAfter: number
  readonly revert?: boolean | string
  /** Says that the pool's caller reverted. */
  readonly revertIsNotMath?: string
}

/** A recorded state of an Algebra pool. */
export type RecordedState = {
  readonly fee: number
  readonly price: string
  readonly tick: number
  readonly liquidity: string
  readonly ticks: readonly { readonly index: number; readonly liquidityNet: string }[]
}

/** The part of a pool that a recorded state of Algebra determines. */
export function readState({ fee, price, tick, liquidity, ticks }: RecordedState) {
  return {
    ...{ feePpm: fee, sqrtPriceX96: BigInt(price), tick, liquidity: BigInt(liquidity) },
    ticks: ticks.map((one): Tick => ({ ...one, liquidityNet: BigInt(one.liquidityNet) })),
  }
}

/** A test for each swap that was recorded of a pool. */
export function describeRecordedSwaps<P extends Pool>(
  description: string,
  of: {
    readonly pool: P
    readonly swaps: readonly RecordedSwap[]
    readonly sellFrom: (
      pool: P,
      zeroToOne: boolean,
      amountIn: bigint,
      limitX96?: bigint,
    ) => SaleEnd | undefined
  },
): void {
  describe(description, () => {
    for (const swap of of.swaps) {
      const exception = exceptionOf(swap)
      it.skipIf(exception)(`${swap.name}${exception ? `: ${exception}` : ''}`, () => {
        const amountIn = BigInt(swap.amountRequired)
        const limit = swap.limitSqrtPrice === null ? undefined : BigInt(swap.limitSqrtPrice)
        const end = of.sellFrom(of.pool, swap.zeroToOne, amountIn, limit)
        if (swap.revert) return expect(end).toBeUndefined()
        const [paidIn, paidOut] = swap.zeroToOne
          ? [BigInt(swap.amount0), -BigInt(swap.amount1)]
          : [BigInt(swap.amount1), -BigInt(swap.amount0)]
        const remaining = amountIn - paidIn
        expect(end).toMatchObject({ remaining, amountOut: paidOut, tick: swap.tickAfter })
        if (limit !== undefined) return
        const direction = swap.zeroToOne ? { in: 0, out: 1 } : { in: 1, out: 0 }
        expect(getAmountOut(of.pool, direction, amountIn)).toBe(remaining === 0n ? paidOut : 0n)
      })
    }
  })
}

/** Says why a row is not reproduced. */
function exceptionOf({ amountRequired, revertIsNotMath }: RecordedSwap): string | undefined {
  if (BigInt(amountRequired) < 0n) return 'exact out, which Braid does not quote'
  return revertIsNotMath && 'refused by its caller, see getAmountOut: more than a uint128'
}
