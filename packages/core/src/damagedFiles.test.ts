import fc from 'fast-check'
import { expect, it } from 'vitest'
import { families } from './pools/index.js'
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
