import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '@braid-swap/api'
import { stringify } from '@braid-swap/core'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startService } from './serviceProcess.js'

let devnet: Devnet
let folder: string
let keysFile: string
let venuesFile: string
const running: ServiceProcess[] = []
beforeAll(async () => {
  devnet = await borrowDevnet()
  folder = await mkdtemp(join(tmpdir(), 'braid-workers-'))
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
    ...{ BRAID_NODE_TIMEOUT_MS: '30000', ...more },
  })
  running.push(service)
  return service
}

async function ready(service: ServiceProcess): Promise<string> {
  const { url = '' } = await service.logged('listening')
  // All workers listen; before that, any request goes to those that do.
  if (workersOf(service).some((pid) => pid !== service.pid)) await service.logged('started')
  while (!(await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).ok) await sleep(10)
  return url
}

/** One quote over a connection of its own, so that any of the workers may answer. */
async function quote(url: string, apikey: string) {
  const [src, dst] = devnet.tokens
  const params = new URLSearchParams({
    ...{ src: src!.address, dst: dst!.address, amount: `${10n ** 18n}` },
  })
  const headers = { apikey, connection: 'close' }
  const response = await fetch(`${url}/swap/v1/999/quote?${params}`, { headers })
  const body = (await response.json()) as { readonly dstAmount?: string }
  return { status: response.status, headers: response.headers, body }
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

const workersOf = (service: ServiceProcess) =>
  service.lines.flatMap(({ msg, pid }) => (msg === 'listening' ? [pid!] : []))

/** Asks three times at once what a key with a burst of 20 and one request a second allows. */
async function expectSharedLimit(url: string, key: string): Promise<void> {
  const startMs = performance.now()
  const answers = await Promise.all(Array.from({ length: 60 }, () => quote(url, key)))
  const refilled = Math.ceil((performance.now() - startMs) / 1_000)
  const allowed = answers.filter(({ status }) => status === 200).length
  // An answer may be that the service is overloaded; then its token is given back.
  for (const { status, body } of answers) expect([200, 429], JSON.stringify(body)).toContain(status)
  // A search that takes long costs its key several requests, so fewer may be allowed, never more.
  expect(allowed).toBeGreaterThan(0)
  expect(allowed).toBeLessThanOrEqual(20 + refilled)
}

describe('workers', () => {
  it('answer the same behind one port, share the limit of a key to one request, and replace one that is killed', async () => {
    const { key } = await createKey(keysFile, { label: 'same', rate: 1_000, burst: 10_000 })
    const limited = await createKey(keysFile, { label: 'limited', rate: 1, burst: 20 })
    const service = start(['--workers', '2'], { BRAID_METRICS_PORT: '0' })
    const url = await ready(service)
    const { metricsUrl } = await service.logged('started')
    await devnet.trade(3)
    await devnet.mine()
    const number = `${await devnet.client.getBlockNumber()}`
    const seen = () => Promise.all(Array.from({ length: 8 }, () => quote(url, key)))
    let answers = await seen()
    while (answers.some(({ headers }) => headers.get('x-block-number') !== number)) {
      answers = await seen()
    }
    for (const { status } of answers) expect(status).toBe(200)
    expect(new Set(answers.map(({ headers }) => headers.get('x-quote-id'))).size).toBe(1)
    const text = await (await fetch(metricsUrl!)).text()
    for (const worker of ['1', '2', 'follower']) {
      expect(text).toMatch(
        new RegExp(`braid_state_block_number\\{worker="${worker}"\\} ${number}\n`),
      )
    }
    expect(text).toMatch(/braid_requests_total\{.*worker="1".*\} \d+\n/)
    await expectSharedLimit(url, limited.key)
    const [first] = workersOf(service)
    process.kill(first!, 'SIGKILL')
    while (workersOf(service).length < 3) await sleep(10)
    await ready(service)
    expect((await seen()).map(({ status }) => status)).toEqual(Array(8).fill(200))
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
    for (const pid of workersOf(service)) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'answer what was sent before the end by %s, and refuse the rest',
    async (signal) => {
      const { key } = await createKey(keysFile, { label: 'end', rate: 1_000, burst: 10_000 })
      const service = start(['--workers', '2'])
      const url = await ready(service)
      const [src, dst] = devnet.tokens
      const order = `src=${src!.address}&dst=${dst!.address}&amount=${10n ** 18n}`
      const paths = Array.from({ length: 400 }, (_, n) =>
        n % 10 === 0 ? `/swap/v1/999/quote?${order}` : '/healthz',
      )
      const sockets = await Promise.all(paths.map((path) => open(url, key, path)))
      for (const { send } of sockets) send()
      // A terminal sends SIGINT to all processes at once.
      const workers = signal === 'SIGINT' ? workersOf(service) : []
      service.signal(signal)
      for (const pid of workers) process.kill(pid, signal)
      const statuses = await Promise.all(sockets.map(({ status }) => status))
      expect(statuses).toEqual(Array(400).fill(200))
      expect(await service.ended).toBe(0)
      await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    },
  )

  it('record each answer once, whole, in one file whose disk was full for a while', async (context) => {
    if (!existsSync('/usr/bin/prlimit')) context.skip('prlimit of util-linux is not installed')
    const { key } = await createKey(keysFile, { label: 'records', rate: 1_000, burst: 10_000 })
    const file = join(folder, 'quotes.ndjson')
    const service = start(['--workers', '2'], { BRAID_QUOTE_RECORDS: file })
    const url = await ready(service)
    const allow = (bytes: string) => {
      for (const pid of [service.pid, ...workersOf(service)]) {
        execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`])
      }
    }
    // As a disk that becomes full in the middle of a batch.
    allow('4000')
    const asked = await Promise.all(Array.from({ length: 60 }, () => quote(url, key)))
    // A busy service may refuse some, which are no answers.
    for (const { status } of asked) expect([200, 429, 503]).toContain(status)
    const answers = asked.filter(({ status }) => status === 200)
    expect(answers.length).toBeGreaterThan(20)
    const failures = () =>
      service.lines.filter(({ msg }) => msg === 'records cannot be written').length
    while (failures() < 2) await sleep(20)
    allow('unlimited')
    const read = async () =>
      (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
    while ((await read()).length < answers.length) await sleep(20)
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
    const recorded = (await read()).map(
      (line) => (JSON.parse(line) as { requestId: string }).requestId,
    )
    const wanted = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(recorded.toSorted()).toEqual(wanted.toSorted())
  })

  it('end when the process that started them is killed', async () => {
    const service = start(['--workers', '2'])
    await ready(service)
    await service.kill()
    const isGone = (pid: number) => {
      try {
        return !process.kill(pid, 0)
      } catch {
        return true
      }
    }
    while (!workersOf(service).every(isGone)) await sleep(10)
  })

  it.each([
    [
      'an indexer',
      ['--workers', '2'],
      { BRAID_ROLE: 'indexer', BRAID_REDIS_URL: 'redis://127.0.0.1:9' },
    ],
    ['a single load', ['--workers', '2', '--bootstrap-only'], {}],
  ])('are refused for %s', async (_, args, environment) => {
    const service = start(args, environment)
    expect(await service.ended).toBe(1)
    expect(service.texts.join()).toContain('CONFIG_INVALID')
  })

  it('send their traces to the collector of the standard variables, the last ones at the end', async () => {
    const bodies: string[] = []
    const collector = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      bodies.push(`${request.url} ${text}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    await once(collector.listen(0, '127.0.0.1'), 'listening')
    const { port } = collector.address() as AddressInfo
    const { key } = await createKey(keysFile, { label: 'traced' })
    const service = start(['--workers', '1'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      ...{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_SERVICE_NAME: 'traced-braid' },
    })
    const { headers } = await quote(await ready(service), key)
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
    collector.close()
    const [body, ...others] = bodies
    expect(others).toEqual([])
    expect(body).toMatch(/^\/v1\/traces /)
    for (const text of ['traced-braid', headers.get('x-quote-id')!, '"name":"solve"']) {
      expect(body).toContain(text)
    }
  })

  it('end with the reason if they cannot listen', async () => {
    const service = start(['--workers', '2'], { HOST: '192.0.2.1' })
    expect(await service.ended).toBe(1)
    expect(service.texts.join('\n')).toContain('EADDRNOTAVAIL')
    expect(service.texts.join('\n')).toContain('CONFIG_INVALID')
  })
})

describe('a process whose output nobody reads', () => {
  it.each([[[]], [['--workers', '2']]])('ends by a signal all the same, with %s', async (args) => {
    const service = start(args)
    await ready(service)
    service.stopReading()
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
    expect(service.texts.join()).toContain('CONFIG_INVALID')
  })
})
