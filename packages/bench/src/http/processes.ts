/**
 * Quotes of several processes, started as operators start them: `braid-api --workers N` behind one
 * port, and N times `braid-api`, all readers of one Redis, which also counts the limits of the key.
 * The driver, the publisher, Redis and all readers share the processors of this machine.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '@braid-swap/api'
import { startChild } from './apiChild.js'
import { openDriver } from './drive.js'
import type { Measured } from './rows.js'
import { measureTurns, type Run } from './run.js'
import { loadServedMarket, ROUTER } from './servedMarket.js'

const UNLIMITED = { rate: 900_000, burst: 900_000 }
const CONNECTIONS = 64
const COUNTS = [1, 2, 4]

/** Running readers. */
type Readers = {
  readonly urls: readonly string[]
  /** Milliseconds of the processor of all of them since their start. */
  readonly cpuMs: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Rates of 1, 2 and 4 workers, and of 1, 2 and 4 processes, without blocks and with. */
export async function curve(run: Run): Promise<readonly Measured[]> {
  const redisUrl = process.env['BRAID_REDIS_URL']
  if (!redisUrl) throw new RangeError('set BRAID_REDIS_URL to a Redis that may be emptied')
  const folder = await mkdtemp(join(tmpdir(), 'braid-bench-'))
  const keysFile = join(folder, 'keys.json')
  const { key } = await createKey(keysFile, { label: 'driver', ...UNLIMITED })
  const publisher = await startChild('publisherProcess.js', [redisUrl, '200', `${run.seed}`])
  const environment = {
    ...{ BRAID_ROLE: 'api', BRAID_REDIS_URL: redisUrl, BRAID_KEYS_FILE: keysFile },
    ...{ BRAID_ROUTER: ROUTER, BRAID_CHECK_BLOCK_TIME: 'false', BRAID_MAX_CONCURRENT: '1000' },
    ...{ BRAID_MAX_STATE_AGE_MS: '3600000', BRAID_MAX_REQUEST_MS: '30000', PORT: '0' },
    ...{ BRAID_WRAPPED_NATIVE: loadServedMarket(2, run.seed).snapshot.wrappedNative },
    ...{ BRAID_METRICS_PORT: '0' },
  }
  const all: Measured[] = []
  const measure = async (load: string, starts: readonly (readonly string[])[]) => {
    const readers = await startReaders(starts, environment)
    const { urls, cpuMs } = readers
    const driver = openDriver({ urls, key, paths: publisher.paths, connections: CONNECTIONS })
    await driver.flatOut(run.seconds / 2)
    const turns = Math.ceil(run.seconds / 2)
    const loaded = { ...publisher, load, driver, cpuMs }
    all.push(...(await measureTurns(loaded, { ...run, turns, blocks: [false, true] })))
    driver.close()
    await readers.stop()
  }
  try {
    for (const count of COUNTS) await measure(`workers: ${count}`, [['--workers', `${count}`]])
    for (const count of COUNTS) await measure(`processes: ${count}`, new Array(count).fill([]))
  } finally {
    await publisher.end()
    await rm(folder, { recursive: true })
  }
  return all
}

/** Starts `braid-api` once for each list of arguments, and waits until all answer. */
async function startReaders(
  starts: readonly (readonly string[])[],
  environment: Readonly<Record<string, string>>,
): Promise<Readers> {
  const main = new URL('../bin/braid-api.js', import.meta.resolve('@braid-swap/api'))
  const running = await Promise.all(
    starts.map((args) => startReader([main.pathname, ...args], environment)),
  )
  const cpuOf = async (metricsUrl: string) => {
    const text = await (await fetch(metricsUrl)).text()
    const lines = text.matchAll(/^process_cpu_seconds_total(?:\{[^}]*\})? ([\d.e+-]+)/gm)
    return [...lines].reduce((sum, [, value]) => sum + 1_000 * Number(value), 0)
  }
  return {
    urls: running.map(({ url }) => url),
    cpuMs: async () => {
      const all = await Promise.all(running.map(({ metricsUrl }) => cpuOf(metricsUrl)))
      return all.reduce((sum, ms) => sum + ms, 0)
    },
    stop: async () => void (await Promise.all(running.map(({ stop }) => stop()))),
  }
}

type Line = { readonly url?: string; readonly metricsUrl?: string }

async function startReader(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let [url, metricsUrl]: (string | undefined)[] = []
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as Line
    url = line.url ?? url
    metricsUrl = line.metricsUrl ?? metricsUrl
  })
  while (!url || !metricsUrl || !(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`braid-api ended with ${child.exitCode}`)
    await sleep(50)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, metricsUrl, stop }
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false
}
