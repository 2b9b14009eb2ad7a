// Runs the API as a process behind one node of the table, and counts what a user would see.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from '@braid-swap/core/advanced'
import { createRandom } from '@braid-swap/devnet'
import { type NodeCounts, type NodeDouble, startNodeDouble } from '@braid-swap/worlds/node'
import { type ServiceProcess, startService } from '../processes/serviceProcess.js'
import type { NodesWorld } from './nodesWorld.js'
import { type Row, savingQuirks } from './rows.js'
import { type Sample, takeSample } from './sample.js'

/** What was measured behind one node. */
export type Measured = {
  readonly row: Row
  /** Seconds from the start of the process until `/readyz` was 200; absent if it never was. */
  readonly readyS?: number
  readonly startRequests: number
  readonly startMethods: NodeCounts['methods']
  /** All requests after the start, and the blocks that were served. */
  readonly requests: number
  readonly blocks: number
  readonly samples: number
  readonly readySamples: number
  /** Of the samples with a market, ready or not. */
  readonly agesMs: readonly number[]
  readonly checked: number
  readonly wrong: number
  readonly wrongBlocks: number
  /** The most blocks served one after the other that each had a wrong answer. */
  readonly wrongInARow: number
  /** By amount; absent if none was wrong, or if all wrong ones revert. */
  readonly worstBp?: number
  /** The last wrong answer, in seconds since the market was ready. */
  readonly lastWrongS?: number
  /** What `/readyz` and `/swap` said instead, by how often; before the market was ready under `start`. */
  readonly refusals: Readonly<Record<string, number>>
  /** The last sentence of `/readyz` about why it is not ready. */
  readonly reason?: string
  readonly counts: NodeCounts
}

/** How to measure. */
export type MeasureOptions = {
  /** Seconds of a market that is ready. */
  readonly seconds: number
  /** Where the log of each process is kept; absent: nowhere. */
  readonly logFolder?: string
}

const SAMPLE_MS = 250
/** A market that is not ready after this time never will be. */
const PATIENCE_S = 300
const KNOWN_LIMIT = { BRAID_RPC_REQUESTS_PER_MINUTE: '100' }
/** Two blocks more than a start, so that the saved market is one that was followed. */
const SAVED_AFTER_MS = 3_000

/** Measures one row; it has a double, a process and a folder of its own. */
export async function measureRow(
  world: NodesWorld,
  row: Row,
  options: MeasureOptions,
): Promise<Measured> {
  const { devnet, folder } = world
  const quirks = row.isWarm ? savingQuirks : row.quirks
  const double = await startNodeDouble(devnet.rpcUrl, quirks)
  const stateDir = join(folder, row.name)
  const venuesFile = join(folder, `${row.name}.json`)
  await writeFile(venuesFile, stringify(devnet.venues))
  const environment = {
    ...{ ...world.environment, BRAID_RPC_URLS: double.url, BRAID_VENUES: venuesFile },
    ...(row.isWarm && { BRAID_STATE_DIR: stateDir }),
  }
  if (row.isWarm) {
    await saveMarket(environment)
    double.set(row.quirks ?? {})
    double.reset()
  }
  const api = startService([], { ...environment, ...(row.isLimited && KNOWN_LIMIT) })
  try {
    return await watch({ world, row, api, double }, options)
  } finally {
    await api.kill()
    await double.stop()
    await rm(stateDir, { recursive: true, force: true })
    if (options.logFolder) {
      const lines = [...api.out, ...api.err].join('\n')
      await writeFile(join(options.logFolder, `${row.name}.log`), `${lines}\n`)
    }
  }
}

/** Runs a process until it has followed a few blocks, and ends it as an operator does. */
async function saveMarket(environment: Readonly<Record<string, string>>): Promise<void> {
  const api = startService([], environment)
  await api.logged('market loaded')
  await sleep(SAVED_AFTER_MS)
  api.signal('SIGTERM')
  await api.ended
}

type Watched = {
  readonly world: NodesWorld
  readonly row: Row
  readonly api: ServiceProcess
  readonly double: NodeDouble
}

async function watch(
  { world, row, api, double }: Watched,
  { seconds }: MeasureOptions,
): Promise<Measured> {
  const startMs = performance.now()
  const url = (await api.logged('listening')).url!
  const { tokens, wrappedNative } = world.devnet
  const bought = tokens.map(({ address }) => address).filter((one) => one !== wrappedNative)
  const sampled = { world, url, tokens: bought, random: createRandom(1, row.name.length) }
  const tally = createTally()
  const changes = [...(row.changes ?? [])]
  let ready: { readonly atMs: number; readonly start: NodeCounts } | undefined
  for (let nextMs = performance.now(); ; nextMs = Math.max(nextMs + SAMPLE_MS, performance.now())) {
    await sleep(nextMs - performance.now())
    const nowMs = performance.now()
    if (nowMs - (ready?.atMs ?? startMs) > (ready ? seconds : PATIENCE_S) * 1_000) break
    const sinceS = ready && (nowMs - ready.atMs) / 1_000
    if (sinceS !== undefined && changes[0] && sinceS >= changes[0].atS) {
      double.set(changes.shift()!.quirks(await double.head()))
    }
    const sample = await takeSample(sampled)
    if (!ready && sample.isReady) {
      ready = { atMs: nowMs, start: double.counts() }
      double.reset()
    }
    tally.add(sample, sinceS)
  }
  const counts = double.counts()
  const start = ready?.start ?? counts
  return {
    ...{ row, counts, ...tally.result() },
    ...(ready && { readyS: (ready.atMs - startMs) / 1_000 }),
    startRequests: start.requests,
    startMethods: start.methods,
    requests: ready ? counts.requests : 0,
  }
}

/** Counts samples; those before the market was first ready have no second. */
function createTally() {
  const blocks = new Set<bigint>()
  const wrongBlocks = new Set<bigint>()
  const isWrongBlock = (block: bigint) => wrongBlocks.has(block)
  const agesMs: number[] = []
  const refusals: Record<string, number> = {}
  const sums = { samples: 0, readySamples: 0, checked: 0, wrong: 0 }
  const last: { worstBp?: number; lastWrongS?: number; reason?: string } = {}
  const refuse = (name: string) => {
    refusals[name] = (refusals[name] ?? 0) + 1
  }
  const check = (swap: NonNullable<Sample['swap']>, sinceS: number) => {
    if ('refusal' in swap) return refuse(swap.refusal)
    sums.checked += 1
    blocks.add(swap.block)
    if (!swap.isWrong) return
    sums.wrong += 1
    wrongBlocks.add(swap.block)
    last.lastWrongS = sinceS
    if (swap.errorBp === undefined) return refuse('reverts')
    const isWorse = Math.abs(swap.errorBp) > Math.abs(last.worstBp ?? 0)
    last.worstBp = isWorse ? swap.errorBp : last.worstBp!
  }
  return {
    add: (sample: Sample, sinceS: number | undefined) => {
      if (!sample.isReady && sample.message !== null) last.reason = sample.message
      if (sinceS === undefined) {
        if (!sample.isReady) refuse(`start ${sample.code}`)
        return
      }
      if (sample.isReady && sample.blockNumber !== null) blocks.add(BigInt(sample.blockNumber))
      if (sample.swap) check(sample.swap, sinceS)
      sums.samples += 1
      if (sample.isReady) sums.readySamples += 1
      else refuse(`${sample.code}`)
      if (sample.ageMs !== undefined) agesMs.push(sample.ageMs)
    },
    result: () => ({
      ...{ ...sums, ...last, agesMs, refusals },
      ...{ blocks: blocks.size, wrongBlocks: wrongBlocks.size },
      wrongInARow: longestRow([...blocks].sort((a, b) => Number(a - b)).map(isWrongBlock)),
    }),
  }
}

function longestRow(flags: readonly boolean[]): number {
  const lengths = [0]
  for (const flag of flags) lengths.push(flag ? lengths.at(-1)! + 1 : 0)
  return Math.max(...lengths)
}
