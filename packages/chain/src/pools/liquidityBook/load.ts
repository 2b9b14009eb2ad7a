// Loads a Liquidity Book pair, and proves its formula: asks the pair for quotes at probe amounts and
// accepts it only if ours are the same.

import type { Direction, Hex } from '@braid-swap/core'
import {
  type Bin,
  getAmountOut,
  type LiquidityBookPool,
  type StaticFeeParameters,
} from '@braid-swap/core/families'
import { callData, wordAt } from '../../reads/abiWords.js'
import { CLOCK } from '../../reads/clock.js'
import { feeWords } from '../feeWords.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import * as abi from './abi.js'
import { loadBins, MAX_ID } from './bins.js'

/** The widest of each setting, as the pair packs them. */
const MAX_OF = {
  baseFactor: 65_535n,
  filterPeriod: 4_095n,
  decayPeriod: 4_095n,
  reductionFactor: 10_000n,
  variableFeeControl: 16_777_215n,
  protocolShare: 2_500n,
  maxVolatilityAccumulator: 1_048_575n,
} satisfies { readonly [K in keyof StaticFeeParameters]: bigint }

const [MAX_UINT20, MAX_UINT24, MAX_UINT40] = [20n, 24n, 40n].map((bits) => (1n << bits) - 1n) as [
  bigint,
  bigint,
  bigint,
]

/**
 * Reads the settings, then the bins, then the pair's own quotes. Throws 'POOL_FORM_UNKNOWN' for a
 * pair with hooks, or one that quotes otherwise than we do. `advance` sets `quotedAt`.
 */
export function* load(ref: PoolRef): Load<LiquidityBookPool> {
  const { id } = ref
  const selectors = [abi.BIN_STEP, abi.ACTIVE_ID, abi.STATIC_FEE, abi.VARIABLE_FEE]
  const [step, active, settings, memory, hooks] = yield [
    ...selectors.map((data) => ({ to: id, data })),
    // Version 2.1 has no hooks.
    { to: id, data: abi.HOOKS, mayFail: true as const },
  ]
  if (hooks !== '0x' && wordAt(hooks!, 0) !== 0n) throw formUnknown(ref, 'hooks', 'none')
  const within = (field: string, value: bigint, max: bigint, min = 0n) =>
    inRange(value, { pool: id, field, min, max })
  const activeId = Number(within('activeId', wordAt(active!, 0), BigInt(MAX_ID)))
  const pool: LiquidityBookPool = {
    ...{ family: 'liquidityBook', id, venue: ref.venue, tokens: tokenPairOf(ref) },
    binStep: Number(within('binStep', wordAt(step!, 0), 65_535n, 1n)),
    activeId,
    bins: yield* loadBins(id, activeId),
    staticFee: staticFeeOf(ref, settings!),
    variableFee: variableFeeOf(ref, memory!),
    quotedAt: 0n,
  }
  yield* prove(ref, pool)
  return pool
}

function staticFeeOf({ id: pool }: PoolRef, answer: Hex): StaticFeeParameters {
  const names = Object.keys(MAX_OF) as (keyof StaticFeeParameters)[]
  const words = feeWords(answer, { pool, field: 'getStaticFeeParameters()', count: names.length })
  const fields = names.map((field, k) => {
    return [field, inRange(words[k]!, { pool, field, min: 0n, max: MAX_OF[field] })] as const
  })
  return Object.fromEntries(fields) as StaticFeeParameters
}

function variableFeeOf({ id: pool }: PoolRef, answer: Hex): LiquidityBookPool['variableFee'] {
  const words = feeWords(answer, { pool, field: 'getVariableFeeParameters()', count: 4 })
  const field = (k: number, name: string, max: bigint) =>
    inRange(words[k]!, { pool, field: name, min: 0n, max })
  return {
    volatilityAccumulator: field(0, 'volatilityAccumulator', MAX_UINT20),
    volatilityReference: field(1, 'volatilityReference', MAX_UINT20),
    idReference: Number(field(2, 'idReference', MAX_UINT24)),
    timeOfLastUpdate: field(3, 'timeOfLastUpdate', MAX_UINT40),
  }
}

/** Divisors of the bins' content that give the probe amounts; odd, so that rounding shows. */
const PROBE_PARTS = [1_000_003n, 997n, 7n, 1n]

/** Compares the pair's quotes in both directions, at the time of the block that answers, with ours. */
function* prove(ref: PoolRef, pool: LiquidityBookPool): Load<void> {
  const probes = ([0, 1] as const).flatMap((i) => probesOf(pool.bins, i))
  const [time, ...answers] = yield [
    CLOCK,
    ...probes.map(({ direction, amountIn }) => ({
      to: ref.id,
      data: callData(abi.SWAP_OUT, amountIn, direction.in === 0 ? 1 : 0),
      mayFail: true as const,
    })),
  ]
  const asked = { ...pool, quotedAt: wordAt(time!, 0) }
  for (const [k, { direction, amountIn }] of probes.entries()) {
    const answer = answers[k]!
    // A quote with input left over is one that a swap refuses.
    const isWhole = answer !== '0x' && wordAt(answer, 0) === 0n
    const theirs = isWhole ? wordAt(answer, 1) : 0n
    const ours = getAmountOut(asked, direction, amountIn)
    if (ours !== theirs) throw formUnknown(ref, `the quote ${theirs} for ${amountIn}`, `${ours}`)
  }
}

/** Parts of what the bins hold of the token in, or of the other token if they hold none. */
function probesOf(bins: readonly Bin[], i: 0 | 1) {
  const direction: Direction = { in: i, out: 1 - i }
  const sum = (k: 0 | 1) => bins.reduce((total, { reserves }) => total + reserves[k], 0n)
  const content = sum(i) || sum((1 - i) as 0 | 1)
  return PROBE_PARTS.map((part) => ({ direction, amountIn: content / part + 1n })).filter(
    ({ amountIn }) => amountIn >> 128n === 0n,
  )
}

function formUnknown({ id }: PoolRef, got: string, wanted: string): LoadError {
  return new LoadError('POOL_FORM_UNKNOWN', `pair ${id} has ${got}; expected ${wanted}`, {
    ...{ pool: id, got, wanted },
  })
}
