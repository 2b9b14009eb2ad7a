import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyAlgebraV1Pool,
  anyBits,
  anyErc4626Pool,
  anyStaticIntegralPool,
  anyUniswapV2Pool,
  anyUniswapV3Pool,
} from '../testing/arbitrary.js'
import { anyBalancerBufferPool } from '../testing/arbitraryBalancerBuffer.js'
import { anyStableBalancerV2Pool } from '../testing/arbitraryBalancerV2.js'
import { anyStableBalancerV3Pool } from '../testing/arbitraryBalancerV3.js'
import { anyLiquidityBookPool } from '../testing/arbitraryBins.js'
import { anyTwocryptoPool } from '../testing/arbitraryCrypto.js'
import { anyInstantUnstakePool } from '../testing/arbitraryInstantUnstake.js'
import { anyCamelotPool, anySolidlyPool } from '../testing/arbitraryPairs.js'
import { anyStaticStableSwapPool } from '../testing/arbitraryStableSwap.js'
import { anyStexPool } from '../testing/arbitraryStex.js'
import { anyUniswapV4Pool } from '../testing/arbitraryUniswapV4.js'
import { type FamilyName, getAmountOut, isEmpty, type Pool } from './index.js'

// Its arbitrary draws empty pools too.
const anyStexWithLiquidity = anyStexPool.filter(({ reserves }) => reserves.some((r) => r > 0n))
const anyLiquidityBookWithLiquidity = anyLiquidityBookPool.filter(({ bins }) => bins.length > 0)
const anyBufferWithLiquidity = anyBalancerBufferPool.filter(({ balances, minWrapAmount }) =>
  balances.some((balance) => balance > minWrapAmount),
)
const noTicks = { ticks: [], liquidity: 0n }
const noReserves = { reserves: [0n, 0n] } as const

/** Pools with liquidity, and what takes it all away; 'never' for a family that is never empty. */
const families: {
  readonly [F in FamilyName]: readonly [fc.Arbitrary<Pool>, Partial<Pool>] | 'never'
} = {
  algebraIntegral: [anyStaticIntegralPool, noTicks],
  algebraV1: [anyAlgebraV1Pool, noTicks],
  balancerBuffer: [anyBufferWithLiquidity, { balances: [0n, 0n] }],
  balancerV2: [anyStableBalancerV2Pool, { balances: [0n, 0n] }],
  balancerV3: [anyStableBalancerV3Pool, { balancesRaw: [0n, 0n] }],
  camelot: [anyCamelotPool, noReserves],
  curveCrypto: [anyTwocryptoPool, { balances: [0n, 0n] }],
  curveStableSwap: [anyStaticStableSwapPool, { balances: [0n, 0n] }],
  erc4626: 'never',
  instantUnstake: [anyInstantUnstakePool.filter(({ buffer }) => buffer > 0n), { buffer: 0n }],
  ladder: 'never',
  liquidityBook: [anyLiquidityBookWithLiquidity, { bins: [] }],
  solidly: [anySolidlyPool, noReserves],
  stex: [anyStexWithLiquidity, noReserves],
  uniswapV2: [anyUniswapV2Pool, noReserves],
  uniswapV3: [anyUniswapV3Pool, noTicks],
  uniswapV4: [anyUniswapV4Pool, noTicks],
  wrap: 'never',
}
const directions = fc.constantFrom({ in: 0, out: 1 }, { in: 1, out: 0 })

const emptiable = Object.entries(families).flatMap(([family, states]) =>
  states === 'never' ? [] : [[family, ...states] as const],
)

describe.each(emptiable)('the family %s', (_, pools, empty) => {
  it('is empty without liquidity, and then pays nothing', () => {
    fc.assert(
      fc.property(pools, directions, anyBits(1, 120), (pool, direction, amountIn) => {
        const emptied = { ...pool, ...empty } as Pool
        expect(isEmpty(emptied)).toBe(true)
        expect(getAmountOut(emptied, direction, amountIn)).toBe(0n)
      }),
    )
  })

  it('is not empty with liquidity', () => {
    fc.assert(
      fc.property(pools, (pool) => !isEmpty(pool)),
      { numRuns: 5_000 },
    )
  })
})

it('a vault without assets is not empty, because it takes a deposit', () => {
  const virtuals = [1n, 1n] as const
  const vaults = anyErc4626Pool.map((vault) => {
    const { assetCap: _, ...uncapped } = vault
    return { ...uncapped, totalAssets: 0n, totalSupply: 0n, virtuals }
  })
  fc.assert(
    fc.property(vaults, (vault) => {
      expect(isEmpty(vault)).toBe(false)
      expect(getAmountOut(vault, { in: 0, out: 1 }, 5n)).toBe(5n)
    }),
  )
})
