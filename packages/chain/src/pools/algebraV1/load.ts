// Loads an Algebra V1 pool, with every initialised tick and the oracle of its fee.

import type { Address, Hex } from '@braid-swap/core'
import {
  type AlgebraV1Pool,
  liquidityAt,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  type Tick,
  type VolumeFeeConfig,
} from '@braid-swap/core/families'
import { addressOf, callData, signed, wordAt } from '../../reads/abiWords.js'
import { loadTicks, MAX_UINT128, ticksOfWord } from '../concentrated.js'
import { feeWords } from '../feeWords.js'
import { priceGlance } from '../glance.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import {
  DATA_STORAGE_OPERATOR,
  DEFAULT_COMMUNITY_FEE,
  FACTORY,
  FEE_CONFIG,
  GLOBAL_STATE,
  LIQUIDITY,
  TICK_TABLE,
  TICKS,
} from './abi.js'
import { loadOracle } from './loadOracle.js'

/**
 * Reads price, liquidity and fee, then the fee configuration, then ticks and timepoints. The volume
 * of the newest timepoint's block has no getter and is read from the pool's storage. The values
 * beside it in storage must equal those of the getters.
 */
export function* load(ref: PoolRef): Load<AlgebraV1Pool> {
  const { id } = ref
  const calls = [GLOBAL_STATE, LIQUIDITY, DATA_STORAGE_OPERATOR, FACTORY]
  const answers = yield calls.map((data) => ({ to: id, data }))
  const [state, inRangeWord, operatorWord, factory] = answers as [Hex, Hex, Hex, Hex]
  checkForm(ref, state)
  const check = (field: string, value: bigint, min: bigint | number, max: bigint | number) =>
    inRange(value, { pool: id, field, min: BigInt(min), max: BigInt(max) })
  const price = wordAt(state, 0)
  const liquidity = check('liquidity', wordAt(inRangeWord, 0), 0, MAX_UINT128)
  const operator = addressOf(wordAt(operatorWord, 0))
  const [config, newer, ...slots] = yield [
    { to: operator, data: FEE_CONFIG },
    { to: addressOf(wordAt(factory, 0)), data: DEFAULT_COMMUNITY_FEE, mayFail: true },
    { to: id, data: GLOBAL_STATE_SLOT, isSlot: true },
    { to: id, data: LIQUIDITY_SLOT, isSlot: true },
  ]
  const volumePerLiquidityX64 = volumeOf(ref, { state, liquidity, slots })
  const asked = { pool: id, field: 'defaultCommunityFee()', count: 1 }
  if (newer !== '0x') feeWords(newer!, asked)
  const ticksPerBit = newer === '0x' ? TICKS_PER_BIT_1_0 : TICKS_PER_BIT_1_9
  const index = Number(check('timepointIndex', wordAt(state, 3), 0, 65_535))
  const pool: AlgebraV1Pool = {
    ...{ family: 'algebraV1', id, venue: ref.venue, tokens: tokenPairOf(ref) },
    feePpm: Number(check('fee', wordAt(state, 2), 0, 65_535)),
    feeConfig: configOf(id, config!),
    ticksPerBit,
    sqrtPriceX96: check('price', price, MIN_SQRT_PRICE_X96, MAX_SQRT_PRICE_X96 - 1n),
    tick: Number(check('tick', signed(wordAt(state, 1)), MIN_TICK, MAX_TICK)),
    liquidity,
    ticks: yield* loadTicksByRow(id, ticksPerBit),
    oracle: yield* loadOracle(operator, { pool: id, index, volumePerLiquidityX64 }),
    // `advance` sets quotedAt.
    ...{ watched: [operator], quotedAt: 0n },
  }
  check('liquidity', pool.liquidity, liquidityAt(pool), liquidityAt(pool))
  return pool
}

/** Ticks per bit of the tick table: 1.0 has a bit per tick spacing of 60, 1.9 a bit per tick. */
const TICKS_PER_BIT_1_0 = 60
const TICKS_PER_BIT_1_9 = 1

const GLOBAL_STATE_WORDS = 7

/** Rejects the fork with a fee per direction, whose `globalState()` has one more word. */
function checkForm({ id }: PoolRef, state: Hex): void {
  const words = (state.length - 2) / 64
  if (words !== GLOBAL_STATE_WORDS) {
    throw new LoadError(
      'POOL_FORM_UNKNOWN',
      `globalState() of pool ${id} has ${words} words instead of ${GLOBAL_STATE_WORDS}`,
      { pool: id, got: `${words}`, wanted: `${GLOBAL_STATE_WORDS}` },
    )
  }
  if (wordAt(state, 0) === 0n) {
    throw new LoadError('POOL_NOT_INITIALISED', `pool ${id} has no price yet`, { pool: id })
  }
}

// PoolState of v1-core@1.0.0: two fee accumulators precede these slots.
const GLOBAL_STATE_SLOT = '0x2' as const
const LIQUIDITY_SLOT = '0x3' as const

/**
 * volumePerLiquidityInBlock, the high 128 bits of the liquidity slot. Throws if the rest of the two
 * slots differs from what the getters returned.
 */
function volumeOf(
  { id }: PoolRef,
  read: { readonly state: Hex; readonly liquidity: bigint; readonly slots: readonly Hex[] },
): bigint {
  const { state, liquidity, slots } = read
  const [stateSlot, liquiditySlot] = slots.map((slot) => wordAt(slot, 0)) as [bigint, bigint]
  // From the lowest bit: price, tick, fee, timepointIndex.
  const widths = [160n, 24n, 16n, 16n]
  let [packed, shift] = [0n, 0n]
  for (const [i, width] of widths.entries()) {
    packed |= BigInt.asUintN(Number(width), wordAt(state, i)) << shift
    shift += width
  }
  const isSame =
    BigInt.asUintN(Number(shift), stateSlot) === packed &&
    BigInt.asUintN(128, liquiditySlot) === liquidity
  if (isSame) return liquiditySlot >> 128n
  throw new LoadError('POOL_FORM_UNKNOWN', `the storage of pool ${id} differs from its getters`, {
    pool: id,
    slot2: `${stateSlot}`,
    slot3: `${liquiditySlot}`,
  })
}

function* loadTicksByRow(to: Address, ticksPerBit: number): Load<readonly Tick[]> {
  const first = Math.floor(MIN_TICK / ticksPerBit) >> 8
  const last = Math.floor(MAX_TICK / ticksPerBit) >> 8
  const rows = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const words = yield rows.map((row) => ({ to, data: callData(TICK_TABLE, row) }))
  const indices = rows.flatMap((row, i) => ticksOfWord(words[i]!, row, ticksPerBit))
  return yield* loadTicks(to, TICKS, indices)
}

function configOf(pool: Address, answer: Hex): VolumeFeeConfig {
  const words = feeWords(answer, { pool, field: 'feeConfig()', count: 9 })
  const field = (index: number, name: string, [min, bits]: readonly [bigint, bigint]) =>
    Number(
      inRange(words[index]!, {
        ...{ pool, field: `feeConfig.${name}`, min, max: (1n << bits) - 1n },
      }),
    )
  const config = {
    alpha1: field(0, 'alpha1', [0n, 16n]),
    alpha2: field(1, 'alpha2', [0n, 16n]),
    beta1: field(2, 'beta1', [0n, 32n]),
    beta2: field(3, 'beta2', [0n, 32n]),
    gamma1: field(4, 'gamma1', [1n, 16n]),
    gamma2: field(5, 'gamma2', [1n, 16n]),
    volumeBeta: field(6, 'volumeBeta', [0n, 32n]),
    volumeGamma: field(7, 'volumeGamma', [1n, 16n]),
    baseFee: field(8, 'baseFee', [0n, 16n]),
  }
  const most = config.baseFee + config.alpha1 + config.alpha2
  inRange(BigInt(most), { pool, field: 'feeConfig maximum', min: 0n, max: 65_535n })
  return config
}

/** The pool's price and liquidity. */
export const glance = (pool: AlgebraV1Pool) => priceGlance(GLOBAL_STATE, pool)
