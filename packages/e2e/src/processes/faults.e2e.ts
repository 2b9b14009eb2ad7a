// A service of several processes stays right while something goes wrong: each answer with 200 is the chain's at its
// block, and everything else is an honest refusal. Each fault needs a service of five processes and
// lasts a minute, so `npm test` has one of them, shorter, and `pnpm e2e:full` all.

import { setTimeout as sleep } from 'node:timers/promises'
import { describeWithRedis } from '@braid-swap/feed/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { isFullRun } from '../draws.js'
import { wrongAnswers } from './checkSeen.js'
import { faultKinds } from './faultKinds.js'
import { openWorld, snapshotIds, type World } from './service.js'
import { startTestService, type TestService } from './testService.js'

/** Load before the fault, while it lasts, and after it. */
const AROUND_MS = isFullRun ? 15_000 : 1_500
const HOLD_MS = isFullRun ? 30_000 : 1_500
/** Of the lease are two seconds. */
const FAILOVER_MS = 3_000

/** The fault of `npm test`. */
const SHORT = 'the leader is paused past its lease'
const kinds = faultKinds.filter(({ name }) => isFullRun || name === SHORT)

it.skipIf(isFullRun)('the other faults of a service of several processes', (context) => {
  context.skip(
    `${faultKinds.length - 1} faults of several processes; \`pnpm e2e:full\` causes them`,
  )
})

describeWithRedis('a service of several processes is right or refuses, while', () => {
  let world: World
  let service: TestService | undefined
  beforeAll(async () => {
    world = await openWorld()
  })
  afterEach(async () => {
    await service?.stop()
    service = undefined
  })
  afterAll(() => world.stop())

  it.each(kinds)('$name', async ({ cause, killsReader }) => {
    service = await startTestService(world)
    const { load, readers } = service
    await sleep(AROUND_MS)
    const { failoverMs } = await cause(service, HOLD_MS)
    for (const { url } of readers) await load.untilNewBlock(url)
    await sleep(AROUND_MS)
    await load.stop()
    expect(wrongAnswers(load.seen, load, killsReader && readers[0].url)).toEqual([])
    for (const { url } of readers) {
      const answered = load.seen.filter(({ reader, status }) => reader === url && status === 200)
      expect(answered.length).toBeGreaterThan(5)
    }
    const [followed, read] = await snapshotIds(world)
    expect(followed).toBe(read)
    if (failoverMs === undefined) return
    console.log(`failover after ${Math.round(failoverMs)} ms`)
    // The time counts only where nothing else runs.
    if (isFullRun) expect(failoverMs).toBeLessThanOrEqual(FAILOVER_MS)
  })
})
