import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NATIVE, toHex } from './hex.js'
import { families, type Pool } from './pools/index.js'
import type { Snapshot } from './snapshot.js'
import { stringifySnapshot } from './snapshotFile.js'
import { TOKEN_A, TOKEN_B } from './testing/arbitrary.js'
import {
  anyDamage,
  damage,
  damagedPool,
  judge,
  twinsOf,
  type Verdict,
} from './testing/damageFile.js'

// BRAID_DAMAGED_FILES=20000 for the long run; BRAID_SEED damages other files.
const files = Number(process.env['BRAID_DAMAGED_FILES'] ?? 200)
const seed = Number(process.env['BRAID_SEED'] ?? 261_122)

it(`refuses a damaged file by pool and field, or it is a legal market (${files} files, seed ${seed})`, () => {
  const twins = twinsOf(Math.max(16, Math.ceil(files / 100)), seed)
  const counts: Record<Verdict, number> = { refused: 0, same: 0, less: 0, 'another market': 0 }
  const damaged: Record<string, number> = {}
  const failures: string[] = []
  let slowest = { ms: 0, damage: '' }
  for (const [i, drawn] of fc.sample(anyDamage, { numRuns: files, seed }).entries()) {
    const one = damage(twins[i % twins.length]!, drawn)
    const family = damagedPool(one)?.family
    if (family) damaged[family] = (damaged[family] ?? 0) + 1
    const before = performance.now()
    try {
      counts[judge(one)] += 1
    } catch (error) {
      failures.push(`file ${i}: ${(error as Error).message}`)
    }
    const ms = performance.now() - before
    if (ms > slowest.ms) slowest = { ms, damage: one.damage }
  }
  if (files > 1_000) console.log(counts, damaged, slowest)
  expect(failures.slice(0, 20)).toEqual([])
  expect(Object.keys(damaged).sort()).toEqual(Object.keys(families).sort())
  expect(counts.refused).toBeGreaterThan(files / 4)
  expect(counts['another market']).toBeGreaterThan(0)
}, 3_600_000)

describe('a state in which the contract itself gives something away', () => {
  const tokens = [TOKEN_A, TOKEN_B] as const
  const block = { number: 7n, hash: toHex(7, 32), timestamp: 9n, gasPrice: 1n, gasLimit: 10n ** 8n }
  const marketOf = (pool: Pool): Snapshot => {
    const listed = [NATIVE, ...tokens].map((address) => ({ address, decimals: 18 }))
    return { chainId: 999, block, wrappedNative: TOKEN_A, tokens: listed, pools: [pool] }
  }
  const verdictOf = <P extends Pool>(pool: P, change: Partial<P>) => {
    const snapshot = marketOf(pool)
    const twin = { text: stringifySnapshot(snapshot), snapshot }
    const [field] = Object.keys(change)
    const text = stringifySnapshot(marketOf({ ...pool, ...change }))
    return judge({ twin, text, damage: `digit pools.0.${field} (0)` })
  }

  it('is legal: a solmate vault without shares holds assets, for the first who deposits', () => {
    const vault = {
      family: 'erc4626',
      id: TOKEN_B,
      venue: 'test',
      tokens,
      totalSupply: 0n,
    } as const
    const solmate = { ...vault, totalAssets: 0n, virtuals: [0n, 0n] } as const
    expect(verdictOf<Pool>(solmate, { totalAssets: 3n })).toBe('less')
    const virtual = { ...vault, totalAssets: 0n, virtuals: [1n, 1n] } as const
    expect(verdictOf<Pool>(virtual, { totalAssets: 3n })).toBe('less')
  })

  it('is legal up to the wei that withdrawals leave: a CryptoSwap pool holds more than its invariant', () => {
    const E18 = 10n ** 18n
    const pool: Pool = {
      ...{ family: 'curveCrypto', id: toHex(0xabc, 20), venue: 'test', version: '2.0.0', tokens },
      ...{ balances: [10n ** 24n, 5n * 10n ** 11n], precisions: [1n, 10n ** 12n] },
      ...{ priceScales: [2n * E18], D: 2n * 10n ** 24n, A: 20_000_000n, gamma: 10n ** 15n },
      ...{ midFee: 3_000_000n, outFee: 30_000_000n, feeGamma: 5n * 10n ** 15n },
      ...{ virtualPrice: E18, totalSupply: 707_106_781_186_547_524_400_844n },
      ...{ xcpProfit: E18, allowedExtraProfit: 10n ** 17n },
    }
    const [first, second] = [10n ** 24n, 5n * 10n ** 11n]
    expect(verdictOf<Pool>(pool, { balances: [first, second + 3n] })).toBe('another market')
    expect(verdictOf<Pool>(pool, { balances: [first, 10n * second] })).toBe('refused')
    expect(verdictOf<Pool>(pool, { balances: [first, second + second / 10n ** 6n] })).toBe(
      'refused',
    )
  })
})
