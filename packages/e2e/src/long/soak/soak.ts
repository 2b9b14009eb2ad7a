import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createKey, type RunningApi, startApi } from '@braid-swap/api'
import { parseSnapshot } from '@braid-swap/core'
import { createRandom, type Devnet, type Random, startDevnet } from '@braid-swap/devnet'
import { pino } from 'pino'
import {
  type Fault,
  type FaultCounts,
  type FaultProxy,
  startFaultProxy,
} from '../../chain/faults/proxy.js'
import { differenceFromChain, knownPools } from './fresh.js'
import { type MovingCounts, moveChain } from './movingChain.js'

/** The results of a soak test. */
export type SoakReport = {
  readonly seconds: number
  /** Served states that were compared with a fresh load of their block. */
  readonly compared: number
  /** Served states that could not be compared, because their block has left the chain. */
  readonly left: number
  /** Differences between served states and the chain, in words. */
  readonly wrong: readonly string[]
  /** Counts of the distance between served state and head, in blocks. */
  readonly lags: readonly number[]
  /** Counts of responses to requests for the state, by status and code. */
  readonly answers: Readonly<Record<string, number>>
  /** Counts of errors while following the market, by code. */
  readonly complaints: Readonly<Record<string, number>>
  readonly endpoints: readonly FaultCounts[]
  readonly chain: MovingCounts
  /** Heap in use after a collection, in MB, once a minute. */
  readonly heapMb: readonly number[]
  readonly pools: number
}

const chances: Readonly<Partial<Record<Fault, number>>> = {
  ...{ late: 0.05, busy: 0.01, dropped: 0.02, half: 0.02, malformed: 0.02, missing: 0.03 },
  ...{ wrongBlock: 0.04, stale: 0.05, dead: 0.004 },
}

/** Below the size of a full batch's answer, which must then be split, and above most answers. */
const maxAnswer = 262_144

/**
 * Runs an API that follows a devnet with trades and reorganisations through two endpoints with every
 * kind of fault, one of them without past states, and compares the served states with the chain.
 */
export async function runSoak(of: {
  readonly seconds: number
  readonly seed: number
  readonly log?: (line: string) => void
}): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), 'braid-soak-'))
  const devnet = await startDevnet({ seed: of.seed })
  const proxies = await Promise.all(
    [false, true].map((isLatestOnly, i) =>
      startFaultProxy({ nodeUrl: devnet.rpcUrl, seed: of.seed + i, isLatestOnly, maxAnswer }),
    ),
  )
  try {
    const refs = await knownPools(devnet)
    return await soak({ ...of, folder, devnet, proxies, refs, random: createRandom(of.seed, 5) })
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    await devnet.stop()
    await rm(folder, { recursive: true })
  }
}

type Setting = {
  readonly seconds: number
  readonly seed: number
  readonly log?: (line: string) => void
  readonly folder: string
  readonly devnet: Devnet
  readonly random: Random
  readonly refs: Awaited<ReturnType<typeof knownPools>>
  readonly proxies: readonly FaultProxy[]
}

async function soak(setting: Setting): Promise<SoakReport> {
  const { devnet, proxies, folder, seconds, seed } = setting
  const keysFile = join(folder, 'keys.json')
  const { key } = await createKey(keysFile, { label: 'soak' })
  const complaints: Record<string, number> = {}
  const api = await startApi({
    ...{
      keysFile,
      router: devnet.router,
      venues: devnet.venues,
      port: 0,
      pollMs: 250,
      checksBlockTime: false,
    },
    rpcUrls: proxies.map(({ url }) => url),
    log: complaintsLog(complaints),
  })
  await api.ready
  for (const proxy of proxies) proxy.setChances(chances)
  const moving = moveChain(devnet, {
    ...{ seed, blockTimeMs: 1_000, swapsPerBlock: 8 },
    ...{ reorganiseChance: 0.02, createChance: 0.01 },
  })
  const found: Found = {
    ...{ compared: 0, left: 0, wrong: [], lags: [], answers: {}, heapMb: [], pools: 0 },
  }
  const end = performance.now() + seconds * 1_000
  try {
    for (let minute = 0; performance.now() < end; ) {
      moving.check()
      await sample(setting, { api, key, found })
      if (performance.now() > end - seconds * 1_000 + minute * 60_000) {
        found.heapMb.push(heapMb())
        minute += 1
        const { compared, wrong, answers } = found
        setting.log?.(JSON.stringify({ minute, compared, wrong, answers, complaints }))
      }
    }
  } finally {
    await moving.stop()
    await api.stop()
  }
  const endpoints = proxies.map(({ counts }) => counts())
  return { ...found, seconds, complaints, endpoints, chain: moving.counts() }
}

type Found = {
  compared: number
  left: number
  readonly wrong: string[]
  readonly lags: number[]
  readonly answers: Record<string, number>
  readonly heapMb: number[]
  pools: number
}

/** Compares the state served now with a fresh load of its block, directly from the node. */
async function sample(
  { devnet, refs, random }: Setting,
  { api, key, found }: { readonly api: RunningApi; readonly key: string; readonly found: Found },
): Promise<void> {
  const head = await devnet.client.getBlockNumber()
  const response = await fetch(`${api.url}/swap/v1/999/snapshot`, { headers: { apikey: key } })
  const text = await response.text()
  const code = response.ok ? '' : (JSON.parse(text) as { code: string }).code
  const answer = `${response.status} ${code}`.trim()
  found.answers[answer] = (found.answers[answer] ?? 0) + 1
  if (!response.ok) {
    await sleep(200)
    return
  }
  const served = parseSnapshot(text)
  found.lags.push(Number(head - served.block.number))
  found.pools = served.pools.length
  const difference = await differenceFromChain(served, { devnet, refs, random })
  if (difference === 'left') found.left += 1
  else found.compared += 1
  if (difference && difference !== 'left') found.wrong.push(difference)
}

function heapMb(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return Math.round(process.memoryUsage().heapUsed / 1e5) / 10
}

function complaintsLog(complaints: Record<string, number>) {
  const write = (line: string) => {
    const { err, msg } = JSON.parse(line) as {
      err?: { code?: unknown; type?: string }
      msg: string
    }
    const name = `${err?.code ?? err?.type ?? msg}`
    complaints[name] = (complaints[name] ?? 0) + 1
  }
  return pino({ level: 'warn' }, { write })
}
