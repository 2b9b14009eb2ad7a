import { createTokens, type DevnetToken, type TokenSpec } from '../market/tokens.js'
import type { Chain } from '../node/chain.js'
import { type PancakeV3, pancakePoolCalls, pancakePoolOf } from '../pools/pancakeV3.js'
import type { DevnetPool } from '../pools/pool.js'
import { readV2Pool, type UniswapV2, type V2PoolSpec, v2PoolCalls } from '../pools/uniswapV2.js'
import { readV3Pool, type UniswapV3, type V3PoolSpec, v3PoolCalls } from '../pools/uniswapV3.js'

/** Creates one token that anyone may mint. */
export async function createToken(chain: Chain, spec: TokenSpec): Promise<DevnetToken> {
  const [token] = await createTokens(chain, [spec])
  return token!
}

/**
 * Creates a pool, or adds to it if it is there, at the ratio of `amounts`.
 * Throws TOKEN_ORDER, TRANSACTION_REVERTED.
 */
export async function createV2Pool(
  chain: Chain,
  v2: UniswapV2,
  spec: V2PoolSpec,
): Promise<DevnetPool> {
  await chain.execute(v2PoolCalls(chain, v2, spec))
  return readV2Pool(chain, v2, spec.tokens)
}

/**
 * Creates a pool at a price and mints its positions; if it exists, only mints. Liquidities are
 * precise to about eleven digits. Throws TOKEN_ORDER, TRANSACTION_REVERTED.
 */
export async function createV3Pool(
  chain: Chain,
  v3: UniswapV3,
  spec: V3PoolSpec,
): Promise<DevnetPool> {
  await chain.execute(v3PoolCalls(chain, v3, spec))
  return readV3Pool(chain, v3, spec)
}

/** Creates a pool at a price and mints its positions. Throws TOKEN_ORDER, TRANSACTION_REVERTED. */
export async function createPancakePool(
  chain: Chain,
  pancake: PancakeV3,
  spec: V3PoolSpec,
): Promise<DevnetPool> {
  await chain.execute(pancakePoolCalls(chain, pancake, spec))
  return pancakePoolOf(pancake, spec)
}
