import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBits, anyErc4626Pool, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { checked, describeArithmetic, required } from '../../testing/arithmetic.js'
import { describeConformance } from '../../testing/conformance.js'
import * as erc4626 from './index.js'

const { applySwap, getAmountOut } = erc4626
const deposit = { in: 0, out: 1 } as const
const redeem = { in: 1, out: 0 } as const

function vaultOf(state: Partial<erc4626.Erc4626Pool>): erc4626.Erc4626Pool {
  return {
    family: 'erc4626',
    id: TOKEN_B,
    venue: 'test',
    tokens: [TOKEN_A, TOKEN_B],
    totalAssets: 0n,
    totalSupply: 0n,
    virtuals: [1n, 1n],
    ...state,
  }
}

// Each direction floors once, and the remainder of a first part is up to a wei more for the second.
// The curve's pieces are at most 10⁻⁸ above the line.
describeConformance('erc4626', erc4626, anyErc4626Pool, anyBits(1, 110), {
  relative: 1e-8,
  wei: () => 1,
})

// Totals of every size, as a token that mints without end could have them.
const anyLargeVault = fc.tuple(anyErc4626Pool, anyBits(0, 256), anyBits(0, 256)).map(
  ([{ assetCap: _, ...pool }, totalAssets, totalSupply]): erc4626.Erc4626Pool => ({
    ...{ ...pool, totalAssets, totalSupply },
  }),
)

describeArithmetic('a vault', erc4626, anyLargeVault, (pool, direction, amountIn) => {
  const { totalAssets, totalSupply, virtuals } = pool
  const isSolmate = virtuals[1] === 0n
  const isFirst = isSolmate && totalSupply === 0n
  const shares = isFirst ? 1n : checked(totalSupply + virtuals[0])
  const assets = isFirst ? 1n : checked(totalAssets + virtuals[1])
  const [over, under] = direction.in === 0 ? [shares, assets] : [assets, shares]
  required(under > 0n)
  const product = isSolmate ? checked(amountIn * over) : amountIn * over
  const amountOut = checked(product / under)
  if (direction.in === 0) {
    checked(totalAssets + amountIn)
    checked(totalSupply + amountOut)
  } else {
    required(amountIn <= totalSupply && amountOut <= totalAssets)
  }
  return amountOut
})

describe('the curve of a vault near 2^128', () => {
  const vault = vaultOf({ totalAssets: 1n << 140n, totalSupply: 3n << 139n })
  const anyAmount = fc.integer({ min: -40, max: 440 }).map((n) => {
    const large = 1n << 128n
    // From a millionth below to far above.
    return n <= 0 ? large + (BigInt(n) * large) / 40_000_000n : large << BigInt(n >> 5)
  })

  it('ends where the vault does, for deposits and redemptions', () => {
    fc.assert(
      fc.property(anyAmount, fc.constantFrom(deposit, redeem), (amountIn, direction) => {
        const paid = getAmountOut(vault, direction, amountIn)
        const curve = erc4626.toCurve(vault, direction)
        expect(Number(amountIn) <= curve.limit).toBe(paid > 0n)
        if (paid === 0n) return
        expect(Math.abs(curve.out(Number(amountIn)) / Number(paid) - 1)).toBeLessThan(1e-8)
      }),
    )
  })
})

describe('erc4626 edge cases', () => {
  it('counts virtual shares, so that a donation to an empty vault does not go to the next caller', () => {
    const donated = vaultOf({ totalAssets: 1_000_000n, virtuals: [1_000n, 1n] })
    expect(getAmountOut(donated, deposit, 1_000_000n)).toBe(999n)
  })

  it('gives solmate’s first shares 1:1, whatever was donated', () => {
    const donated = vaultOf({ totalAssets: 1_000_000n, virtuals: [0n, 0n] })
    expect(getAmountOut(donated, deposit, 77n)).toBe(77n)
    expect(applySwap(donated, deposit, 77n)).toMatchObject({
      totalAssets: 1_000_077n,
      totalSupply: 77n,
    })
  })

  it('returns 0 for a solmate vault that lost everything, and for shares worth no asset', () => {
    const lost = vaultOf({ totalSupply: 5n, virtuals: [0n, 0n] })
    expect(getAmountOut(lost, deposit, 1_000n)).toBe(0n)
    expect(getAmountOut(lost, redeem, 5n)).toBe(0n)
  })

  it('returns 0 above the cap and above the supply', () => {
    const capped = vaultOf({ totalAssets: 90n, totalSupply: 90n, assetCap: 100n })
    expect(getAmountOut(capped, deposit, 10n)).toBe(10n)
    expect(getAmountOut(capped, deposit, 11n)).toBe(0n)
    expect(getAmountOut(applySwap(capped, deposit, 10n), deposit, 1n)).toBe(0n)
    expect(getAmountOut(capped, redeem, 90n)).toBe(90n)
    expect(getAmountOut(capped, redeem, 91n)).toBe(0n)
  })

  it('multiplies in 256 bits only if the contract does', () => {
    const state = { totalAssets: 1n << 200n, totalSupply: 1n << 200n }
    expect(getAmountOut(vaultOf(state), deposit, 1n << 60n)).toBe(1n << 60n)
    expect(getAmountOut(vaultOf({ ...state, virtuals: [0n, 0n] }), deposit, 1n << 60n)).toBe(0n)
  })
})
