import { expect, it } from 'vitest'
import { runRestarts } from './restarts.js'

// Of this seed's four starts the second is killed before it is ready. BRAID_KILLS: more of them, by BRAID_FUZZ_SEED.
const seed = Number(process.env['BRAID_FUZZ_SEED'] ?? 6)
const kills = Number(process.env['BRAID_KILLS'] ?? 4)

it('serves the chain’s own state after every kill, warm and cold', async () => {
  const report = await runRestarts({ kills, seed })
  expect(report.wrong).toEqual([])
  expect(report.refusals).toEqual([])
  expect(report.compared).toBeGreaterThanOrEqual(6)
  expect(report.killedEarly).toBeGreaterThan(0)
  expect(report.coldStarts).toBe(Math.ceil(kills / 10))
  expect(report.warmStarts).toBeGreaterThan(1)
})
