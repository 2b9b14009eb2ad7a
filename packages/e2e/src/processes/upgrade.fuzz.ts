/**
 * An upgrade from the commit before and back, under load, in the order of docs/operating.md: one indexer, the readers,
 * the other indexer. The two versions read different markets, as after a change of its format.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from '@braid-swap/core/advanced'
import { freePort } from '@braid-swap/devnet/testing'
import { describeWithRedis, startRedis } from '@braid-swap/feed/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openWorld, startLoad } from './service.js'
import { ownProgram, type ServiceProcess } from './serviceProcess.js'

const root = resolve(import.meta.dirname, '../../../..')
const minutes = Number(process.env['BRAID_SOAK_MINUTES'] ?? 1)
vi.setConfig({ testTimeout: (minutes + 10) * 60_000 })

describeWithRedis('an upgrade and a rollback', () => {
  let folder: string
  /** The program of the commit before; BRAID_BEFORE names a checkout of another one that is built. */
  let before: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braid-before-'))
    const given = process.env['BRAID_BEFORE']
    const checkout = given ?? join(folder, 'checkout')
    before = join(checkout, 'apps/api/bin/braid-api.js')
    if (given !== undefined) return
    const run = (cwd: string, command: string, ...words: string[]) =>
      execFileSync(command, words, { cwd, stdio: 'ignore' })
    run(root, 'git', 'worktree', 'add', '--detach', checkout, 'HEAD~1')
    run(checkout, 'pnpm', 'install', '--frozen-lockfile', '--prefer-offline')
    run(checkout, 'pnpm', 'exec', 'turbo', 'run', 'build', '--filter=@braid-swap/api...')
  })
  afterAll(async () => {
    const checkout = join(folder, 'checkout')
    if (existsSync(checkout)) {
      execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: root })
    }
    await rm(folder, { recursive: true })
  })

  it(`lose no request of a caller who asks two readers, in ${minutes} minutes`, async () => {
    const world = await openWorld()
    const redis = await startRedis({ persists: true })
    const load = startLoad(world)
    const venues = join(folder, 'venues.json')
    await writeFile(venues, stringify(world.devnet.venues.toReversed()))
    const ports = [await freePort(), await freePort()]
    const readers = ports.map((port) => `http://127.0.0.1:${port}`)
    const running: (ServiceProcess | undefined)[] = [undefined, undefined, undefined, undefined]
    /** Ends the process in a place and starts it in a version; resolves when it has a market. */
    const replace = async (place: number, program: string) => {
      running[place]?.signal('SIGTERM')
      await running[place]?.ended
      const role = place < 2 ? 'indexer' : 'api'
      const more = {
        ...(role === 'api'
          ? { PORT: `${ports[place - 2]}` }
          : { BRAID_RPC_URLS: world.devnet.rpcUrl }),
        ...(program === ownProgram && { BRAID_VENUES: venues }),
      }
      running[place] = world.start(role, redis.url, more, program)
      await running[place].logged('market loaded')
      if (role === 'api')
        while ((await world.ask(readers[place - 2]!)).status !== 200) await sleep(50)
    }
    for (const place of [0, 1, 2, 3]) await replace(place, before)
    let isOver = false
    const lost: string[] = []
    let asked = 0
    const ask = async () => {
      while (!isOver) {
        const [first, second] = asked++ % 2 === 0 ? readers : readers.toReversed()
        const seen = await world.ask(first!)
        const again = seen.status === 200 ? seen : await world.ask(second!)
        if (again.status !== 200) lost.push(`${again.status} ${again.code ?? again.failure}`)
        await sleep(20)
      }
    }
    const asking = ask()
    // In one minute as fast as processes start; what is left of a longer time is spread over the eight steps.
    const pauseMs = 1_000 + ((minutes - 1) * 60_000) / 8
    for (const program of [ownProgram, before]) {
      for (const place of [0, 2, 3, 1]) {
        await replace(place, program)
        await sleep(pauseMs)
      }
    }
    isOver = true
    await asking
    console.log(`${asked} requests, lost: ${lost.length}`)
    expect(lost).toEqual([])
    expect(asked).toBeGreaterThan(100)
    await load.stop()
    await world.stop()
    await redis.stop()
  })
})
