// Reads and follows ticks, for every family of concentrated liquidity. Each new state is checked:
// the net liquidity of the ticks below the price must sum to the active liquidity.

import type { Address, Hex } from '@braid-swap/core'
import { type Concentrated, liquidityAt, type Tick } from '@braid-swap/core/families'
import { callData, signed, wordAt } from '../reads/abiWords.js'
import { inRange } from './loadError.js'
import type { Load } from './loader.js'

/** The largest liquidity that a pool can have. */
export const MAX_UINT128 = (1n << 128n) - 1n

/** The ticks marked in a 256-bit word of a bitmap: bit b of word w is (256·w + b)·ticksPerBit. */
export function ticksOfWord(answer: Hex, word: number, ticksPerBit: number): readonly number[] {
  let bits = wordAt(answer, 0)
  const indices: number[] = []
  for (let bit = 0; bits !== 0n; bit++, bits >>= 1n) {
    if (bits & 1n) indices.push((word * 256 + bit) * ticksPerBit)
  }
  return indices
}

/** Reads `ticks(int24)` at each index; the net liquidity is the second word. */
export function* loadTicks(
  to: Address,
  selector: Hex,
  indices: readonly number[],
): Load<readonly Tick[]> {
  const answers = yield indices.map((index) => ({ to, data: callData(selector, index) }))
  return indices.map((index, i) => ({
    index,
    liquidityNet: inRange(signed(wordAt(answers[i]!, 1)), {
      pool: to,
      field: `ticks[${index}].liquidityNet`,
      min: -MAX_INT128,
      max: MAX_INT128,
    }),
  }))
}

/** The pool at the price of a log; `'reload'` if its ticks do not sum to the liquidity. */
export function withPrice<P extends Concentrated>(
  pool: P,
  price: Pick<Concentrated, 'sqrtPriceX96' | 'tick' | 'liquidity'>,
): P | 'reload' {
  return checked({ ...pool, ...price })
}

/** Liquidity added to a range of ticks; negative if removed. */
export type LiquidityChange = {
  readonly lower: number
  readonly upper: number
  readonly amount: bigint
}

/**
 * The pool after a change of liquidity. `'reload'` if the change does not determine the state: a
 * burn that leaves a tick with zero net liquidity may or may not have removed the tick, and ticks
 * that do not sum to the liquidity mean a missed log.
 */
export function withLiquidity<P extends Concentrated>(
  pool: P,
  { lower, upper, amount }: LiquidityChange,
): P | 'reload' {
  // Owners burn zero liquidity to collect their fees.
  if (amount === 0n) return pool
  const ticks = addNet(addNet(pool.ticks, lower, amount), upper, -amount)
  const emptied = ticks.some(
    ({ index, liquidityNet }) => liquidityNet === 0n && (index === lower || index === upper),
  )
  if (emptied && amount < 0n) return 'reload'
  const inside = lower <= pool.tick && pool.tick < upper
  return checked({ ...pool, ticks, liquidity: pool.liquidity + (inside ? amount : 0n) })
}

const MAX_INT128 = (1n << 127n) - 1n

function checked<P extends Concentrated>(pool: P): P | 'reload' {
  return liquidityAt(pool) === pool.liquidity ? pool : 'reload'
}

function addNet(ticks: readonly Tick[], index: number, amount: bigint): readonly Tick[] {
  const at = ticks.findIndex((tick) => tick.index >= index)
  const found = at === -1 ? undefined : ticks[at]
  if (found?.index !== index) {
    const position = at === -1 ? ticks.length : at
    return ticks.toSpliced(position, 0, { index, liquidityNet: amount })
  }
  return ticks.with(at, { index, liquidityNet: found.liquidityNet + amount })
}
