import type { Address, Hex } from '@braid-swap/core'
import { type DynamicFee, feePpmOf, type UniswapV3Pool } from '@braid-swap/core/families'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import { CLOCK } from '../../reads/clock.js'
import { feeWords, wordCount } from '../feeWords.js'
import { inRange, LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import { requireModules } from '../modules.js'
import {
  CURRENT_FEE,
  CUSTOM_FEE,
  DEFAULT_FEE_CAP,
  DEFAULT_SCALING_FACTOR,
  DYNAMIC_FEE_CONFIG,
  FACTORY,
  FEE,
  SECONDS_AGO,
  SWAP_FEE_MODULE,
  TICK_SPACING_TO_FEE,
} from './abi.js'
import { loadOracle } from './loadOracle.js'

type Feeless = Omit<UniswapV3Pool, 'feePpm'>

/** The pool with its fee, or with what its fee is made of. */
export function* loadFee(
  pool: Feeless,
  { ref, slot0 }: { readonly ref: PoolRef; readonly slot0: Hex },
): Load<UniswapV3Pool> {
  const source = ref.feeSource
  if (source === 'swapFeeModule') return yield* loadModuleFee(pool, { ref, slot0 })
  const calls = [{ to: pool.id, data: FEE }]
  // Some builds have both, and their `fee()` may be out of date.
  if (source === 'currentFee') {
    const [fee, current] = yield [...calls, { to: pool.id, data: CURRENT_FEE, mayFail: true }]
    if (current === '0x') return withFee(pool, wordOf(pool, 'fee()', fee!))
    return withFee(pool, wordOf(pool, 'currentFee()', current!))
  }
  const [fee] = yield calls
  return withFee(pool, wordOf(pool, 'fee()', fee!))
}

function withFee(pool: Feeless, fee: bigint): UniswapV3Pool {
  return { ...pool, feePpm: Number(inRange(fee, boundsOf(pool, 'feePpm', 999_999))) }
}

function wordOf({ id }: Feeless, field: string, answer: Hex): bigint {
  return feeWords(answer, { pool: id, field, count: 1 })[0]!
}

const MAX_MODULE_FEE_PPM = 100_000n

/** A module's custom fee that means no fee at all; 0 means that none is set. */
const NO_FEE = 420n

/**
 * The fee of a Slipstream factory: by tick spacing, by pool, or moving. The module's code must be known or named by
 * the venue; the shape of all its answers determines the rule. A module with answers of another shape is unknown,
 * even if its current fee equals that of a known rule. The computed fee must equal the fee that the pool reports.
 */
function* loadModuleFee(
  pool: Feeless,
  { ref, slot0 }: { readonly ref: PoolRef; readonly slot0: Hex },
): Load<UniswapV3Pool> {
  const [factoryWord] = yield [{ to: pool.id, data: FACTORY }]
  const factory = addressOf(wordOf(pool, 'factory()', factoryWord!))
  const [moduleWord, tierWord] = yield [
    { to: factory, data: SWAP_FEE_MODULE },
    { to: factory, data: callData(TICK_SPACING_TO_FEE, pool.tickSpacing) },
  ]
  const module = addressOf(wordOf(pool, 'swapFeeModule()', moduleWord!))
  const tierFee = wordOf(pool, 'tickSpacingToFee(int24)', tierWord!)
  const tier = inRange(tierFee, boundsOf(pool, 'tickSpacingToFee', 100_000))
  const watched = [factory, module].filter((address) => BigInt(address) !== 0n)
  // Without a module every pool pays the fee of its tick spacing.
  if (BigInt(module) === 0n) return yield* confirmed({ ...pool, watched, feePpm: Number(tier) })
  yield* requireModules(ref, [module])
  const { base, settings } = moduleFeeOf(pool, module, yield settingsCalls(module, pool.id))
  const chosen = base === NO_FEE ? 0n : inRange(base || tier, boundsOf(pool, 'base fee', 500_000))
  if (settings === undefined || base === NO_FEE) {
    // The factory takes no more than that from a module.
    const feePpm = Number(chosen > MAX_MODULE_FEE_PPM ? tier : chosen)
    return yield* confirmed({ ...pool, watched, feePpm })
  }
  const moving = yield* movingFee(pool, { settings, slot0, tier })
  return yield* confirmed({ ...pool, watched, feePpm: Number(chosen), ...moving })
}

const SETTINGS = {
  dynamicFeeConfig: DYNAMIC_FEE_CONFIG,
  customFee: CUSTOM_FEE,
  defaultScalingFactor: DEFAULT_SCALING_FACTOR,
  defaultFeeCap: DEFAULT_FEE_CAP,
  secondsAgo: SECONDS_AGO,
}

/**
 * Words that each of {@link SETTINGS} has in the modules that are known. A later build of the moving
 * one answers a config of five words: its fee is another in the first swap of a block.
 */
const FIXED_MODULE = '0,1,0,0,0'
const MOVING_MODULES: readonly string[] = ['3,1,1,1,1', '3,0,1,1,1']

function settingsCalls(module: Address, pool: Address) {
  return Object.values(SETTINGS).map((selector) => {
    const isOfPool = selector === DYNAMIC_FEE_CONFIG || selector === CUSTOM_FEE
    const data = isOfPool ? callData(selector, BigInt(pool)) : selector
    return { to: module, data, mayFail: true as const }
  })
}

type Settings = {
  readonly scalingFactor: bigint
  readonly cap: bigint
  readonly secondsAgo: bigint
}

/** A module's own fee for the pool, 0 for none; and a moving fee's settings, if it moves. */
function moduleFeeOf(
  pool: Feeless,
  module: Address,
  answers: readonly Hex[],
): { readonly base: bigint; readonly settings?: Settings } {
  const [config, custom, scaling, cap, secondsAgo] = answers as [Hex, Hex, Hex, Hex, Hex]
  const shape = answers.map(wordCount).join()
  if (shape === FIXED_MODULE) return { base: wordAt(custom, 0) }
  if (!MOVING_MODULES.includes(shape)) {
    throw new LoadError(
      'POOL_FEE_UNKNOWN',
      `the fee module ${module} of pool ${pool.id} is none that is known: ${Object.keys(SETTINGS)} answer ${shape} words`,
      { pool: pool.id, module, got: shape, wanted: [FIXED_MODULE, ...MOVING_MODULES].join(' or ') },
    )
  }
  const own = wordAt(config, 2)
  const settings = {
    scalingFactor: own === 0n ? wordAt(scaling, 0) : own,
    cap: own === 0n ? wordAt(cap, 0) : wordAt(config, 1),
    secondsAgo: wordAt(secondsAgo, 0),
  }
  return { base: wordAt(config, 0), settings }
}

function* movingFee(
  pool: Feeless,
  module: { readonly settings: Settings; readonly slot0: Hex; readonly tier: bigint },
): Load<{ readonly dynamicFee: DynamicFee; readonly quotedAt: bigint }> {
  const { settings, slot0, tier } = module
  feeWords(slot0, { pool: pool.id, field: 'slot0()', count: 6 })
  const { scalingFactor, cap } = settings
  // An average over more than a month is no setting of this module.
  const longest = 131_070
  const secondsAgo = Number(inRange(settings.secondsAgo, boundsOf(pool, 'secondsAgo', longest)))
  const dynamicFee: DynamicFee = {
    scalingFactor: inRange(scalingFactor, boundsOf(pool, 'scalingFactor', 1e18)),
    capPpm: Number(inRange(cap, boundsOf(pool, 'feeCap', 500_000))),
    fallbackPpm: Number(tier),
    secondsAgo,
    oracle: yield* loadOracle(pool.id, { slot0, keepSeconds: secondsAgo }),
  }
  return { dynamicFee, quotedAt: 0n }
}

function* confirmed(pool: UniswapV3Pool): Load<UniswapV3Pool> {
  const [fee, time] = yield [{ to: pool.id, data: FEE }, CLOCK]
  const got = wordOf(pool, 'fee()', fee!)
  const wanted = feePpmOf(pool.dynamicFee ? { ...pool, quotedAt: wordAt(time!, 0) } : pool)
  if (got === BigInt(wanted)) return pool
  throw new LoadError(
    'POOL_FEE_UNKNOWN',
    `pool ${pool.id} charges ${got} ppm, and what is known of its fee comes to ${wanted}`,
    { pool: pool.id, field: 'fee', got: `${got}`, wanted: `${wanted}` },
  )
}

function boundsOf({ id }: Feeless, field: string, max: number) {
  return { pool: id, field, min: 0n, max: BigInt(max) }
}
