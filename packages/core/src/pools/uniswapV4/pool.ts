import type { Address } from '../../hex.js'
import type { Concentrated } from '../../math/concentrated.js'
import type { PoolBase } from '../family.js'

/**
 * A concentrated-liquidity pool of Uniswap V4 with a static fee and without hooks of swaps. Its `id` is
 * the hash of its key, 32 bytes.
 */
export type UniswapV4Pool = PoolBase &
  Concentrated & {
    readonly family: 'uniswapV4'
    /** Currency 0 and 1; the wrapped native token in place of the native one. */
    readonly tokens: readonly [Address, Address]
    /** The contract that keeps the tokens of all pools. */
    readonly manager: Address
    /** True if currency 0 is the native token. */
    readonly isNative: boolean
    /** Ppm of the input: the liquidity providers' fee, which is part of the key. */
    readonly lpFeePpm: number
    /** Ppm of the input: the protocol's fee if currency 0 is sold, and if currency 1 is. */
    readonly protocolFeesPpm: readonly [number, number]
    readonly tickSpacing: number
    /** The contract that the manager calls on changes of liquidity; zero for none. */
    readonly hooks: Address
  }
