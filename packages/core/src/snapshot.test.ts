import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, type Hex, toHex } from './hex.js'
import type { Pool } from './pools/index.js'
import { advance, type Block, type Snapshot } from './snapshot.js'
import { anyDynamicFeePool, anyUniswapV2Pool } from './testing/arbitrary.js'

const WRAPPED: Address = '0x5555555555555555555555555555555555555555'

const blockAt = (number: bigint): Block => ({
  ...{ number, hash: toHex(number, 32), timestamp: 1_000n + number },
  ...{ gasPrice: 1n, gasLimit: 2_000_000n },
  ...(number % 2n === 1n && { nextSeconds: 12n }),
})

/**
 * A pool with one of ten ids, so that blocks change, add and remove the same pools; some depend on
 * time.
 */
const anyPool = fc
  .tuple(fc.nat(9), fc.oneof(anyUniswapV2Pool, anyDynamicFeePool))
  .map(([n, pool]): Pool => ({ ...pool, id: toHex(n + 1, 20) }))

const anyPools = fc.uniqueArray(anyPool, { maxLength: 8, selector: ({ id }) => id })

const anyChange = fc.record({
  pools: anyPools,
  removed: fc.uniqueArray(
    fc.nat(9).map((n): Hex => toHex(n + 1, 20)),
    { maxLength: 3 },
  ),
})

describe('advance', () => {
  it('gives each pool its last reported state, and quotes pools that depend on time for the next block', () => {
    fc.assert(
      fc.property(anyPools, fc.array(anyChange, { maxLength: 6 }), (first, changes) => {
        let snapshot: Snapshot = {
          ...{ chainId: 1, block: blockAt(0n), wrappedNative: WRAPPED, tokens: [], pools: first },
        }
        const expected = new Map(first.map((pool) => [pool.id, pool]))
        for (const [i, change] of changes.entries()) {
          const block = blockAt(BigInt(i) + 1n)
          const removed = change.removed.filter((id) => !change.pools.some((p) => p.id === id))
          const before = JSON.stringify(snapshot, asText)
          const next = advance(snapshot, { block, pools: change.pools, removed })
          expect(JSON.stringify(snapshot, asText)).toBe(before)
          for (const id of removed) expected.delete(id)
          for (const pool of change.pools) expected.set(pool.id, pool)
          for (const [id, pool] of expected) {
            if ('quotedAt' in pool)
              expected.set(id, { ...pool, quotedAt: block.timestamp + (i % 2 === 0 ? 12n : 1n) })
          }
          expect(next.block).toBe(block)
          expect(next.pools).toEqual([...expected.values()])
          snapshot = next
        }
      }),
    )
  })
})

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}
