// Whatever a wallet and a node do, nothing false is said about money, and one order never swaps twice.

import { expect, it } from 'vitest'
import { runSchedules } from '../testing/runSchedules.js'

it('500 schedules of lies, losses and delays break no promise', async () => {
  expect(await runSchedules(1, 500)).toEqual([])
  // About ten seconds of a core; a machine that does much else takes longer.
}, 600_000)
