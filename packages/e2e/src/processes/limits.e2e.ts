// The limit of a key over four processes that answer, to the request. It needs six processes, so only
// `pnpm e2e:full` runs it; the buckets themselves are tested beside them, over four connections.

import { createKey } from '@braid-swap/api'
import { describeWithRedis, startRedis } from '@braid-swap/feed/testing'
import { expect, it } from 'vitest'
import { isFullRun } from '../draws.js'
import { openWorld } from './service.js'

const PROCESSES = 4
/** Requests under way at once. */
const CLIENTS = 32
const BURST = 130
/** The least rate of a key, in requests a second. */
const RATE = 1
const MS = 10_000

describeWithRedis('four processes that share a key', () => {
  it('allow its burst and then its rate, to the request', async (context) => {
    if (!isFullRun) context.skip('four processes; `pnpm e2e:full` starts them')
    const world = await openWorld()
    const redis = await startRedis()
    const { key } = await createKey(world.keysFile, { label: 'exact', rate: RATE, burst: BURST })
    // No block is mined: an old market is as good as any here.
    const aged = { BRAID_MAX_STATE_AGE_MS: '3600000' }
    const rpcUrl = world.devnet.rpcUrl
    const indexer = world.start('indexer', redis.url, { ...aged, BRAID_RPC_URLS: rpcUrl })
    await indexer.logged('publishing the market')
    const readers = Array.from({ length: PROCESSES }, () => world.start('api', redis.url, aged))
    const urls = await Promise.all(
      readers.map(async (reader) => {
        await reader.logged('market loaded')
        return (await reader.logged('listening')).url!
      }),
    )
    const beginMs = performance.now()
    const statuses: number[] = []
    let firstMs = Number.POSITIVE_INFINITY
    let lastMs = 0
    const client = async (_: unknown, n: number) => {
      while (performance.now() < beginMs + MS) {
        const sentMs = performance.now()
        const { status, atMs } = await world.ask(urls[n % PROCESSES]!, key)
        statuses.push(status)
        firstMs = Math.min(firstMs, atMs)
        lastMs = Math.max(lastMs, sentMs)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    const endMs = performance.now()
    const allowed = statuses.filter((status) => status === 200).length
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
    // From the first request on, each second gives one back, which the next request takes.
    const givenBack = (ms: number) => Math.floor((Math.max(0, ms) / 1_000) * RATE)
    expect(allowed).toBeGreaterThanOrEqual(BURST + givenBack(lastMs - firstMs))
    expect(allowed).toBeLessThanOrEqual(BURST + givenBack(endMs - beginMs))
    await world.stop()
    await redis.stop()
  })
})
