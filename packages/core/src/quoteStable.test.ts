import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from './graph.js'
import { toHex } from './hex.js'
import { getAmountOut, type Pool } from './pools/index.js'
import type { Snapshot } from './snapshot.js'
import { tryQuote } from './testing/checkExactOut.js'

const WRAPPED = '0x5555555555555555555555555555555555555555'
const A = toHex(0xa, 20)
const B = toHex(0xb, 20)
const E18 = 10n ** 18n
const GRID = 40

const base = { venue: 'test', tokens: [A, B] } as const
const anyDepth = fc.bigInt(10_000n, 10_000_000n)
const anyTilt = fc.bigInt(600n, 1600n)

/**
 * Two stable pairs and a volatile one, each with its own depth and imbalance, of tokens of equal
 * worth.
 */
const anyMarket = fc
  .tuple(fc.tuple(anyDepth, anyTilt), fc.tuple(anyDepth, anyTilt), anyDepth)
  .map(([[x, xTilt], [y, yTilt], z]): readonly Pool[] => {
    const units = [E18, E18] as const
    const tilted = (depth: bigint, tilt: bigint) =>
      [depth * E18, (depth * E18 * tilt) / 1000n] as const
    const stable = { ...base, stable: true, units, feePpm: 400 } as const
    return [
      {
        ...{ ...stable, family: 'solidly', id: toHex(1, 20), variant: 'solidly' },
        reserves: tilted(x, xTilt),
      },
      {
        ...{ ...base, family: 'camelot', id: toHex(2, 20), stableSwap: true },
        ...{ reserves: tilted(y, yTilt), precisionMultipliers: units },
        ...{ feePercents: [40, 40], ownerFeeShare: 0 },
      },
      { ...base, family: 'uniswapV2', id: toHex(3, 20), reserves: tilted(z, 1000n), feePpm: 500 },
    ]
  })

function snapshotOf(pools: readonly Pool[]): Snapshot {
  const block = {
    number: 7n,
    hash: toHex(7, 32),
    timestamp: 1n,
    gasPrice: 0n,
    gasLimit: 2_000_000n,
  }
  const tokens = [A, B].map((address) => ({ address, decimals: 18 }))
  return { chainId: 999, block, wrappedNative: WRAPPED, tokens, pools }
}

/** The best split over three pools in steps of 1/40. */
function bestOnGrid(pools: readonly Pool[], amountIn: bigint): bigint {
  const parts = Array.from({ length: GRID + 1 }, (_, i) => (amountIn * BigInt(i)) / BigInt(GRID))
  const out = pools.map((pool) => parts.map((part) => getAmountOut(pool, { in: 0, out: 1 }, part)))
  let best = 0n
  for (let i = 0; i <= GRID; i++) {
    for (let j = 0; i + j <= GRID; j++) {
      const total = out[0]![i]! + out[1]![j]! + out[2]![GRID - i - j]!
      if (total > best) best = total
    }
  }
  return best
}

it('splits over stable pairs as well as a fine grid, and within its bound', () => {
  let answered = 0
  fc.assert(
    fc.property(anyMarket, fc.bigInt(1n, 10_000_000n), (pools, amount) => {
      const amountIn = amount * E18
      const graph = buildGraph(snapshotOf(pools))
      const answer = tryQuote(graph, { tokenIn: A, tokenOut: B, amountIn })
      // Orders beyond the end of the market are refused.
      if (!answer) return
      answered++
      const { amountOut, bound } = answer
      expect(Number(amountOut) / Number(bestOnGrid(pools, amountIn))).toBeGreaterThan(1 - 1e-6)
      expect(amountOut).toBeLessThanOrEqual(bound!.amount)
      // The envelope is too high by less than 1/10,000.
      expect(1 - Number(amountOut) / Number(bound!.amount)).toBeLessThan(1e-4)
    }),
    { numRuns: 200, endOnFailure: true },
  )
  expect(answered).toBeGreaterThan(100)
})
