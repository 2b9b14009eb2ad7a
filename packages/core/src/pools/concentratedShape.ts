/**
 * The shape of concentrated liquidity, and what holds between price, tick, liquidity and the list of
 * ticks. Every position adds at one tick what it takes away at another, so a list of ticks that lost an
 * entry cannot be mistaken for another pool.
 */
import type { Concentrated, Tick } from '../math/concentrated.js'
import {
  getSqrtPriceAtTick,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
} from '../math/tickMath.js'
import { type Fault, int, integer, list, number, record, uint } from '../shape/shape.js'
import { faultOfOrder, firstFault } from './poolFields.js'

/** An index of a tick. */
export const tickIndex = number(MIN_TICK, MAX_TICK)

/** The fields of `Concentrated`. */
export const concentratedFields = {
  sqrtPriceX96: integer(MIN_SQRT_PRICE_X96, MAX_SQRT_PRICE_X96 - 1n),
  tick: tickIndex,
  liquidity: uint(128),
  ticks: list(record<Tick>({ index: tickIndex, liquidityNet: int(128) })),
} as const

/** The first fault between the fields; ticks lie on multiples of `ticksPerBit`. */
export function faultOfConcentrated(pool: Concentrated, ticksPerBit = 1): Fault | undefined {
  return firstFault(
    faultOfPrice(pool),
    faultOfOrder(['ticks', 'index'], indicesOf(pool)),
    faultOfSpacing(pool, ticksPerBit),
    faultOfLiquidity(pool),
  )
}

function indicesOf({ ticks }: Concentrated): readonly number[] {
  return ticks.map(({ index }) => index)
}

const LN_TICK = Math.log1p(1e-4)
// A float is certain of the tick of a price that is further than this from both ends of the tick.
const CLOSE = 1e-6

/**
 * The tick is that of the price. A swap that ends exactly at the lower end of a tick leaves the tick
 * below, so both ends of its range are possible.
 */
function faultOfPrice({ sqrtPriceX96, tick }: Concentrated): Fault | undefined {
  const exact = (2 * Math.log(Number(sqrtPriceX96) / 2 ** 96)) / LN_TICK
  if (exact > tick + CLOSE && exact < tick + 1 - CLOSE) return undefined
  const isAbove = sqrtPriceX96 >= getSqrtPriceAtTick(tick)
  const isBelow = tick === MAX_TICK || sqrtPriceX96 <= getSqrtPriceAtTick(tick + 1)
  if (isAbove && isBelow) return undefined
  return { field: 'tick', got: `${tick}`, wanted: `the tick of the price ${sqrtPriceX96}` }
}

function faultOfSpacing({ ticks }: Concentrated, ticksPerBit: number): Fault | undefined {
  const at = ticksPerBit === 1 ? -1 : ticks.findIndex(({ index }) => index % ticksPerBit !== 0)
  if (at === -1) return undefined
  const wanted = `a multiple of ${ticksPerBit}`
  return { field: `ticks[${at}].index`, got: `${ticks[at]!.index}`, wanted }
}

const MAX_UINT128 = (1n << 128n) - 1n

/** Liquidity is the sum of the changes below the price, is nowhere negative, and ends as nothing. */
function faultOfLiquidity({ ticks, tick, liquidity }: Concentrated): Fault | undefined {
  let sum = 0n
  let inRange = 0n
  for (const [i, { index, liquidityNet }] of ticks.entries()) {
    sum += liquidityNet
    if (index <= tick) inRange = sum
    if (sum < 0n || sum > MAX_UINT128) {
      const wanted = 'a change that leaves a liquidity from 0 to 2^128-1'
      return { field: `ticks[${i}].liquidityNet`, got: `${liquidityNet}`, wanted }
    }
  }
  if (sum !== 0n) {
    return { field: 'ticks', got: `changes of liquidity that sum to ${sum}`, wanted: 'a sum of 0' }
  }
  if (inRange === liquidity) return undefined
  const wanted = `${inRange}, the sum of the changes up to tick ${tick}`
  return { field: 'liquidity', got: `${liquidity}`, wanted }
}
