import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recomputeBound } from '../../certificate/recomputeBound.js'
import { buildGraph } from '../../graph.js'
import { NATIVE, toHex } from '../../hex.js'
import { quote } from '../../quote.js'
import type { Snapshot } from '../../snapshot.js'
import { anyBits, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { anyInstantUnstakePool } from '../../testing/arbitraryInstantUnstake.js'
import { describeConformance } from '../../testing/conformance.js'
import { encodeSwap } from '../index.js'
import type { UniswapV2Pool } from '../uniswapV2/index.js'
import * as instantUnstake from './index.js'

const { applySwap, getAmountOut, isEmpty, largestInput, toCurve } = instantUnstake
type Pool = instantUnstake.InstantUnstakePool

const unstake = { in: 0, out: 1 } as const
const stake = { in: 1, out: 0 } as const
const E18 = 10n ** 18n

const pool: Pool = {
  ...{ family: 'instantUnstake', id: toHex(0xabc, 20), venue: 'test', tokens: [TOKEN_A, TOKEN_B] },
  ...{ rate: 1_250_000_000_000_000_000n, feeRateBps: 10, buffer: 1_000n * E18, minAmountIn: 0n },
  ...{ sampledAt: 9n, quotedAt: 10n },
}

// Nothing is paid below the minimum, and two roundings lose a wei of each token.
const wei = ({ rate, minAmountIn }: Pool) => 2 + ((Number(minAmountIn) + 2) * Number(rate)) / 1e18
describeConformance('instantUnstake', instantUnstake, anyInstantUnstakePool, anyBits(1, 110), {
  ...{ relative: 1e-8, wei: (drawn) => wei(drawn as Pool) },
})

describe('an instant unstaking', () => {
  it('pays what a transaction of 2026-07-09 was paid, at a fee of 10 bips', () => {
    // No public source has the rate of that block. At this fee, exactly one rate of 18 digits pays the amount.
    const rate = 1_021_081_627_974_204_384n
    const then: Pool = { ...pool, rate }
    const paid = 4_590_272_458_558_035_808n
    expect(getAmountOut(then, unstake, 45n * 10n ** 17n)).toBe(paid)
    for (const other of [rate - 1n, rate + 1n]) {
      expect(getAmountOut({ ...then, rate: other }, unstake, 45n * 10n ** 17n)).not.toBe(paid)
    }
  })

  it('rounds the fee down, then the output', () => {
    // Of 1,999 wei one is the fee; 1,998 · 1.25 = 2,497.5.
    expect(getAmountOut(pool, unstake, 1_999n)).toBe(2_497n)
    expect(getAmountOut(pool, unstake, 999n)).toBe(1_248n)
  })

  it('pays all that the pool has, and nothing for a wei of output more', () => {
    fc.assert(
      fc.property(anyInstantUnstakePool, (drawn) => {
        const most = largestInput(drawn)
        const paid = getAmountOut(drawn, unstake, most)
        if (most >= drawn.minAmountIn && drawn.buffer >= drawn.rate)
          expect(paid).toBeGreaterThan(0n)
        expect(getAmountOut(drawn, unstake, most + 1n)).toBe(0n)
        expect(toCurve(drawn, unstake).limit).toBeLessThanOrEqual(Number(most))
      }),
    )
  })

  it('is below the curve everywhere, with the wei that the fee leaves', () => {
    fc.assert(
      fc.property(anyInstantUnstakePool, anyBits(1, 110), (drawn, amountIn) => {
        const { out, extraIn = 0 } = toCurve(drawn, unstake)
        const paid = Number(getAmountOut(drawn, unstake, amountIn))
        expect(paid).toBeLessThanOrEqual(out(Number(amountIn) + extraIn) * (1 + 1e-12))
      }),
    )
  })

  it('pays nothing below the minimum, for native tokens, or for another time', () => {
    const bounded: Pool = { ...pool, minAmountIn: 1_000n }
    expect(getAmountOut(bounded, unstake, 999n)).toBe(0n)
    expect(getAmountOut(bounded, unstake, 1_000n)).toBeGreaterThan(0n)
    expect(getAmountOut(pool, stake, E18)).toBe(0n)
    expect(toCurve(pool, stake).limit).toBe(0)
    for (const quotedAt of [8n, 9n, 11n]) {
      expect(getAmountOut({ ...pool, quotedAt }, unstake, E18)).toBe(0n)
      expect(toCurve({ ...pool, quotedAt }, unstake).limit).toBe(0)
    }
  })

  it('promises nothing after a swap, because a burnt part of the fee moves its rate', () => {
    const after = applySwap(pool, unstake, E18)
    expect(isEmpty(after)).toBe(true)
    expect(getAmountOut(after, unstake, E18)).toBe(0n)
  })

  it('is called at its manager', () => {
    expect(encodeSwap(pool, unstake)).toBe(`0x0e${'abc'.padStart(40, '0')}01`)
  })
})

describe('a route out of a staked token', () => {
  const pair: UniswapV2Pool = {
    ...{ family: 'uniswapV2', id: toHex(1, 20), venue: 'pairs', tokens: [TOKEN_A, TOKEN_B] },
    ...{ reserves: [400n * E18, 501n * E18], feePpm: 100 },
  }
  const snapshot: Snapshot = {
    chainId: 999,
    block: {
      ...{ number: 1n, hash: toHex(1, 32), timestamp: 9n, gasPrice: 10n ** 8n },
      gasLimit: 3_000_000n,
    },
    wrappedNative: TOKEN_B,
    tokens: [NATIVE, TOKEN_A, TOKEN_B].map((address) => ({ address, decimals: 18 })),
    pools: [pool, pair],
  }

  it.each([1n, 100n, 700n])('splits %i tokens with a pair, within the bound', (whole) => {
    const order = { tokenIn: TOKEN_A, tokenOut: TOKEN_B, amountIn: whole * E18 }
    const { amountOut, bound, route } = quote(buildGraph(snapshot), order, { objective: 'gross' })
    expect(route.map((hop) => hop.pool.family)).toContain('instantUnstake')
    expect(amountOut).toBeGreaterThanOrEqual(getAmountOut(pool, unstake, order.amountIn))
    expect(bound!.amount).toBeGreaterThanOrEqual(amountOut)
    expect(recomputeBound(snapshot, order, bound!)).toBeLessThanOrEqual(bound!.amount)
    // The split is at most one basis point below the bound.
    expect((bound!.amount - amountOut) * 10_000n).toBeLessThanOrEqual(bound!.amount)
  })

  it('leaves it out of a small order, which its gas would cost more than it saves', () => {
    const order = { tokenIn: TOKEN_A, tokenOut: TOKEN_B, amountIn: E18 / 100n }
    const { route } = quote(buildGraph(snapshot), order)
    expect(route.map((hop) => hop.pool.family)).toEqual(['uniswapV2'])
  })
})
