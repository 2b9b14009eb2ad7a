import { expect, it } from 'vitest'
import { findFaults, hostileRequests } from './testing/hostile.js'
import { startTestWorld } from './testing/startTestWorld.js'

it('20,000 hostile requests get an answer in the shape of every answer', async () => {
  const world = await startTestWorld()
  const faults = await findFaults(world.api, hostileRequests(20_000, Date.now() % 2 ** 31))
  await world.stop()
  expect(faults).toEqual([])
})
