import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../hex.js'
import { replay, SHARE_ONE } from '../../replay.js'
import { anyBits, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { anyBalancerBufferPool } from '../../testing/arbitraryBalancerBuffer.js'
import { describeConformance } from '../../testing/conformance.js'
import * as erc4626 from '../erc4626/index.js'
import { encodeSwap } from '../index.js'
import { largestInput } from './exact.js'
import * as balancerBuffer from './index.js'

const { applySwap, getAmountOut, isEmpty, toCurve } = balancerBuffer
type Pool = balancerBuffer.BalancerBufferPool
type Pool4626 = erc4626.Erc4626Pool

const wrap = { in: 0, out: 1 } as const
const unwrap = { in: 1, out: 0 } as const

const buffer: Pool = {
  ...{ family: 'balancerBuffer', venue: 'test', tokens: [TOKEN_A, TOKEN_B] },
  ...{ id: toHex(BigInt(TOKEN_B), 32), manager: toHex(0xba, 20) },
  balances: [1_000_000n, 1_000_000n],
  // A share is worth 1.25 assets.
  rate: [4n, 5n],
  ...{ wrapHaircutPpm: 0n, minWrapAmount: 100n, sampledAt: 9n, quotedAt: 10n },
}

// Below the least amounts, in or out, the vault pays nothing. It also takes a wei from the input, at the
// price, and one from the output, and a part of a wei is rounded away.
const wei = ({ rate, minWrapAmount }: Pool) => {
  const [shares, assets] = rate.map(Number) as [number, number]
  return (Number(minWrapAmount) + 4) * Math.max(1, shares / assets, assets / shares) + 4
}
describeConformance('balancerBuffer', balancerBuffer, anyBalancerBufferPool, anyBits(1, 110), {
  ...{ relative: 1e-8, wei: (pool) => wei(pool as Pool) },
})

describe('a buffer of Balancer V3', () => {
  it('takes a wei of the input before it converts, and a wei of the output after', () => {
    expect(getAmountOut(buffer, wrap, 1_001n)).toBe(799n)
    expect(getAmountOut(buffer, unwrap, 1_001n)).toBe(1_249n)
    // ⌊1001·0.8⌋ − 1 and ⌊1001·1.25⌋ − 1
    expect(getAmountOut(buffer, wrap, 1_002n)).toBe(799n)
    expect(getAmountOut(buffer, unwrap, 1_002n)).toBe(1_250n)
  })

  it('moves the amounts between its balances, at the same rate', () => {
    expect(applySwap(buffer, wrap, 1_001n)).toEqual({ ...buffer, balances: [1_001_001n, 999_201n] })
    expect(applySwap(buffer, unwrap, 1_001n)).toEqual({
      ...{ ...buffer, balances: [998_751n, 1_001_001n] },
    })
  })

  it('pays all that it has, and nothing for an input whose output it does not have', () => {
    fc.assert(
      fc.property(anyBalancerBufferPool, fc.constantFrom(wrap, unwrap), (pool, direction) => {
        const most = largestInput(pool, direction)
        if (most === 0n) return
        expect(getAmountOut(pool, direction, most)).toBeGreaterThan(0n)
        expect(getAmountOut(pool, direction, most + 1n)).toBe(0n)
        expect(Number(most) >= toCurve(pool, direction).limit).toBe(true)
      }),
    )
    const most = largestInput(buffer, wrap)
    expect(getAmountOut(buffer, wrap, most)).toBe(1_000_000n)
    expect(applySwap(buffer, wrap, most).balances).toEqual([1_000_000n + most, 0n])
  })

  it('promises no more than a token gives that has earned what the haircut is for', () => {
    const earning = fc.record({
      pool: anyBalancerBufferPool.map((pool) => ({ ...pool, wrapHaircutPpm: 1n })),
      amountIn: anyBits(2, 110),
      earnedPpb: fc.bigInt({ min: 0n, max: 1_000n }),
    })
    fc.assert(
      fc.property(earning, ({ pool, amountIn, earnedPpb }) => {
        const [shares, assets] = pool.rate
        const shareBefore = (amountIn - 1n) * shares * 10n ** 9n
        const given = shareBefore / (assets * (10n ** 9n + earnedPpb)) - 1n
        const promised = getAmountOut(pool, wrap, amountIn)
        if (promised > 0n) expect(promised).toBeLessThanOrEqual(given)
        expect(getAmountOut(pool, unwrap, amountIn)).toBe(
          getAmountOut({ ...pool, wrapHaircutPpm: 0n }, unwrap, amountIn),
        )
      }),
    )
  })

  it('refuses less than the least amount, in and out', () => {
    expect(getAmountOut(buffer, unwrap, 99n)).toBe(0n)
    expect(getAmountOut(buffer, unwrap, 100n)).toBe(122n)
    // 127 give 99, one below the least; 128 give 100.
    expect(getAmountOut(buffer, wrap, 127n)).toBe(0n)
    expect(getAmountOut(buffer, wrap, 128n)).toBe(100n)
  })

  it('refuses an input that its balance of 128 bits cannot store', () => {
    const full: Pool = { ...buffer, balances: [(1n << 128n) - 1_001n, 1_000_000n] }
    expect(getAmountOut(full, wrap, 1_000n)).toBe(798n)
    expect(getAmountOut(full, wrap, 1_001n)).toBe(0n)
    expect(toCurve(full, wrap).limit).toBeLessThanOrEqual(1_000)
  })

  it('pays nothing for a time for which its rate was not read', () => {
    for (const quotedAt of [8n, 9n, 11n]) {
      expect(getAmountOut({ ...buffer, quotedAt }, wrap, 1_001n)).toBe(0n)
      expect(toCurve({ ...buffer, quotedAt }, wrap).limit).toBe(0)
    }
  })

  it('is empty with less of both tokens than the least amount', () => {
    expect(isEmpty({ ...buffer, balances: [99n, 99n] })).toBe(true)
    expect(isEmpty({ ...buffer, balances: [99n, 100n] })).toBe(false)
    expect(isEmpty({ ...buffer, minWrapAmount: 0n, balances: [0n, 0n] })).toBe(true)
  })

  it('is called in its vault, with the direction', () => {
    const vault = 'ba'.padStart(40, '0')
    expect(encodeSwap(buffer, wrap)).toBe(`0x0d${vault}01`)
    expect(encodeSwap(buffer, unwrap)).toBe(`0x0d${vault}00`)
  })
})

describe('a buffer whose wrapped token is a pool too', () => {
  const vault: Pool4626 = {
    ...{ family: 'erc4626', id: TOKEN_B, venue: 'test', tokens: [TOKEN_A, TOKEN_B] },
    ...{ totalAssets: 1_009n, totalSupply: 1_000n, virtuals: [0n, 0n] },
  }
  const rated: Pool = { ...buffer, rate: [1_000n, 1_009n], ratedBy: vault.id }

  it('would pay otherwise after a deposit, which leaves a part of a wei', () => {
    const { totalSupply, totalAssets } = erc4626.applySwap(vault, wrap, 5_000n)
    const after: Pool = { ...rated, rate: [totalSupply, totalAssets] }
    const amounts = Array.from({ length: 2_000 }, (_, k) => 1_000n + BigInt(k))
    expect(amounts.some((a) => getAmountOut(after, wrap, a) < getAmountOut(rated, wrap, a))).toBe(
      true,
    )
  })

  it('is entered before that pool only', () => {
    const hops = [rated, vault].map((pool, k) => {
      return { pool, direction: wrap, share: k === 0 ? SHARE_ONE >> 1 : 0 }
    })
    const ends = { tokenIn: TOKEN_A, tokenOut: TOKEN_B, amountIn: 10_000n }
    const inputs = replay(hops, ends)?.route.map(({ amountIn }) => amountIn)
    expect(inputs).toEqual([4_999n, 5_001n])
    const [first, last] = hops
    const turned = [
      { ...last!, share: first!.share },
      { ...first!, share: 0 },
    ]
    expect(replay(turned, ends)).toBeUndefined()
  })
})
