// Loads an Algebra Integral pool, with every initialised tick and the fee of its plugin.

import type { Hex } from '@braid-swap/core'
import {
  type AlgebraIntegralPool,
  liquidityAt,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  mostIntoReserve,
  ROOM_FOR_FEES,
  type Tick,
  updateAdaptiveFee,
} from '@braid-swap/core/families'
import { addressOf, callData, signed, wordAt } from '../../reads/abiWords.js'
import { loadTicks, MAX_UINT128, ticksOfWord } from '../concentrated.js'
import { feeWords } from '../feeWords.js'
import { priceGlance } from '../glance.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import {
  GET_RESERVES,
  GLOBAL_STATE,
  LIQUIDITY,
  PLUGIN,
  TICK_TABLE,
  TICK_TREE_ROOT,
  TICK_TREE_SECOND_LAYER,
  TICKS,
} from './abi.js'
import { loadPluginFee } from './loadFee.js'

/** Reads price, liquidity and fee, then the tick tree from its root, then the plugin's fee. */
export function* load(ref: PoolRef): Load<AlgebraIntegralPool> {
  const getters = [GLOBAL_STATE, LIQUIDITY, PLUGIN, TICK_TREE_ROOT]
  const [state, liquidity, plugin, root, reserves] = yield [
    ...getters.map((data) => ({ to: ref.id, data })),
    { to: ref.id, data: GET_RESERVES, mayFail: true },
  ]
  const check = (field: string, value: bigint, min: bigint | number, max: bigint | number) =>
    inRange(value, { pool: ref.id, field, min: BigInt(min), max: BigInt(max) })
  // Forks that charge each direction its own fee, or override it, have more words.
  feeWords(state!, { pool: ref.id, field: 'globalState()', count: 6 })
  const sqrtPriceX96 = wordAt(state!, 0)
  if (sqrtPriceX96 === 0n) {
    throw new LoadError('POOL_NOT_INITIALISED', `pool ${ref.id} has no price yet`, { pool: ref.id })
  }
  const pool: AlgebraIntegralPool = {
    family: 'algebraIntegral',
    id: ref.id,
    venue: ref.venue,
    tokens: tokenPairOf(ref),
    feePpm: Number(check('lastFee', wordAt(state!, 2), 0, 65_535)),
    sqrtPriceX96: check('price', sqrtPriceX96, MIN_SQRT_PRICE_X96, MAX_SQRT_PRICE_X96 - 1n),
    tick: Number(check('tick', signed(wordAt(state!, 1)), MIN_TICK, MAX_TICK)),
    liquidity: check('liquidity', wordAt(liquidity!, 0), 0, MAX_UINT128),
    ticks: yield* loadTicksByTree(ref, wordAt(root!, 0)),
  }
  check('liquidity', pool.liquidity, liquidityAt(pool), liquidityAt(pool))
  if (reserves !== '0x') checkRoom(pool, reserves!)
  const address = addressOf(wordAt(plugin!, 0))
  const fee = yield* loadPluginFee(ref, {
    plugin: address,
    config: Number(check('pluginConfig', wordAt(state!, 3), 0, 255)),
  })
  if (!fee) return pool
  // `advance` sets quotedAt.
  const followed = { ...pool, ...fee, watched: [address], quotedAt: 0n }
  if (!fee.adaptiveFee) return followed
  // Some plugins write `lastFee` and some override it; both follow from the newest timepoint.
  const quotedAt = BigInt(fee.adaptiveFee.oracle.timepoints.at(-1)!.timestamp)
  const { feePpm } = updateAdaptiveFee({ ...followed, quotedAt })
  return { ...followed, feePpm }
}

/** Refuses a pool whose reserves, which include uncollected fees, leave less room than core counts on. */
function checkRoom(pool: AlgebraIntegralPool, answer: Hex): void {
  for (const i of [0, 1] as const) {
    const reserve = wordAt(answer, i)
    if (reserve <= ROOM_FOR_FEES) continue
    const filled = reserve + mostIntoReserve(pool, { in: i, out: 1 - i })
    const field = `reserves[${i}] and the most that a swap may add`
    inRange(filled, { pool: pool.id, field, min: 0n, max: MAX_UINT128 })
  }
}

/** Leaf w is bit w + 3466 of the second layer, so that negative leaves fit. */
const SECOND_LAYER_OFFSET = 3466

function* loadTicksByTree(ref: PoolRef, root: bigint): Load<readonly Tick[]> {
  const to = ref.id
  const nodes = ticksOfWord(`0x${root.toString(16).padStart(64, '0')}`, 0, 1)
  const layer = yield nodes.map((node) => ({ to, data: callData(TICK_TREE_SECOND_LAYER, node) }))
  const leaves = nodes
    .flatMap((node, i) => ticksOfWord(layer[i]!, node, 1))
    .map((bit) => bit - SECOND_LAYER_OFFSET)
  const words = yield leaves.map((leaf) => ({ to, data: callData(TICK_TABLE, leaf) }))
  const indices = leaves.flatMap((leaf, i) => ticksOfWord(words[i]!, leaf, 1))
  return yield* loadTicks(to, TICKS, indices)
}

/** The pool's price and liquidity. */
export const glance = (pool: AlgebraIntegralPool) => priceGlance(GLOBAL_STATE, pool)
