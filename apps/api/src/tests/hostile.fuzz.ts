import { expect, it } from 'vitest'
import { compatNames } from '../config/compatNames.js'
import { findFaults, hostileRequests, shortStreams } from '../testing/hostile.js'
import { startTestWorld } from '../testing/startTestWorld.js'

it.each([[], compatNames])(
  '20,000 hostile requests get an answer in the shape of every answer, with shapes %j',
  async (...compat) => {
    const world = await startTestWorld({ config: { compat, streams: shortStreams } })
    const requests = hostileRequests(20_000, Date.now() % 2 ** 31)
    const faults = await findFaults(world.api, requests, compat)
    await world.stop()
    expect(faults).toEqual([])
  },
)
