// Whatever a wallet and a node do, nothing false is said about money, and one order never swaps twice.

import { expect, it } from 'vitest'
import { runSchedules } from '../testing/runSchedules.js'

/** `BRAID_E2E_SCALE`: 200 in `npm test`, 500 by default. */
const COUNT = Math.ceil(5_000 * Number(process.env['BRAID_E2E_SCALE'] ?? 0.1))

it(`${COUNT} schedules of lies, losses and delays break no promise`, async () => {
  expect(await runSchedules(1, COUNT)).toEqual([])
  // About ten seconds of a core; a machine that does much else takes longer.
}, 600_000)
