import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  advanceMarket,
  type Client,
  type EndpointProfile,
  findPools,
  learnProfiles,
  loadSnapshot,
  type Market,
  NodeFailedError,
  type PoolRef,
  type PriceGuard,
  probeEndpoints,
  profilesOf,
  readHeader,
  steadyMs,
} from '@braid-swap/chain'
import { type Address, BaseError } from '@braid-swap/core'
import type { Logger } from 'pino'
import { createPoolSearch, type PoolSearch } from './poolSearch.js'
import { readProfiles, saveProfiles } from './savedEndpoints.js'
import { type MarketKey, readMarket, saveMarket } from './savedMarket.js'
import { readTrials, saveTrials } from './savedTrials.js'
import type { SearchProgress } from './searchProgress.js'

/** Loads the first market of a start, and saves markets for the next start. */
export type Bootstrap = {
  /** The first market: the saved one updated to the head if there is one, otherwise a new load. */
  readonly load: () => Promise<Market>
  /** Pools that the search of past blocks found since the last call. */
  readonly newPools: () => readonly PoolRef[]
  /** Saves the market, at most once per `saveEveryMs`. */
  readonly keep: (market: Market) => void
  /** Resolves when the newest market passed to `keep` is saved. */
  readonly flush: () => Promise<void>
  /** Attempts to save that failed, since the start. */
  readonly failedSaves: () => number
  /** Progress of the search for pools. */
  readonly progress: () => SearchProgress
}

/** The source of the market, and the folder to save it in. */
export type BootstrapOptions = Omit<MarketKey, 'chainId'> & {
  readonly client: Client
  /** The URLs of its endpoints, whose profiles are kept. */
  readonly rpcUrls: readonly string[]
  /** Searches past blocks while the market is followed. */
  readonly searcher: Client
  /** Compares sampled pools with the order book; absent: no comparison. */
  readonly guard?: PriceGuard | undefined
  /** Tokens whose pools are found first on a long chain. */
  readonly tokens: readonly Address[]
  readonly signal: AbortSignal
  /** Folder of the saved state, created if absent. Without it nothing is saved. */
  readonly stateDir?: string | undefined
  /** Save interval. */
  readonly saveEveryMs: number
  readonly log: Logger
}

/** Prepares loading and saving of a market. */
export function createBootstrap(options: BootstrapOptions): Bootstrap {
  const { client, searcher, venues, signal, log, stateDir } = options
  const key = { ...options, chainId: client.chain.id }
  const [file, poolsFile, trialsFile] = ['market', 'pools', 'trials'].map(
    (name) => stateDir && join(stateDir, name),
  )
  const search = createPoolSearch({
    ...{ client: searcher, venues, file: poolsFile, key, signal, log },
  })
  const resumeSaved = createResume(options, async () =>
    file === undefined ? undefined : readMarket(file, key),
  )
  const probe = createProbe(options)
  const load = async () => {
    const known = await search.known()
    await probe.first()
    const market = (await resumeSaved()) ?? (await loadFresh(options, { search, known }))
    void probe.again()
    search.start(market)
    const trials = trialsFile ? await readTrials(trialsFile, venues) : []
    return trials.length > 0 ? { ...market, trust: { ...market.trust, trials } } : market
  }
  const save = async (market: Market) => {
    if (stateDir === undefined || !file || !trialsFile) return
    await mkdir(stateDir, { recursive: true })
    await saveMarket(file, market, key)
    const { trials } = market.trust
    if (trials) await saveTrials(trialsFile, { venues, trials })
    await search.keep(market)
    await probe.keep()
  }
  const { take: newPools, progress } = search
  return { load, newPools, progress, ...createSaver(save, options) }
}

/**
 * Learns what each endpoint does, and logs it. Profiles of an earlier process serve until the endpoints
 * are probed again, which does not delay the first market.
 */
function createProbe(options: BootstrapOptions): {
  readonly first: () => Promise<void>
  readonly again: () => Promise<void>
  readonly keep: () => Promise<void>
} {
  const { client, searcher, rpcUrls, stateDir, log } = options
  const file = stateDir && join(stateDir, 'endpoints')
  let kept: readonly EndpointProfile[] | undefined
  let isProbed = false
  const ask = async (by: Client, isAgain: boolean) => {
    const profiles = await probeEndpoints(by, { isAgain })
    for (const one of [client, searcher]) learnProfiles(one, profiles)
    isProbed = profiles.every((profile) => profile !== undefined)
    for (const [endpoint, profile] of profiles.entries()) {
      if (!profile) continue
      const { callGas, history, ...rest } = profile
      const blocks = history === undefined ? 'all' : `${history}`
      log.info({ endpoint, ...rest, callGas: `${callGas}`, history: blocks }, 'endpoint probed')
    }
  }
  return {
    first: async () => {
      if (isProbed || kept) return
      kept = file === undefined ? undefined : await readProfiles(file, rpcUrls)
      if (!kept) return ask(client, false)
      for (const one of [client, searcher]) learnProfiles(one, kept)
    },
    again: async () => {
      if (!isProbed) await ask(searcher, true)
    },
    keep: async () => {
      const profiles = profilesOf(client)
      if (file !== undefined && isProbed) await saveProfiles(file, { rpcUrls, profiles })
    },
  }
}

/** If the history is at most this many blocks, all of it is searched before the first quote. */
const SHORT = 10_000n

/**
 * The whole market if the history is short. Otherwise only the pools known from earlier searches and
 * the pools of the listed tokens, which the factories return; the search adds the others later.
 */
async function loadFresh(
  { client, venues, guard, wrappedNative, tokens, log }: BootstrapOptions,
  { search, known }: { readonly search: PoolSearch; readonly known: readonly PoolRef[] },
): Promise<Market> {
  const { number } = await readHeader(client, 'latest')
  const from = venues.reduce(
    (least, { fromBlock = 0n }) => (fromBlock < least ? fromBlock : least),
    number,
  )
  if (number - from <= SHORT) {
    const market = await loadSnapshot(client, { venues, guard, wrappedNative })
    search.finish(market)
    return market
  }
  const { pools, searchedTo, setAside } = await findPools(client, { venues, tokens })
  log.info({ found: pools.length, known: known.length }, 'queried the factories for pools')
  const market = await loadSnapshot(client, {
    ...{ venues, guard, wrappedNative, searchedTo },
    pools: [...known, ...pools],
  })
  const { state } = market
  return { ...market, state: { ...state, setAside: [...state.setAside, ...setAside] } }
}

/** Attempts to resume from a saved market before it is discarded. */
const TRIES = 5

/** The saved market updated to the head; `undefined` if there is no usable one. */
function createResume(
  options: BootstrapOptions,
  read: () => Promise<Market | undefined>,
): () => Promise<Market | undefined> {
  const { log } = options
  let saved: Market | undefined
  let tries = 0
  return async () => {
    try {
      if (tries === 0) saved = await read()
      tries += 1
      return saved && (await resume(options, saved))
    } catch (error) {
      if (!(error instanceof BaseError) || error instanceof NodeFailedError) throw error
      const isHopeless = error.code === 'SAVED_FILE_UNUSABLE' || error.code === 'HEAD_BEHIND'
      if (!isHopeless && tries < TRIES) throw error
      saved = undefined
      tries = TRIES
      log.warn({ err: error }, 'ignoring the saved market; loading everything from the chain')
      return undefined
    }
  }
}

async function resume(
  { client, venues, guard, log }: BootstrapOptions,
  saved: Market,
): Promise<Market> {
  const head = { header: await readHeader(client, 'latest'), receivedAtMs: steadyMs() }
  const { block } = saved.state.snapshot
  const { number, hash } = head.header
  log.info({ from: `${block.number}`, to: `${number}` }, 'resuming from the saved market')
  const market = await advanceMarket(client, saved, { head, venues, guard })
  if (market !== saved) return market
  // No new block: the node is at the saved block or behind it.
  if (hash !== block.hash) throw new NodeBehindError(head.header, block)
  return { ...saved, state: { ...saved.state, receivedAtMs: head.receivedAtMs } }
}

/** Saves the newest market, one save at a time, at most once per `saveEveryMs`. */
function createSaver(
  save: (market: Market) => Promise<void>,
  { saveEveryMs, log }: Pick<BootstrapOptions, 'saveEveryMs' | 'log'>,
): Pick<Bootstrap, 'keep' | 'flush' | 'failedSaves'> {
  let newest: Market | undefined
  let saving: Promise<void> | undefined
  let nextMs = 0
  let failures = 0
  const start = () => {
    const market = newest
    if (!market || saving) return
    newest = undefined
    nextMs = performance.now() + saveEveryMs
    saving = save(market)
      .catch((error: unknown) => {
        failures += 1
        log.warn({ err: error }, 'failed to save the market')
      })
      .finally(() => {
        saving = undefined
      })
  }
  const keep = (market: Market) => {
    newest = market
    if (performance.now() >= nextMs) start()
  }
  const flush = async () => {
    await saving
    start()
    await saving
  }
  return { keep, flush, failedSaves: () => failures }
}

/** The newest block of the node is older than the saved market. */
export class NodeBehindError extends BaseError {
  readonly code = 'NODE_BEHIND'

  constructor(got: { readonly number: bigint }, wanted: { readonly number: bigint }) {
    super(`the node is at block ${got.number}, the saved market at ${wanted.number}`, {
      got: `${got.number}`,
      wanted: `${wanted.number}`,
    })
  }
}
