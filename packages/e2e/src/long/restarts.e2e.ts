import { expect, it } from 'vitest'
import { runRestarts } from './restarts/restarts.js'

it('serves the chain’s own state after every kill, warm and cold', async () => {
  // Of this seed's four starts the second is killed before it is ready.
  const report = await runRestarts({ kills: 4, seed: 6 })
  expect(report.wrong).toEqual([])
  expect(report.refusals).toEqual([])
  expect(report.compared).toBeGreaterThanOrEqual(6)
  expect(report.killedEarly).toBe(1)
  expect(report.coldMs).toHaveLength(1)
  expect(report.warmMs).toHaveLength(2)
})
