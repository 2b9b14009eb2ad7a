import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFaults, hostileRequests } from './testing/hostile.js'
import { startTestWorld, type TestWorld } from './testing/startTestWorld.js'

let world: TestWorld
beforeAll(async () => {
  world = await startTestWorld()
})
afterAll(() => world?.stop())

describe('hostile requests', () => {
  it('get an answer in the shape of every answer, without 500, stack trace or key', async () => {
    expect(await findFaults(world.api, hostileRequests(1_000, 1))).toEqual([])
    expect((await world.api.get('/healthz')).status).toBe(200)
  })
})
