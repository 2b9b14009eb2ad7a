// A short form of the worst day: faults that need no minute, a second each. `pnpm soak` causes all.

import { describeWithRedis } from '@braid-swap/feed/testing'
import { expect, it } from 'vitest'
import { faultKinds } from './faultKinds.js'
import { runFaults } from './runFaults.js'

const HOLD_MS = 1_000
const CALM_MS = 300
const SHORT = new Set([
  'the leader is paused past its lease',
  'Redis is killed, and is empty afterwards',
  'an old copy of the keys is restored',
])

it('the other faults of a service of several processes', (context) => {
  const count = faultKinds.length - SHORT.size
  context.skip(`${count} faults of several processes; \`pnpm soak\` causes them`)
})

describeWithRedis('a service of several processes', () => {
  it('is right or refuses, and loses and revives no key, in three faults one after the other', async () => {
    const faults = faultKinds.filter(({ name }) => SHORT.has(name))
    expect(faults).toHaveLength(SHORT.size)
    const { rows } = await runFaults({
      ...{ faults, holdMs: () => HOLD_MS, calmMs: CALM_MS, log: console.log },
    })
    for (const { name, answers, wrong, wrongKeys, apart } of rows) {
      expect([wrong, wrongKeys, apart], name).toEqual([[], [], []])
      expect(answers['200'], name).toBeGreaterThan(5)
    }
  })
})
