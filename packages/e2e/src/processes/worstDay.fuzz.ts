// The worst day of an operator: every fault that we know, one after the other, a minute each, with no hand in between.

import { REVOKED_WITHIN_MS } from '@braid-swap/api'
import { describeWithRedis } from '@braid-swap/feed/testing'
import { expect, it } from 'vitest'
import { faultKinds } from './faultKinds.js'
import { runFaults, TABLE_HEAD } from './runFaults.js'
import { MAX_AGE_MS } from './service.js'

const HOLD_MS = Number(process.env['BRAID_DAY_HOLD_S'] ?? 60) * 1_000
/** Of the lease are two seconds; a block is the rest. */
const FAILOVER_MS = 3_000
/** The leader reads what it published every thirty seconds. */
const RECOVERY_MS = 35_000
/** A block is on its way to a reader for less than this, and its age counts from its receipt. */
const ON_ITS_WAY_MS = 2_000

describeWithRedis('the worst day of a service of several processes', () => {
  it('has no wrong answer, none from a stale market, no lost or revived key, and needs no hand', {
    timeout: faultKinds.length * (HOLD_MS + RECOVERY_MS) + 600_000,
  }, async () => {
    console.log(TABLE_HEAD)
    const { rows } = await runFaults({
      ...{ faults: faultKinds, holdMs: () => HOLD_MS, seed: 1, log: console.log },
    })
    for (const { name, wrong, wrongKeys, apart, ...times } of rows) {
      expect([wrong, wrongKeys, apart], name).toEqual([[], [], []])
      expect(times.oldestMs, name).toBeLessThan(MAX_AGE_MS + ON_ITS_WAY_MS)
      expect(times.failoverMs ?? 0, name).toBeLessThan(FAILOVER_MS)
      expect(times.recoveryMs, name).toBeLessThan(RECOVERY_MS)
      expect(times.revokedMs, name).toBeLessThan(REVOKED_WITHIN_MS)
    }
  })
})
