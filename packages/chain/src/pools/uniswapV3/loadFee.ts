import {
  type Address,
  type DynamicFee,
  feePpmOf,
  type Hex,
  type UniswapV3Pool,
} from '@braid-swap/core'
import { hyperEvm } from '../../client.js'
import { addressOf, callData, wordAt } from '../../words.js'
import { inRange, LoadError } from '../loadError.js'
import type { FeeSource, Load } from '../loader.js'
import {
  BLOCK_TIMESTAMP,
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
  { source, slot0 }: { readonly source: FeeSource | undefined; readonly slot0: Hex },
): Load<UniswapV3Pool> {
  if (source === 'swapFeeModule') return yield* loadModuleFee(pool, slot0)
  const calls = [{ to: pool.id, data: FEE }]
  // What `fee()` says may be out of date in some builds that have both.
  if (source === 'currentFee') {
    const [fee, current] = yield [...calls, { to: pool.id, data: CURRENT_FEE, mayFail: true }]
    return withFee(pool, wordAt(current === '0x' ? fee! : current!, 0))
  }
  const [fee] = yield calls
  return withFee(pool, wordAt(fee!, 0))
}

function withFee(pool: Feeless, fee: bigint): UniswapV3Pool {
  return { ...pool, feePpm: Number(inRange(fee, boundsOf(pool, 'feePpm', 999_999))) }
}

const MAX_MODULE_FEE_PPM = 100_000n

/** What a module's custom fee says for no fee at all; 0 says none is set. */
const NO_FEE = 420n

/**
 * The fee that a Slipstream factory tells: of the tick spacing, of the pool alone, or moving. What
 * the parts come to must be what the pool says it charges; another module's fee is not guessed.
 */
function* loadModuleFee(pool: Feeless, slot0: Hex): Load<UniswapV3Pool> {
  const [factoryWord] = yield [{ to: pool.id, data: FACTORY }]
  const factory = addressOf(wordAt(factoryWord!, 0))
  const [moduleWord, tierWord] = yield [
    { to: factory, data: SWAP_FEE_MODULE },
    { to: factory, data: callData(TICK_SPACING_TO_FEE, pool.tickSpacing) },
  ]
  const module = addressOf(wordAt(moduleWord!, 0))
  const tier = inRange(wordAt(tierWord!, 0), boundsOf(pool, 'tickSpacingToFee', 100_000))
  const watched = [factory, module].filter((address) => BigInt(address) !== 0n)
  const answers = yield settingsCalls(module, pool.id)
  const [config, custom] = answers
  const base = config === '0x' ? wordOr(custom!, 0n) : wordAt(config!, 0)
  const chosen = base === NO_FEE ? 0n : inRange(base || tier, boundsOf(pool, 'base fee', 500_000))
  const settings = settingsOf(answers)
  if (settings === undefined || base === NO_FEE) {
    // The factory takes no more than that from a module.
    const feePpm = Number(chosen > MAX_MODULE_FEE_PPM ? tier : chosen)
    return yield* confirmed({ ...pool, watched, feePpm })
  }
  const moving = yield* movingFee(pool, { settings, slot0, tier })
  return yield* confirmed({ ...pool, watched, feePpm: Number(chosen), ...moving })
}

function settingsCalls(module: Address, pool: Address) {
  const calls = [
    callData(DYNAMIC_FEE_CONFIG, BigInt(pool)),
    callData(CUSTOM_FEE, BigInt(pool)),
    DEFAULT_SCALING_FACTOR,
    DEFAULT_FEE_CAP,
    SECONDS_AGO,
  ]
  return calls.map((data) => ({ to: module, data, mayFail: true as const }))
}

type Settings = {
  readonly scalingFactor: bigint
  readonly cap: bigint
  readonly secondsAgo: bigint
}

/** A moving fee's settings, if the module has all of them in the shape we know. */
function settingsOf([config, , scaling, cap, secondsAgo]: readonly Hex[]): Settings | undefined {
  const words = [config, scaling, cap, secondsAgo].map((answer) => (answer!.length - 2) / 64)
  if (words.join() !== '3,1,1,1') return undefined
  const own = wordAt(config!, 2)
  return {
    scalingFactor: own === 0n ? wordAt(scaling!, 0) : own,
    cap: own === 0n ? wordAt(cap!, 0) : wordAt(config!, 1),
    secondsAgo: wordAt(secondsAgo!, 0),
  }
}

function* movingFee(
  pool: Feeless,
  module: { readonly settings: Settings; readonly slot0: Hex; readonly tier: bigint },
): Load<{ readonly dynamicFee: DynamicFee; readonly quotedAt: bigint }> {
  const { settings, slot0, tier } = module
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
  const clock = hyperEvm.contracts.multicall3.address
  const [fee, time] = yield [
    { to: pool.id, data: FEE },
    { to: clock, data: BLOCK_TIMESTAMP },
  ]
  const got = wordAt(fee!, 0)
  const wanted = feePpmOf(pool.dynamicFee ? { ...pool, quotedAt: wordAt(time!, 0) } : pool)
  if (got === BigInt(wanted)) return pool
  throw new LoadError(
    'POOL_FEE_UNKNOWN',
    `pool ${pool.id} charges ${got} ppm, and what is known of its fee comes to ${wanted}`,
    { pool: pool.id, field: 'fee', got: `${got}`, wanted: `${wanted}` },
  )
}

function wordOr(answer: Hex, otherwise: bigint): bigint {
  return answer === '0x' ? otherwise : wordAt(answer, 0)
}

function boundsOf({ id }: Feeless, field: string, max: number) {
  return { pool: id, field, min: 0n, max: BigInt(max) }
}
