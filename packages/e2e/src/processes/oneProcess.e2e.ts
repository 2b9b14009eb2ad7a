import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '@braid-swap/api'
import { stringify } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isShortRun } from '../draws.js'
import { type ServiceProcess, startService } from './serviceProcess.js'

let devnet: Devnet
let folder: string
let keysFile: string
let venuesFile: string
const running: ServiceProcess[] = []
beforeAll(async () => {
  devnet = await borrowDevnet()
  folder = await mkdtemp(join(tmpdir(), 'braid-process-'))
  keysFile = join(folder, 'keys.json')
  venuesFile = join(folder, 'venues.json')
  await createKey(keysFile, { label: 'first' })
  await writeFile(venuesFile, stringify(devnet.venues))
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.kill()
})
afterAll(async () => {
  await devnet.stop()
  await rm(folder, { recursive: true })
})

function start(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const service = startService(args, {
    ...{ BRAID_RPC_URLS: devnet.rpcUrl, BRAID_KEYS_FILE: keysFile, BRAID_VENUES: venuesFile },
    ...{ BRAID_ROUTER: devnet.router, BRAID_POLL_MS: '50', BRAID_CHECK_BLOCK_TIME: 'false' },
    // The machine may be slow.
    ...{ BRAID_MAX_STATE_AGE_MS: '3600000', BRAID_MAX_REQUEST_MS: '60000' },
    ...more,
  })
  running.push(service)
  return service
}

async function ready(service: ServiceProcess): Promise<string> {
  const { url = '' } = await service.logged('listening')
  while (!(await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).ok) await sleep(10)
  return url
}

/** Connects, and returns what sends a request; its status is 0 if the connection is cut. */
async function open(url: string, apikey: string, path: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', () => {})
  const status = new Promise<number>((resolve) => {
    socket.once('close', () => resolve(Number(text.split(' ')[1] ?? 0)))
  })
  const lines = [
    `GET ${path} HTTP/1.1`,
    'host: x',
    `apikey: ${apikey}`,
    'connection: close',
    '',
    '',
  ]
  return {
    send: () => void socket.write(lines.join('\r\n')),
    status,
  }
}

describe('a process', () => {
  it.each(isShortRun ? (['SIGTERM'] as const) : (['SIGTERM', 'SIGINT'] as const))(
    'answers what was sent before the end by %s, and refuses the rest',
    async (signal) => {
      const { key } = await createKey(keysFile, { label: 'end', rate: 1_000, burst: 10_000 })
      const service = start([])
      const url = await ready(service)
      const [src, dst] = devnet.tokens
      const order = `src=${src!.address}&dst=${dst!.address}&amount=${10n ** 18n}`
      const paths = Array.from({ length: 400 }, (_, n) =>
        n % 10 === 0 ? `/swap/v1/999/quote?${order}` : '/healthz',
      )
      // All wait at a process that has had no turn yet.
      service.signal('SIGSTOP')
      const sockets = await Promise.all(paths.map((path) => open(url, key, path)))
      for (const { send } of sockets) send()
      service.signal(signal)
      service.signal('SIGCONT')
      const statuses = await Promise.all(sockets.map(({ status }) => status))
      expect(statuses).toEqual(Array(400).fill(200))
      expect(await service.ended).toBe(0)
      await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    },
  )

  it('ends with the reason if it cannot listen', async () => {
    const service = start([], { HOST: '192.0.2.1' })
    expect(await service.ended).toBe(1)
    expect(service.err.join('\n')).toContain('EADDRNOTAVAIL')
    expect(service.err.join('\n')).toContain('CONFIG_INVALID')
  })

  it.skipIf(isShortRun)('ends by a signal also where nobody reads its output', async () => {
    const service = start([])
    await ready(service)
    service.stopReading('stdout')
    service.stopReading('stderr')
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
  })
})

describe('a single load', () => {
  it('keeps the market for the next start, and ends', async () => {
    const stateDir = join(folder, 'state')
    const service = start(['--bootstrap-only'], { BRAID_STATE_DIR: stateDir })
    expect(await service.ended).toBe(0)
    const kept = ['endpoints', 'market', 'pools', 'trials']
    expect((await readdir(stateDir)).sort()).toEqual(kept)
    const next = start([], { BRAID_STATE_DIR: stateDir })
    await ready(next)
    await next.logged('resuming from the saved market')
  })

  it.each([
    ['nowhere to keep the market', {}],
    [
      'a process that does not follow the chain',
      { BRAID_ROLE: 'api', BRAID_REDIS_URL: 'redis://127.0.0.1:9' },
    ],
  ])('is refused with %s', async (_, environment) => {
    const service = start(['--bootstrap-only'], environment)
    expect(await service.ended).toBe(1)
    expect(service.err.join()).toContain('CONFIG_INVALID')
  })
})
