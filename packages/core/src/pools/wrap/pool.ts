import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/**
 * The wrapped native token as a pool of [NATIVE, wrapped], 1:1 in both directions, without state.
 */
export type WrapPool = PoolBase & {
  readonly family: 'wrap'
  readonly tokens: readonly [Address, Address]
}
