// Loads a Uniswap V3 pool or a fork of it, with every initialised tick.

import {
  liquidityAt,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  type Tick,
  type UniswapV3Pool,
} from '@braid-swap/core'
import { callData, signed, wordAt } from '../../reads/abiWords.js'
import { loadTicks, MAX_UINT128, ticksOfWord } from '../concentrated.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import { LIQUIDITY, SLOT0, TICK_BITMAP, TICK_SPACING, TICKS } from './abi.js'
import { loadFee } from './loadFee.js'

/**
 * Reads price, liquidity and fee, then every word of the tick bitmap, then every initialised tick.
 */
export function* load(ref: PoolRef): Load<UniswapV3Pool> {
  const [slot0, liquidity, spacing] = yield [SLOT0, LIQUIDITY, TICK_SPACING].map((data) => ({
    to: ref.id,
    data,
  }))
  const check = (field: string, value: bigint, min: bigint | number, max: bigint | number) =>
    inRange(value, { pool: ref.id, field, min: BigInt(min), max: BigInt(max) })
  const sqrtPriceX96 = wordAt(slot0!, 0)
  if (sqrtPriceX96 === 0n) {
    throw new LoadError('POOL_NOT_INITIALISED', `pool ${ref.id} has no price yet`, { pool: ref.id })
  }
  const tickSpacing = Number(check('tickSpacing', wordAt(spacing!, 0), 1, 16384))
  const pool: Omit<UniswapV3Pool, 'feePpm'> = {
    family: 'uniswapV3',
    id: ref.id,
    venue: ref.venue,
    tokens: tokenPairOf(ref),
    ...(ref.extraGas && { extraGas: ref.extraGas }),
    tickSpacing,
    sqrtPriceX96: check('sqrtPriceX96', sqrtPriceX96, MIN_SQRT_PRICE_X96, MAX_SQRT_PRICE_X96 - 1n),
    tick: Number(check('tick', signed(wordAt(slot0!, 1)), MIN_TICK, MAX_TICK)),
    liquidity: check('liquidity', wordAt(liquidity!, 0), 0, MAX_UINT128),
    ticks: yield* loadTicksByWord(ref, tickSpacing),
  }
  check('liquidity', pool.liquidity, liquidityAt(pool), liquidityAt(pool))
  return yield* loadFee(pool, { source: ref.feeSource, slot0: slot0! })
}

function* loadTicksByWord(ref: PoolRef, spacing: number): Load<readonly Tick[]> {
  const to = ref.id
  const words = wordsOf(spacing)
  const bitmaps = yield words.map((word) => ({ to, data: callData(TICK_BITMAP, word) }))
  const indices = words.flatMap((word, i) => ticksOfWord(bitmaps[i]!, word, spacing))
  return yield* loadTicks(to, TICKS, indices)
}

// A word has 256 compressed ticks; compressed = floor(tick / spacing), word = compressed >> 8.
function wordsOf(spacing: number): readonly number[] {
  const first = Math.floor(MIN_TICK / spacing) >> 8
  const last = Math.floor(MAX_TICK / spacing) >> 8
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}
