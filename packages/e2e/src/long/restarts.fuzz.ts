import { expect, it } from 'vitest'
import { type Report, runRestarts } from './restarts/restarts.js'

// BRAID_KILLS kills, at moments derived from BRAID_FUZZ_SEED.
const kills = Number(process.env['BRAID_KILLS'] ?? 50)
const seed = Number(process.env['BRAID_FUZZ_SEED'] ?? 1)

it(`serves the chain’s own state after ${kills} kills, seed ${seed}`, async () => {
  const report = await runRestarts({ kills, seed, onStart: console.log })
  console.log(describe(report))
  expect(report.wrong).toEqual([])
  expect(report.refusals).toEqual([])
})

function describe(report: Report): string {
  const { warmMs, coldMs, killedEarly, compared, unread, wrong, savedBytes } = report
  return [
    `${kills} kills, ${killedEarly} of them before the API was ready; ${compared} states compared, ${wrong.length} wrong, ${unread} of blocks that were kept no more`,
    `ready, warm: ${spread(warmMs)}`,
    `ready, cold: ${spread(coldMs)}`,
    `saved market: ${savedBytes} bytes`,
  ].join('\n')
}

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round)
  const median = sorted[Math.floor(sorted.length / 2)]
  return `${sorted.length} starts, ${sorted[0]} to ${sorted.at(-1)} ms, median ${median} ms`
}
