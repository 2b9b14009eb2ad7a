// Markets with a pool of every family and form between two tokens, for tests of what all families share.

import fc from 'fast-check'
import { type Address, NATIVE, sizeOfHex, toHex } from '../hex.js'
import type { FamilyName, Pool } from '../pools/index.js'
import { advance, type Snapshot } from '../snapshot.js'
import {
  anyAdaptiveFeePool,
  anyAlgebraV1Pool,
  anyDynamicFeePool,
  anyErc4626Pool,
  anySlidingFeePool,
  anyStaticIntegralPool,
  anyUniswapV2Pool,
  anyUniswapV3Pool,
  TOKEN_A,
  TOKEN_B,
} from './arbitrary.js'
import { anyBalancerBufferPool } from './arbitraryBalancerBuffer.js'
import { anyStableBalancerV2Pool, anyWeightedBalancerV2Pool } from './arbitraryBalancerV2.js'
import {
  anyEclpBalancerV3Pool,
  anyStableBalancerV3Pool,
  anyWeightedBalancerV3Pool,
} from './arbitraryBalancerV3.js'
import { anyLiquidityBookPool } from './arbitraryBins.js'
import { anyMovingCryptoPool, anyTricryptoPool, anyTwocryptoPool } from './arbitraryCrypto.js'
import { anyInstantUnstakePool } from './arbitraryInstantUnstake.js'
import { anyConcaveTruth, anySampledPool } from './arbitraryLadders.js'
import { WRAPPED } from './arbitraryMarkets.js'
import { anyCamelotPool, anySolidlyPool } from './arbitraryPairs.js'
import { anyOffpegStableSwapPool, anyStaticStableSwapPool } from './arbitraryStableSwap.js'
import { anyStexPool } from './arbitraryStex.js'
import { anyUniswapV4Pool } from './arbitraryUniswapV4.js'

const wrap: Pool = { family: 'wrap', id: WRAPPED, tokens: [NATIVE, WRAPPED], venue: 'whype' }

/** Pools of each family, one arbitrary for each of its forms, which are named if there are several. */
export const poolsOfFamily: {
  readonly [F in FamilyName]: Readonly<Record<string, fc.Arbitrary<Pool>>>
} = {
  algebraIntegral: {
    'own fee': anyStaticIntegralPool,
    'adaptive fee': anyAdaptiveFeePool,
    'sliding fee': anySlidingFeePool,
  },
  algebraV1: { '': anyAlgebraV1Pool },
  balancerBuffer: { '': anyBalancerBufferPool },
  balancerV2: { weighted: anyWeightedBalancerV2Pool, stable: anyStableBalancerV2Pool },
  balancerV3: {
    weighted: anyWeightedBalancerV3Pool,
    stable: anyStableBalancerV3Pool,
    'E-CLP': anyEclpBalancerV3Pool,
  },
  camelot: { '': anyCamelotPool },
  curveCrypto: {
    'two coins': anyTwocryptoPool,
    'three coins': anyTricryptoPool,
    moving: anyMovingCryptoPool,
  },
  curveStableSwap: {
    'static fee': anyStaticStableSwapPool,
    'off-peg fee': anyOffpegStableSwapPool,
  },
  erc4626: { '': anyErc4626Pool },
  instantUnstake: { '': anyInstantUnstakePool },
  ladder: { '': anySampledPool(anyConcaveTruth).map(({ pool }) => pool) },
  liquidityBook: { '': anyLiquidityBookPool },
  solidly: { '': anySolidlyPool },
  stex: { '': anyStexPool },
  uniswapV2: { '': anyUniswapV2Pool },
  uniswapV3: { 'fixed fee': anyUniswapV3Pool, 'dynamic fee': anyDynamicFeePool },
  uniswapV4: { '': anyUniswapV4Pool },
  wrap: { '': fc.constant(wrap) },
}

/** A second after every time that an arbitrary draws. */
const NOW = 1_800_000_000n

/** A market with a pool of each form of each family, all of them between tokens A and B. */
export const anyMarketOfEveryFamily: fc.Arbitrary<Snapshot> = fc
  .tuple(...Object.values(poolsOfFamily).flatMap((forms) => Object.values(forms)))
  .map((drawn): Snapshot => {
    const pools = drawn.map((pool, i) => asOneOf(pool, i))
    const tokens = [NATIVE, WRAPPED, ...new Set(pools.flatMap((pool) => pool.tokens))]
    const block = {
      ...{ number: 7n, hash: toHex(7, 32), timestamp: NOW },
      ...{ gasPrice: 10n ** 8n, gasLimit: 30_000_000n },
    }
    const market = { chainId: 999, block, wrappedNative: WRAPPED, pools }
    const listed = [...new Set(tokens)].map((address) => ({ address, decimals: 18 }))
    // Sets the time for which the pools are quoted.
    return advance({ ...market, tokens: listed }, { block, pools: [] })
  })

/** The pool with an id of its own, and with tokens A and B among its tokens. */
function asOneOf(pool: Pool, i: number): Pool {
  const id = toHex(0xf000 + i, sizeOfHex(pool.id))
  const sampled = 'sampledAt' in pool ? { sampledAt: NOW } : {}
  // A vault's share is the vault, and the pool of the wrapped token is the token.
  if (pool.family === 'wrap' || pool.family === 'erc4626') return pool
  const [, , ...others] = pool.tokens
  const tokens: readonly Address[] = [
    TOKEN_A,
    TOKEN_B,
    ...others.map((_, k) => toHex(0xc0 + k, 20)),
  ]
  const named = { ...pool, id, ...sampled, tokens } as Pool
  // Token A is not the wrapped native one.
  return named.family === 'uniswapV4' ? { ...named, isNative: false } : named
}
