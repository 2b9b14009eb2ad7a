import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '@braid-swap/api'
import { createClient, loadSnapshot } from '@braid-swap/chain'
import { parseSnapshot, type Snapshot } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import { createRandom, type Devnet, type Random, startDevnet } from '@braid-swap/devnet'
import { type ServiceProcess, startService } from '../processes/serviceProcess.js'

/** The results of a run of kills. */
export type Report = {
  /** Starts that became ready, with and without a saved market. */
  readonly warmStarts: number
  readonly coldStarts: number
  /** Starts that were killed before they were ready. */
  readonly killedEarly: number
  /** Served states that were compared with a fresh load of their block. */
  readonly compared: number
  /** States that could not be compared, because the node no longer has their block's state. */
  readonly unread: number
  /** Differences between served states and the chain, in words. */
  readonly wrong: readonly string[]
  /** Log messages about saved markets that were not used. */
  readonly refusals: readonly string[]
}

const BLOCK_TIME_MS = 1_000
const SWAPS_PER_BLOCK = 4
/** Some minutes, because a slow machine compares old states. */
const KEPT_STATES = 1_200
/** The longest time before a process is killed, ready or not. */
const LIFE_MS = 1500
const EARLY_MS = 600
const EARLY_CHANCE = 0.3
const ASKERS = 2
/** Between two requests of an asker; without a pause they would only heat the processor. */
const PAUSE_MS = 100

/**
 * Kills the API repeatedly at moments derived from the seed, on a moving chain and under requests for
 * quotes, and compares the states that each start serves with the chain. The first start and every
 * tenth after it have no saved market.
 */
export async function runRestarts(of: {
  readonly kills: number
  readonly seed: number
}): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'braid-restarts-'))
  const devnet = await startDevnet({
    seed: of.seed,
    mining: 'interval',
    blockTimeMs: BLOCK_TIME_MS,
    keptStates: KEPT_STATES,
  })
  try {
    devnet.startTrader({ swapsPerBlock: SWAPS_PER_BLOCK })
    return await killOften({ ...of, folder, devnet })
  } finally {
    await devnet.stop()
    await rm(folder, { recursive: true })
  }
}

type Run = {
  readonly kills: number
  readonly seed: number
  readonly folder: string
  readonly devnet: Devnet
}

async function killOften({ kills, seed, folder, devnet }: Run): Promise<Report> {
  const random = createRandom(seed, 3)
  const stateDir = join(folder, 'state')
  const { key, environment } = await prepare(folder, devnet)
  const report = {
    ...{ warmStarts: 0, coldStarts: 0, killedEarly: 0, compared: 0, unread: 0 },
    ...{ wrong: [] as string[], refusals: [] as string[] },
  }
  // Drawn before anything runs concurrently, so that the draws do not depend on timing.
  const isEarly = Array.from(
    { length: kills },
    (_, nth) => nth % 10 !== 0 && random.next() < EARLY_CHANCE,
  )
  for (let nth = 0; nth < kills; nth++) {
    if (nth % 10 === 0) await rm(stateDir, { recursive: true, force: true })
    const api = startService([], { ...environment, BRAID_STATE_DIR: stateDir })
    try {
      if (isEarly[nth]) {
        await sleep(random.next() * EARLY_MS)
        report.killedEarly += 1
        continue
      }
      const url = await readyUrl(api)
      const said = api.lines.map(({ msg = '' }) => msg)
      report.refusals.push(...said.filter((msg) => msg.startsWith('ignoring the saved market')))
      report[said.includes('resuming from the saved market') ? 'warmStarts' : 'coldStarts'] += 1
      const stop = askOften(url, { key, devnet, random })
      const found = await compareStates(url, { key, devnet, random })
      report.wrong.push(...found.wrong)
      report.compared += found.compared
      report.unread += found.unread
      await sleep(random.next() * LIFE_MS)
      await api.kill()
      await stop()
    } finally {
      await api.kill()
    }
  }
  return report
}

/** The address of a process that is ready to quote. */
async function readyUrl(api: ServiceProcess): Promise<string> {
  await api.logged('market loaded')
  const { url = '' } = await api.logged('listening')
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(1)
  return url
}

async function prepare(folder: string, devnet: Devnet) {
  const keysFile = join(folder, 'keys.json')
  const { key } = await createKey(keysFile, { label: 'restarts' })
  const venuesFile = join(folder, 'venues.json')
  await writeFile(venuesFile, stringify(devnet.venues))
  const environment = {
    BRAID_RPC_URLS: devnet.rpcUrl,
    BRAID_KEYS_FILE: keysFile,
    BRAID_VENUES: venuesFile,
    BRAID_ROUTER: devnet.router,
    BRAID_POLL_MS: '50',
    BRAID_SAVE_EVERY_MS: '100',
    // The constant requests must not prevent reading the states.
    BRAID_KEY_RATE: '1000',
    // The machine may be slow, and this test checks the served states, not their age.
    BRAID_MAX_STATE_AGE_MS: '60000',
    BRAID_CHECK_BLOCK_TIME: 'false',
  }
  return { key, environment }
}

type Asking = { readonly key: string; readonly devnet: Devnet; readonly random: Random }

/** Compares the first served state and a later one with the chain at their blocks. */
async function compareStates(url: string, { key, devnet, random }: Asking) {
  const served: Snapshot[] = []
  for (let i = 0; i < 2; i++) {
    if (i > 0) await sleep(random.next() * LIFE_MS)
    const answer = await fetch(`${url}/swap/v1/999/snapshot`, { headers: { apikey: key } })
    served.push(parseSnapshot(await answer.text()))
  }
  const client = createClient(devnet.rpcUrl)
  const { venues, wrappedNative } = devnet
  const found = { compared: 0, unread: 0, wrong: [] as string[] }
  for (const snapshot of served) {
    const { number } = snapshot.block
    const fresh = await loadSnapshot(client, { venues, wrappedNative, block: number })
    // A node without the state of the block reads its latest state.
    if (fresh.state.snapshot.block.number !== number) {
      found.unread += 1
      continue
    }
    found.compared += 1
    const [got, wanted] = [linesOf(snapshot), linesOf(fresh.state.snapshot)]
    const at = got.findIndex((line, i) => line !== wanted[i])
    if (at !== -1 || got.length !== wanted.length) {
      found.wrong.push(`block ${number}: ${got[at]}, wanted ${wanted[at]}`)
    }
  }
  return found
}

/** A snapshot without list order and gas price; nodes report the gas price only for the present. */
function linesOf({ block, pools, tokens, ...rest }: Snapshot): readonly string[] {
  const { gasPrice: _, ...ofBlock } = block
  const sorted = [...pools].sort((a, b) => (a.id < b.id ? -1 : 1))
  const known = [...tokens].sort((a, b) => (a.address < b.address ? -1 : 1))
  return [rest, ofBlock, known, ...sorted].map((part) => stringify(part))
}

/** Requests quotes, with pauses, until it is stopped; ignores failed requests. */
function askOften(url: string, { key, devnet, random }: Asking): () => Promise<void> {
  let isOver = false
  const ask = async () => {
    while (!isOver) {
      const [src, dst] = [random.pick(devnet.tokens), random.pick(devnet.tokens)]
      const amount = `${10n ** BigInt(src.decimals)}`
      const query = new URLSearchParams({ src: src.address, dst: dst.address, amount })
      await fetch(`${url}/swap/v1/999/quote?${query}`, { headers: { apikey: key } })
        .then((answer) => answer.text())
        .catch(() => {})
      await sleep(PAUSE_MS)
    }
  }
  const asking = Array.from({ length: ASKERS }, ask)
  return async () => {
    isOver = true
    await Promise.all(asking)
  }
}
