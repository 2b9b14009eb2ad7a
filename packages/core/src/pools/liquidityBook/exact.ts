// Swaps of a Liquidity Book pair in integers, bin by bin, with the contract's rounding.

import { divUp } from '../../math/fullMath.js'
import type { Direction } from '../family.js'
import { type Quota, quotasOf } from './bins.js'
import { memoryAfter } from './fee.js'
import type { Bin, LiquidityBookPool, VariableFeeParameters } from './pool.js'

const FEE_ONE = 10n ** 18n
const BIPS = 10_000n
const MAX_UINT128 = (1n << 128n) - 1n

/** Exact output of the pair; `0n` if it would revert or its bins cannot take the whole input. */
export function getAmountOut(
  pool: LiquidityBookPool,
  direction: Direction,
  amountIn: bigint,
): bigint {
  return swapOf(pool, direction, amountIn)?.amountOut ?? 0n
}

/** The pair after that swap: reserves of its bins without the protocol's fees, and the fee's memory. */
export function applySwap(
  pool: LiquidityBookPool,
  direction: Direction,
  amountIn: bigint,
): LiquidityBookPool {
  const swap = swapOf(pool, direction, amountIn)
  if (!swap) return pool
  const changed = new Map(swap.parts.map(({ bin }) => [bin.id, bin]))
  const bins = pool.bins.map((bin) => changed.get(bin.id) ?? bin)
  return { ...pool, activeId: swap.activeId, variableFee: swap.variableFee, bins }
}

/** Returns whether no bin holds anything. */
export function isEmpty({ bins }: LiquidityBookPool): boolean {
  return bins.every(({ reserves: [x, y] }) => x === 0n && y === 0n)
}

/** The effect of a swap on one bin: `bin` is the bin afterwards, `fee` in 10⁻¹⁸ of `amountIn`. */
export type Part = {
  readonly bin: Bin
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly fee: bigint
}

/** A swap, bin by bin. */
export type BinSwap = {
  readonly amountOut: bigint
  readonly activeId: number
  readonly variableFee: VariableFeeParameters
  readonly parts: readonly Part[]
}

/** The swap of exactly `amountIn`; `undefined` if the pair would revert. `LBPair.swap`. */
export function swapOf(
  pool: LiquidityBookPool,
  direction: Direction,
  amountIn: bigint,
): BinSwap | undefined {
  const i = direction.in as 0 | 1
  if (amountIn <= 0n || amountIn > roomOf(pool, i)) return undefined
  let left = amountIn
  let amountOut = 0n
  const parts: Part[] = []
  for (const quota of quotasOf(pool, i)) {
    const part = partOf(pool, { quota, i, left })
    left -= part.amountIn
    amountOut += part.amountOut
    parts.push(part)
    if (left > 0n) continue
    if (amountOut === 0n) return undefined
    const variableFee = memoryAfter(pool, quota.volatility)
    return { amountOut, activeId: quota.bin.id, variableFee, parts }
  }
  return undefined
}

/** The most of a token that the pair can take, because its balance must fit a uint128. */
export function roomOf({ bins }: LiquidityBookPool, i: 0 | 1): bigint {
  return bins.reduce((room, { reserves }) => room - reserves[i], MAX_UINT128)
}

/**
 * Returns the part of `left` that a bin takes, and its payment: all that it has if `left` covers its quota, else
 * ⌈left·f/10¹⁸⌉ is the fee and the output of the rest is floored. `BinHelper.getAmounts`.
 */
function partOf(
  { staticFee }: LiquidityBookPool,
  at: { readonly quota: Quota; readonly i: 0 | 1; readonly left: bigint },
): Part {
  const { i, left } = at
  const { bin, fee, price, amountIn: all, feeIn: feeOfAll } = at.quota
  const reserve = bin.reserves[1 - i]!
  const isAll = left >= all
  const charged = isAll ? feeOfAll : divUp(left * fee, FEE_ONE)
  const net = left - charged
  const floored = i === 0 ? (net * price) >> 128n : (net << 128n) / price
  const amountIn = isAll ? all : left
  const amountOut = isAll || floored > reserve ? reserve : floored
  const kept = amountIn - (charged * staticFee.protocolShare) / BIPS
  const [x, y] = bin.reserves
  const reserves =
    i === 0 ? ([x + kept, y - amountOut] as const) : ([x - amountOut, y + kept] as const)
  return { bin: { id: bin.id, reserves }, amountIn, amountOut, fee }
}
