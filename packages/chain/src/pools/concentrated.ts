import { type Address, type Concentrated, type Hex, liquidityAt, type Tick } from '@braid-swap/core'
import { callData, signed, wordAt } from '../words.js'
import { inRange } from './loadError.js'
import type { Load } from './loader.js'

/** The largest liquidity that a pool holds. */
export const MAX_UINT128 = (1n << 128n) - 1n

/** Which ticks a word of 256 bits marks, in ticks: bit b of word w is (256·w + b)·ticksPerBit. */
export function ticksOfWord(answer: Hex, word: number, ticksPerBit: number): readonly number[] {
  let bits = wordAt(answer, 0)
  const indices: number[] = []
  for (let bit = 0; bits !== 0n; bit++, bits >>= 1n) {
    if (bits & 1n) indices.push((word * 256 + bit) * ticksPerBit)
  }
  return indices
}

/** Reads `ticks(int24)` of each index, where the liquidity that joins is the second word. */
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

/** The pool with a price that a log states; `'reload'` if its ticks do not add up to the liquidity. */
export function withPrice<P extends Concentrated>(
  pool: P,
  price: Pick<Concentrated, 'sqrtPriceX96' | 'tick' | 'liquidity'>,
): P | 'reload' {
  return checked({ ...pool, ...price })
}

/** Liquidity that joins a range of ticks, or leaves it if negative. */
export type LiquidityChange = {
  readonly lower: number
  readonly upper: number
  readonly amount: bigint
}

/**
 * The pool after a change of liquidity. `'reload'` where the change does not tell: one that leaves
 * a tick with no net liquidity may or may not have emptied it, and a sum that does not come out
 * means a log was missed.
 */
export function withLiquidity<P extends Concentrated>(
  pool: P,
  { lower, upper, amount }: LiquidityChange,
): P | 'reload' {
  // A burn of nothing is how owners settle their fees.
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
