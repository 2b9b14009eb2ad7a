import { describe, expect, it } from 'vitest'
import { recomputeBound } from '../../certificate/recomputeBound.js'
import { buildGraph } from '../../graph.js'
import { type Address, NATIVE, toHex } from '../../hex.js'
import { quote } from '../../quote.js'
import type { Snapshot } from '../../snapshot.js'
import { getAmountOut, type Pool } from '../index.js'

const [ASSET, SHARE, OTHER]: readonly Address[] = [0xa, 0xb, 0xc].map((n) => toHex(n, 20))
const E18 = 10n ** 18n

const vault: Pool = {
  family: 'erc4626',
  id: SHARE!,
  venue: 'vault',
  tokens: [ASSET!, SHARE!],
  totalAssets: 1_100_000n * E18,
  totalSupply: 1_000_000n * E18,
  virtuals: [1n, 1n],
}
const pair = (
  id: number,
  tokens: readonly [Address, Address],
  reserves: readonly [bigint, bigint],
): Pool => ({
  family: 'uniswapV2',
  id: toHex(id, 20),
  venue: 'pairs',
  tokens,
  reserves,
  feePpm: 3000,
})
const snapshot: Snapshot = {
  chainId: 999,
  block: { number: 1n, hash: toHex(1, 32), timestamp: 1n, gasPrice: 0n, gasLimit: 2_000_000n },
  wrappedNative: toHex(0xff, 20),
  tokens: [NATIVE, ASSET!, SHARE!, OTHER!].map((address) => ({ address, decimals: 18 })),
  pools: [
    vault,
    pair(1, [ASSET!, OTHER!], [50_000n * E18, 50_000n * E18]),
    pair(2, [SHARE!, OTHER!], [40_000n * E18, 44_000n * E18]),
  ],
}

describe('a route through a vault', () => {
  for (const amountIn of [1n, 10n ** 6n, E18, 5_000n * E18, 100_000n * E18]) {
    it(`of ${amountIn} alone pays what the vault pays, within the bound`, () => {
      const order = { tokenIn: ASSET!, tokenOut: SHARE!, amountIn }
      const alone = getAmountOut(vault, { in: 0, out: 1 }, amountIn)
      if (alone === 0n) return expect(() => quote(buildGraph(snapshot), order)).toThrow()
      const answer = quote(buildGraph(snapshot), order, { objective: 'gross' })
      expect(answer.amountOut).toBeGreaterThanOrEqual(alone)
      expect(answer.bound!.amount).toBeGreaterThanOrEqual(answer.amountOut)
      expect(recomputeBound(snapshot, order, answer.bound!)).toBeLessThanOrEqual(
        answer.bound!.amount,
      )
    })
  }

  it('is quoted and bounded above 2^128 wei too, where only vaults take the amount', () => {
    const order = { tokenIn: ASSET!, tokenOut: SHARE!, amountIn: (1n << 128n) + (1n << 108n) }
    const answer = quote(buildGraph(snapshot), order, { objective: 'gross' })
    const alone = getAmountOut(vault, { in: 0, out: 1 }, order.amountIn)
    expect(answer.amountOut).toBeGreaterThanOrEqual(alone)
    expect(answer.bound!.amount).toBeGreaterThanOrEqual(answer.amountOut)
    expect(recomputeBound(snapshot, order, answer.bound!)).toBeLessThanOrEqual(answer.bound!.amount)
  })

  it('splits between a pair and the vault with another pair', () => {
    const order = { tokenIn: ASSET!, tokenOut: OTHER!, amountIn: 5_000n * E18 }
    const answer = quote(buildGraph(snapshot), order, { objective: 'gross' })
    expect(answer.route.map(({ pool }) => pool.family)).toContain('erc4626')
    const { amountOut, bound } = answer
    // The split is at most one basis point below the bound.
    expect((bound!.amount - amountOut) * 10_000n).toBeLessThanOrEqual(bound!.amount)
  })
})
