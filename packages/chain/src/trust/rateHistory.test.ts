import type { Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { Erc4626Pool, SolidlyPool } from '@braid-swap/core/families'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KEPT_BLOCKS, type RateHistory, stepOf, withRates } from './rateHistory.js'

const SUPPLY = 10n ** 24n
/** A vault whose share is worth so many parts per million more than an asset. */
const vault = (ppm: number): Erc4626Pool => ({
  ...{ family: 'erc4626', id: toHex(1, 20), venue: 'test', tokens: [toHex(2, 20), toHex(1, 20)] },
  ...{ totalSupply: SUPPLY, totalAssets: SUPPLY + (SUPPLY * BigInt(ppm)) / 1_000_000n },
  virtuals: [0n, 0n],
})
const pair = (feePpm: number): SolidlyPool => ({
  ...{ family: 'solidly', id: toHex(3, 20), venue: 'test', tokens: [toHex(4, 20), toHex(5, 20)] },
  ...{ variant: 'solidly', stable: false, reserves: [SUPPLY, SUPPLY], units: [1n, 1n], feePpm },
})

const unstake = (rate: bigint): Pool => ({
  ...{
    family: 'instantUnstake',
    id: toHex(6, 20),
    venue: 'test',
    tokens: [toHex(4, 20), toHex(5, 20)],
  },
  ...{ rate, feeRateBps: 0, buffer: SUPPLY, minAmountIn: 1n, sampledAt: 1n, quotedAt: 2n },
})

/** The steps that are seen, block by block from 1000 on. */
function stepsOf(pools: readonly Pool[]) {
  let history: RateHistory | undefined
  return pools.map((pool, i) => {
    history = withRates(history, [pool], 1_000n + BigInt(i))
    return stepOf(pool, history) !== undefined
  })
}

describe('the history of rates', () => {
  it('sees a loss of more than 1 bp of a share within the kept blocks, at once and block by block, and no gain', () => {
    const anyMoves = fc.array(fc.integer({ min: -400, max: 400 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(anyMoves, (moves) => {
        let at = 100_000
        const levels = [at, ...moves.map((move) => (at += move))]
        const seen = stepsOf(levels.map(vault))
        for (const [i, isSeen] of seen.entries()) {
          const kept = levels.slice(Math.max(0, i - Number(KEPT_BLOCKS)), i + 1)
          const losses = kept.map(
            (low, k) => (1e6 + Math.max(...kept.slice(0, k + 1))) / (1e6 + low) - 1,
          )
          const loss = Math.max(...losses)
          // A vault has no fee, so its limit is the least one: 1 bp.
          if (Math.abs(loss - 1e-4) > 1e-9) expect(isSeen).toBe(loss > 1e-4)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('sets no vault aside for a donation, and one whose rate is taken back at once, for all kept blocks', () => {
    expect(stepsOf([0, 110, 5_000, 90_000].map(vault))).not.toContain(true)
    expect(stepsOf([0, 5_000, 0, 5_000].map(vault))).toEqual([false, false, true, true])
  })

  it('sees a rate that its owner sets whichever way it moves', () => {
    const rates = [1_000_000n, 1_000_090n, 1_000_110n]
    expect(stepsOf(rates.map(unstake))).toEqual([false, false, true])
    expect(stepsOf(rates.toReversed().map(unstake))).toEqual([false, false, true])
  })

  it('lets interest and a staking reward pass', () => {
    expect(stepsOf([0, 0, 60, 60, 61, 62].map(vault))).not.toContain(true)
  })

  it('sees a fee that is raised by more than twice itself, or by more than 5 bp', () => {
    expect(stepsOf([100, 299].map(pair))).toEqual([false, false])
    expect(stepsOf([100, 400].map(pair))).toEqual([false, true])
    expect(stepsOf([3_000, 3_400].map(pair))).toEqual([false, false])
    expect(stepsOf([3_000, 3_600, 3_000].map(pair))).toEqual([false, true, true])
  })

  it('forgets a step after the kept blocks, and keeps only what changed', () => {
    const still = Array.from({ length: Number(KEPT_BLOCKS) }, () => vault(0))
    const seen = stepsOf([vault(900), ...still, vault(0)])
    expect(seen.slice(1, -1)).not.toContain(false)
    expect(seen.at(-1)).toBe(false)
    const history = [vault(0), vault(0), vault(0)].reduce<RateHistory | undefined>(
      (before, pool, i) => withRates(before, [pool], BigInt(i)),
      undefined,
    )
    expect(history!.get(vault(0).id)).toHaveLength(1)
  })
})
