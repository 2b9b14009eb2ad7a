// The same promise over more schedules. `BRAID_FUZZ_SEED` is the first one.

import { expect, it } from 'vitest'
import { runSchedules } from '../testing/runSchedules.js'

it('10,000 schedules of lies, losses and delays break no promise', async () => {
  const first = Number(process.env['BRAID_FUZZ_SEED'] ?? Date.now() % 1_000_000_000)
  expect(await runSchedules(first, 10_000)).toEqual([])
})
