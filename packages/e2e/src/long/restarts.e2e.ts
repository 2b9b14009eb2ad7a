import { expect, it } from 'vitest'
import { runRestarts } from './restarts/restarts.js'

it('serves the chain’s own state after every kill, warm and cold', async () => {
  const report = await runRestarts({ kills: 6, seed: 5 })
  expect(report.wrong).toEqual([])
  expect(report.refusals).toEqual([])
  expect(report.compared).toBeGreaterThanOrEqual(6)
  expect(report.coldMs).toHaveLength(1)
  expect(report.warmMs.length).toBeGreaterThanOrEqual(2)
})
