import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { createKey } from '../keys/keys.js'
import type { LiveMarket } from '../market/liveMarket.js'
import { type StartOptions, startApi } from '../start/startApi.js'
import { checkAnswer } from './checkAnswer.js'

type Got<T> = { readonly status: number; readonly headers: Headers; readonly body: T }

/** The API as operators run it, on a chain whose blocks come when a test mines them. */
export type ServedApi = {
  readonly url: string
  readonly metricsUrl: string | undefined
  readonly apikey: string
  readonly market: LiveMarket
  /** GET with the key. Throws if the body departs from the OpenAPI document. */
  readonly get: <T>(path: string, params?: Readonly<Record<string, string>>) => Promise<Got<T>>
  /** Waits until the API has the chain's newest block. */
  readonly catchUp: () => Promise<void>
  /** Requests to the node so far. */
  readonly nodeRequests: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** The chain that an API is started on, and what a start takes beside it. */
type Served = Partial<StartOptions> & Pick<StartOptions, 'router' | 'venues'>

/** Starts an API on a chain; nothing but the interface's own rules limits who asks. */
export async function startServedApi(
  { rpcUrl, client }: Pick<Devnet, 'rpcUrl' | 'client'>,
  options: Served,
): Promise<ServedApi> {
  const folder = await mkdtemp(join(tmpdir(), 'braid-devnet-api-'))
  const keysFile = join(folder, 'keys.json')
  const limits = { rate: 1_000, burst: 100_000 }
  const { key: apikey } = await createKey(keysFile, { label: 'test', ...limits })
  const api = await startApi({
    ...{ rpcUrls: [rpcUrl], keysFile, port: 0, metricsPort: 0, pollMs: 50 },
    ...{ simulationLimits: limits, logLevel: 'silent' },
    // The state grows old by the wall clock, and the machine may be slow.
    ...{ maxStateAgeMs: 3_600_000, checksBlockTime: false },
    ...{ nodeTimeoutMs: 30_000, maxRequestMs: 60_000 },
    ...options,
  })
  await api.ready
  return {
    ...{ apikey, url: api.url, metricsUrl: api.metricsUrl, market: api.market },
    get: async <T>(path: string, params: Readonly<Record<string, string>> = {}) => {
      const url = `${api.url}${path}?${new URLSearchParams(params)}`
      const response = await fetch(url, { headers: { apikey } })
      const { status, headers } = response
      const body: unknown = await response.json()
      const faults = checkAnswer({ path, status, body }, options.compat)
      if (faults.length > 0) throw new Error(`${url} answers otherwise: ${faults.join('; ')}`)
      return { status, headers, body: body as T }
    },
    catchUp: async () => {
      const number = await client.getBlockNumber()
      while (api.market.current()?.graph.snapshot.block.number !== number) await sleep(5)
    },
    nodeRequests: async () => {
      const text = await (await fetch(api.metricsUrl!)).text()
      const lines = text.split('\n').filter((line) => line.startsWith('braid_rpc_requests_total{'))
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    },
    stop: async () => {
      await api.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** An API on a devnet. */
export type DevnetApi = ServedApi & { readonly devnet: Devnet }

/** Starts both, or a further API on a devnet that is there, which outlives it. */
export async function startDevnetApi(
  options: Partial<StartOptions> & { readonly devnet?: Devnet } = {},
): Promise<DevnetApi> {
  const { devnet: found, ...more } = options
  const devnet = found ?? (await borrowDevnet())
  const { router, venues } = devnet
  const api = await startServedApi(devnet, { router, venues, ...more })
  const stop = async () => {
    await api.stop()
    if (!found) await devnet.stop()
  }
  return { ...api, devnet, stop }
}
