import type { Address, Hex } from '@braid-swap/core'
import type { AdaptiveFee, FeeConfig, SlidingFee, Timepoint } from '@braid-swap/core/families'
import { callData, signed, wordAt } from '../../reads/abiWords.js'
import { feeWords } from '../feeWords.js'
import { BASE_PLUGIN_V2, isKnownModule } from '../knownModules.js'
import { inRange, LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import { requireModules } from '../modules.js'
import {
  DEFAULT_PLUGIN_CONFIG,
  FEE_CONFIG,
  IS_INITIALIZED,
  REFLEX,
  TIMEPOINT_INDEX,
  TIMEPOINTS,
} from './abi.js'
import { loadSlidingFee } from './loadSlidingFee.js'

// Plugins, integral-core@1.2.10
const BEFORE_SWAP = 1
const AFTER_SWAP = 2
const AFTER_INIT = 64
const DYNAMIC_FEE = 128

/** Hooks that both base plugins request: up to 1.1 without the hook after a swap, since 1.2 with it. */
const BASE_PLUGIN = AFTER_INIT | BEFORE_SWAP | DYNAMIC_FEE
const BASE_PLUGIN_CONFIGS = [BASE_PLUGIN, BASE_PLUGIN | AFTER_SWAP]

const RING = 65_536

/** The state of one of the two base plugins. */
export type PluginFee =
  | { readonly adaptiveFee: AdaptiveFee; readonly slidingFee?: never }
  | { readonly slidingFee: SlidingFee; readonly adaptiveFee?: never }

/**
 * The plugin's state that determines the fee: of AlgebraBasePluginV1 or AlgebraBasePluginV2;
 * `undefined` if the pool calls no plugin around a swap, so that the fee is the pool's own. The plugin's
 * code must be known or named by the venue, because any other may do anything in a swap; one with other functions is
 * a LoadError 'POOL_FEE_UNKNOWN'. So is, as 'POOL_HOOK_TRADES', one that trades on other pools after a swap: later
 * hops of a route would meet pools that it moved.
 */
export function* loadPluginFee(
  ref: PoolRef,
  { plugin, config }: { readonly plugin: Address; readonly config: number },
): Load<PluginFee | undefined> {
  if ((config & (BEFORE_SWAP | AFTER_SWAP)) === 0) return undefined
  const [hash] = yield* requireModules(ref, [plugin])
  if (!isKnownModule(hash!)) yield* requireIdle(ref, plugin)
  const [wanted, initialised, fee, index] = yield [
    DEFAULT_PLUGIN_CONFIG,
    IS_INITIALIZED,
    FEE_CONFIG,
    TIMEPOINT_INDEX,
  ].map((data) => ({ to: plugin, data, mayFail: true as const }))
  // The plugin sets the fee before each swap, which the pool must let it do.
  const hooks = config | AFTER_INIT | AFTER_SWAP
  const isBasePlugin =
    [wanted, initialised, index].every((answer) => answer!.length === 2 + 64) &&
    BASE_PLUGIN_CONFIGS.includes(Number(wordAt(wanted!, 0))) &&
    hooks === (BASE_PLUGIN | AFTER_SWAP)
  const isAdaptive = fee!.length === 2 + 7 * 64
  if (!isBasePlugin || !(isAdaptive || fee === '0x')) throw unknownPlugin(ref, plugin)
  if (wordAt(initialised!, 0) !== 1n) {
    throw new LoadError('POOL_NOT_INITIALISED', `the plugin of pool ${ref.id} has no timepoint`, {
      pool: ref.id,
      plugin,
    })
  }
  const last = Number(
    inRange(wordAt(index!, 0), {
      ...{ pool: ref.id, field: 'timepointIndex', min: 0n, max: BigInt(RING - 1) },
    }),
  )
  if (isAdaptive) {
    return {
      adaptiveFee: { config: configOf(ref, fee!), oracle: yield* loadOracle(ref, plugin, last) },
    }
  }
  // No view of the plugin returns the fee of a swap, so that only the published code will do.
  if (hash !== BASE_PLUGIN_V2) throw unknownPlugin(ref, plugin)
  return { slidingFee: yield* loadSlidingFee(ref, { plugin, last }) }
}

/** Refuses a plugin that an operator confirmed although it says that it trades. */
function* requireIdle(ref: PoolRef, plugin: Address): Load<void> {
  const answers = yield REFLEX.map((data) => ({ to: plugin, data, mayFail: true as const }))
  if (answers.every((answer) => answer === '0x')) return
  throw new LoadError(
    'POOL_HOOK_TRADES',
    `plugin ${plugin} of pool ${ref.id} trades on other pools after a swap, so that no route may go on from it`,
    { pool: ref.id, plugin },
  )
}

// The window's start is stored with the newest timepoint.
function* loadOracle(
  { id: pool }: PoolRef,
  plugin: Address,
  last: number,
): Load<AdaptiveFee['oracle']> {
  const call = (index: number) => ({ to: plugin, data: callData(TIMEPOINTS, index % RING) })
  const [newest] = yield [call(last)]
  const field = 'timepoints(uint256)'
  const first = Number(feeWords(newest!, { pool, field, count: 7 })[6])
  const count = (last - first + RING) % RING
  const earlier = yield Array.from({ length: count }, (_, i) => call(first + i))
  return {
    averageTick: Number(signed(wordAt(newest!, 5))),
    timepoints: [...earlier, newest!].map(timepointOf),
  }
}

function timepointOf(answer: Hex): Timepoint {
  return {
    timestamp: Number(wordAt(answer, 1)),
    tickCumulative: signed(wordAt(answer, 2)),
    volatilityCumulative: wordAt(answer, 3),
  }
}

function configOf(ref: PoolRef, answer: Hex): FeeConfig {
  const field = (index: number, name: string, [min, bits]: readonly [bigint, bigint]) =>
    Number(
      inRange(wordAt(answer, index), {
        ...{ pool: ref.id, field: `feeConfig.${name}`, min, max: (1n << bits) - 1n },
      }),
    )
  const config = {
    alpha1: field(0, 'alpha1', [0n, 16n]),
    alpha2: field(1, 'alpha2', [0n, 16n]),
    beta1: field(2, 'beta1', [0n, 32n]),
    beta2: field(3, 'beta2', [0n, 32n]),
    gamma1: field(4, 'gamma1', [1n, 16n]),
    gamma2: field(5, 'gamma2', [1n, 16n]),
    // A plugin that overrides with 0 means the pool's own fee, one that writes 0 means none.
    baseFee: field(6, 'baseFee', [1n, 16n]),
  }
  const most = config.baseFee + config.alpha1 + config.alpha2
  inRange(BigInt(most), { pool: ref.id, field: 'feeConfig maximum', min: 0n, max: 65_535n })
  return config
}

function unknownPlugin(ref: PoolRef, plugin: Address): LoadError {
  return new LoadError(
    'POOL_FEE_UNKNOWN',
    `pool ${ref.id} asks plugin ${plugin} about each swap, and its fee is not known here`,
    { pool: ref.id, plugin },
  )
}
