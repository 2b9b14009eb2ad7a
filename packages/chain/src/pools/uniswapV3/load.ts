// Loads a Uniswap V3 pool or a fork of it, with every initialised tick.

import type { Address, Hex } from '@braid-swap/core'
import {
  liquidityAt,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  type Tick,
  type UniswapV3Pool,
} from '@braid-swap/core/families'
import { callData, signed, wordAt } from '../../reads/abiWords.js'
import { scanCalls, scannedWords } from '../../reads/bitmapScan.js'
import { loadTicks, MAX_UINT128, ticksOfWord } from '../concentrated.js'
import { priceGlance } from '../glance.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import { LIQUIDITY, SLOT0, TICK_BITMAP, TICK_SPACING, TICKS } from './abi.js'
import { loadFee } from './loadFee.js'

/**
 * Reads price, liquidity and fee, then the tick bitmap, then every initialised tick.
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
  return yield* loadFee(pool, { ref, slot0: slot0! })
}

function* loadTicksByWord({ id: to }: PoolRef, spacing: number): Load<readonly Tick[]> {
  const words = wordsOf(spacing)
  const marked = (yield* scanBitmap(to, words)) ?? (yield* readBitmap(to, words))
  const indices = marked.flatMap(([word, bits]) => ticksOfWord(bits, word, spacing))
  return yield* loadTicks(to, TICKS, indices)
}

/** The words that are not zero; `undefined` if the node does not scan them. */
function* scanBitmap(to: Address, words: readonly number[]): Load<Words | undefined> {
  const parts = yield scanCalls(to, TICK_BITMAP, { first: words[0]!, end: words.at(-1)! + 1 })
  return parts.includes('0x') ? undefined : parts.flatMap(scannedWords)
}

function* readBitmap(to: Address, words: readonly number[]): Load<Words> {
  const answers = yield words.map((word) => ({ to, data: callData(TICK_BITMAP, word) }))
  return words.map((word, i) => [word, answers[i]!])
}

type Words = readonly (readonly [word: number, bits: Hex])[]

// A word has 256 compressed ticks; compressed = floor(tick / spacing), word = compressed >> 8.
function wordsOf(spacing: number): readonly number[] {
  const first = Math.floor(MIN_TICK / spacing) >> 8
  const last = Math.floor(MAX_TICK / spacing) >> 8
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/** The pool's price and liquidity. */
export const glance = (pool: UniswapV3Pool) => priceGlance(SLOT0, pool)
