// Why a pool cannot be loaded: codes, the error, and the range check of every value read.

import { BaseError, type Hex } from '@braid-swap/core'

/** Why a pool is not in a snapshot. */
export type LoadErrorCode =
  | 'POOL_CALL_FAILED'
  | 'POOL_OUT_OF_RANGE'
  | 'POOL_NOT_INITIALISED'
  | 'POOL_PAUSED'
  | 'POOL_FEE_UNKNOWN'
  | 'POOL_FORM_UNKNOWN'
  | 'POOL_MODULE_UNKNOWN'
  | 'POOL_HOOK_TRADES'
  | 'POOL_EMPTY'
  | 'POOL_OFF_MARKET'
  | 'POOL_RATE_STEPPED'
  | 'POOL_RATE_UNLISTED'
  | 'POOL_UNBACKED'
  | 'TOKEN_WITHOUT_DECIMALS'
  | 'TOKEN_TAKES_FEE'
  | 'TOKEN_REBASES'
  | 'TOKEN_STUCK'

/**
 * A pool that cannot be loaded; message and details name the field, the value and what was
 * expected.
 */
export class LoadError extends BaseError {
  readonly code: LoadErrorCode

  constructor(code: LoadErrorCode, message: string, details: Record<string, string> = {}) {
    super(message, details)
    this.code = code
  }
}

/** The subject of a range check; the bounds are inclusive. */
export type Bounds = {
  readonly pool: Hex
  readonly field: string
  readonly min: bigint
  readonly max: bigint
}

/** Returns the value, or throws a LoadError 'POOL_OUT_OF_RANGE' that names pool and field. */
export function inRange(value: bigint, { pool, field, min, max }: Bounds): bigint {
  if (value >= min && value <= max) return value
  throw new LoadError(
    'POOL_OUT_OF_RANGE',
    `${field} of pool ${pool} is ${value}, outside [${min}, ${max}]`,
    { pool, field, got: `${value}`, min: `${min}`, max: `${max}` },
  )
}
