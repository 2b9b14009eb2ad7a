// The worst day of an operator: every fault that we know, again and again in random order, with no hand in between.

import { REVOKED_WITHIN_MS } from '@braid-swap/api'
import { createRandom } from '@braid-swap/devnet'
import { describeWithRedis } from '@braid-swap/feed/testing'
import { expect, it } from 'vitest'
import { faultKinds } from './faultKinds.js'
import { type FaultsReport, randomFaults, runFaults, TABLE_HEAD } from './runFaults.js'
import { MAX_AGE_MS } from './service.js'

// `BRAID_FUZZ_SEED=1 BRAID_SOAK_MINUTES=30 pnpm soak`: a seed draws the order of the faults and how long they last.
const minutes = Number(process.env['BRAID_SOAK_MINUTES'] ?? 30)
const seed = Number(process.env['BRAID_FUZZ_SEED'] ?? 1)
/** A fault lasts between these, in milliseconds. */
const HOLD_MS = { least: 2_000, most: 12_000 }
/** A fault takes at most about 25 seconds, so all have been caused after this time. */
const LONG_ENOUGH = 15
const START_AND_END_MS = 600_000
/** Of the lease are two seconds; a block is the rest. */
const FAILOVER_MS = 3_000
/** The leader reads what it published every thirty seconds. */
const RECOVERY_MS = 35_000
/** A block is on its way to a reader for less than this, and its age counts from its receipt. */
const ON_ITS_WAY_MS = 2_000

describeWithRedis('a service of several processes', () => {
  it(`is right or refuses, and needs no hand, for ${minutes} minutes of faults, seed ${seed}`, {
    timeout: minutes * 60_000 + START_AND_END_MS,
  }, async () => {
    const random = createRandom(seed)
    const holdMs = () => HOLD_MS.least + random.next() * (HOLD_MS.most - HOLD_MS.least)
    const faults = randomFaults(random, minutes)
    console.log(TABLE_HEAD)
    const report = await runFaults({ faults, holdMs, log: (line) => console.log(line) })
    console.log(describe(report))
    for (const { name, wrong, wrongKeys, apart, ...times } of report.rows) {
      expect([wrong, wrongKeys, apart], name).toEqual([[], [], []])
      expect(times.oldestMs, name).toBeLessThan(MAX_AGE_MS + ON_ITS_WAY_MS)
      expect(times.failoverMs ?? 0, name).toBeLessThan(FAILOVER_MS)
      expect(times.recoveryMs, name).toBeLessThan(RECOVERY_MS)
      expect(times.revokedMs, name).toBeLessThan(REVOKED_WITHIN_MS)
    }
    const caused = new Set(report.rows.map(({ name }) => name))
    if (minutes >= LONG_ENOUGH) expect(caused.size).toBe(faultKinds.length)
  })
})

function describe({ rows, blocks, memory }: FaultsReport): string {
  const answers: Record<string, number> = {}
  for (const [name, count] of rows.flatMap((row) => Object.entries(row.answers))) {
    answers[name] = (answers[name] ?? 0) + count
  }
  const lines: readonly (readonly [string, string])[] = [
    ['blocks', `${blocks}`],
    ...Object.entries(answers).map(([name, count]) => [`answers ${name}`, `${count}`] as const),
    ['faults', `${rows.length}`],
    ['failover', spread(rows.flatMap(({ failoverMs }) => failoverMs ?? []))],
    ['recovery', spread(rows.map(({ recoveryMs }) => recoveryMs))],
    ['a revoked key passes', spread(rows.map(({ revokedMs }) => revokedMs))],
    ...Object.entries(memory).map(
      ([name, [begin, end]]) => [`memory of ${name}`, `${begin} MB, then ${end} MB`] as const,
    ),
  ]
  return lines.map(([name, value]) => `${name.padEnd(56)} ${value}`).join('\n')
}

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round)
  const p50 = sorted[Math.floor(sorted.length / 2)]
  return `${sorted.length} times, p50 ${p50} ms, most ${sorted.at(-1)} ms`
}
