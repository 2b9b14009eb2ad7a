import { expect, it } from 'vitest'
import type { Fault } from '../chain/faults/proxy.js'
import { runSoak, type SoakReport } from './soak/soak.js'

// Lasts BRAID_SOAK_SECONDS, with the seed BRAID_FUZZ_SEED.
const seconds = Number(process.env['BRAID_SOAK_SECONDS'] ?? 1_800)
const seed = Number(process.env['BRAID_FUZZ_SEED'] ?? 1)
/** Long enough for the rarest fault, a missing answer, which needs a batch. */
const LONG_ENOUGH = 600

it(`serves only the chain’s own states for ${seconds} s of faults, seed ${seed}`, async () => {
  const report = await runSoak({ seconds, seed, log: console.log })
  console.log(describe(report))
  expect(report.wrong).toEqual([])
  expect(report.compared).toBeGreaterThan(seconds / 10)
  if (seconds < LONG_ENOUGH) return
  // Every kind of fault occurred at one of the endpoints.
  for (const fault of Object.keys(report.endpoints[0]!.faults) as Fault[]) {
    const struck = report.endpoints.reduce((sum, { faults }) => sum + faults[fault], 0)
    expect(struck, fault).toBeGreaterThan(0)
  }
})

function describe(report: SoakReport): string {
  const { compared, left, wrong, lags, answers, complaints, endpoints, chain, heapMb } = report
  const sorted = [...lags].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]
  return [
    `${report.seconds} s, ${report.pools} pools: ${compared} states compared, ${wrong.length} wrong, ${left} of blocks that were left`,
    `chain: ${JSON.stringify(chain)}`,
    `blocks behind the head: median ${at(0.5)}, 90 % ${at(0.9)}, most ${at(1)}`,
    `answers: ${JSON.stringify(answers)}`,
    `complaints: ${JSON.stringify(complaints)}`,
    ...endpoints.map((counts, i) => `endpoint ${i}: ${JSON.stringify(counts)}`),
    `heap, MB a minute: ${heapMb.join(' ')}`,
  ].join('\n')
}
