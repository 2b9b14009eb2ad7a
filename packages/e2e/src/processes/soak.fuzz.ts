import { describeWithRedis } from '@braid-swap/feed/testing'
import { expect, it } from 'vitest'
import { faultKinds } from './faultKinds.js'
import { runSoak, type SoakReport } from './soak.js'

// `BRAID_FUZZ_SEED=1 BRAID_SOAK_MINUTES=30 pnpm soak`: a seed draws the order of the faults and how long they last.
const minutes = Number(process.env['BRAID_SOAK_MINUTES'] ?? 30)
const seed = Number(process.env['BRAID_FUZZ_SEED'] ?? 1)
/** A fault takes at most about 20 seconds, so all have been caused after this time. */
const LONG_ENOUGH = 10
const START_AND_END_MS = 600_000

describeWithRedis('a service of several processes', () => {
  it(`is right or refuses for ${minutes} minutes of faults, seed ${seed}`, {
    timeout: minutes * 60_000 + START_AND_END_MS,
  }, async () => {
    const report = await runSoak({ minutes, seed, log: (line) => console.log(line) })
    console.log(describe(report))
    expect(report.wrong).toEqual([])
    expect(report.apart).toEqual([])
    if (minutes >= LONG_ENOUGH) expect(Object.keys(report.faults)).toHaveLength(faultKinds.length)
  })
})

function describe(report: SoakReport): string {
  const { answers, wrong, blocks, faults, failoversMs, recoveriesMs, memory } = report
  const caused = Object.values(faults).reduce((sum, count) => sum + count, 0)
  const rows: readonly (readonly [string, string])[] = [
    ['blocks', `${blocks}`],
    ...Object.entries(answers).map(([name, count]) => [`answers ${name}`, `${count}`] as const),
    ['answers wrong', `${wrong.length}`],
    ...Object.entries(faults).map(([name, count]) => [name, `${count}`] as const),
    ['faults', `${caused}`],
    ['failover', spread(failoversMs)],
    ['recovery', spread(recoveriesMs)],
    ...Object.entries(memory).map(
      ([name, [begin, end]]) => [`memory of ${name}`, `${begin} MB, then ${end} MB`] as const,
    ),
  ]
  return rows.map(([name, value]) => `${name.padEnd(56)} ${value}`).join('\n')
}

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round)
  const p50 = sorted[Math.floor(sorted.length / 2)]
  return `${sorted.length} times, p50 ${p50} ms, most ${sorted.at(-1)} ms`
}
