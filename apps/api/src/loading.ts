import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Client,
  findPools,
  loadSnapshot,
  type Market,
  type PoolRef,
  readHeader,
  refresh,
} from '@braid-swap/chain'
import { type Address, BaseError } from '@braid-swap/core'
import type { Logger } from 'pino'
import { createPoolSearch, type PoolSearch } from './poolSearch.js'
import { type MarketKey, readMarket, saveMarket } from './savedMarket.js'
import type { SearchProgress } from './searchProgress.js'

/** Where a market comes from when the API starts, and where it is kept for the next start. */
export type Loading = {
  /** The market to begin with: the saved one brought up to date where there is one, else read anew. */
  readonly load: () => Promise<Market>
  /** Pools that the search of the chain's past found since it was last asked. */
  readonly newPools: () => readonly PoolRef[]
  /** Saves the market now and then. */
  readonly keep: (market: Market) => void
  /** Resolves when the newest market given to `keep` is saved. */
  readonly flush: () => Promise<void>
  /** How far the search for pools came. */
  readonly progress: () => SearchProgress
}

/** What to load from, and where to keep it. */
export type LoadingOptions = Omit<MarketKey, 'chainId'> & {
  readonly client: Client
  /** Reads the past, while the market is followed. */
  readonly searcher: Client
  /** Tokens whose pools are asked for first, where the chain's past is long. */
  readonly tokens: readonly Address[]
  readonly signal: AbortSignal
  /** Folder of what is kept from one start to the next, created if absent; nothing is kept without. */
  readonly stateDir?: string | undefined
  /** Time between two savings. */
  readonly saveEveryMs: number
  readonly log: Logger
}

/** Loads a market and keeps it. */
export function createLoading(options: LoadingOptions): Loading {
  const { client, searcher, venues, signal, log, stateDir } = options
  const key = { ...options, chainId: client.chain.id }
  const [file, poolsFile] = ['market', 'pools'].map((name) => stateDir && join(stateDir, name))
  const search = createPoolSearch({
    ...{ client: searcher, venues, file: poolsFile, key, signal, log },
  })
  const loadSaved = takingUp(options, async () =>
    file === undefined ? undefined : readMarket(file, key),
  )
  const load = async () => {
    const known = await search.known()
    const market = (await loadSaved()) ?? (await readAnew(options, { search, known }))
    search.start(market)
    return market
  }
  const save = async (market: Market) => {
    if (stateDir === undefined || file === undefined) return
    await mkdir(stateDir, { recursive: true })
    await saveMarket(file, market, key)
    await search.keep(market)
  }
  const { take: newPools, progress } = search
  return { load, newPools, progress, ...createSaver(save, options) }
}

/** A past no longer than this is searched before the first quote. */
const SHORT = 10_000n

/**
 * All of the market where the chain's past is short. Where it is not: the pools found before, and
 * those of the tokens that matter, by asking the factories; the search goes on beside it.
 */
async function readAnew(
  { client, venues, wrappedNative, tokens, log }: LoadingOptions,
  { search, known }: { readonly search: PoolSearch; readonly known: readonly PoolRef[] },
): Promise<Market> {
  const { number } = await readHeader(client, 'latest')
  const from = venues.reduce(
    (least, { fromBlock = 0n }) => (fromBlock < least ? fromBlock : least),
    number,
  )
  if (number - from <= SHORT) {
    const market = await loadSnapshot(client, { venues, wrappedNative })
    search.finish(market)
    return market
  }
  const { pools, searchedTo, setAside } = await findPools(client, { venues, tokens })
  log.info({ found: pools.length, known: known.length }, 'the factories are asked for pools')
  const market = await loadSnapshot(client, {
    ...{ venues, wrappedNative, searchedTo },
    pools: [...known, ...pools],
  })
  return { ...market, setAside: [...market.setAside, ...setAside] }
}

/** Tries at taking up a saved market that a node's answers do not fit, before it is given up. */
const TRIES = 5

/** The saved market at the chain's head; nothing where there is none that can be used. */
function takingUp(
  options: LoadingOptions,
  read: () => Promise<Market | undefined>,
): () => Promise<Market | undefined> {
  const { log } = options
  let saved: Market | undefined
  let tries = 0
  return async () => {
    try {
      if (tries === 0) saved = await read()
      tries += 1
      return saved && (await takeUp(options, saved))
    } catch (error) {
      if (!(error instanceof BaseError)) throw error
      const isHopeless = error.code === 'SAVED_FILE_UNUSABLE' || error.code === 'HEAD_BEHIND'
      if (!isHopeless && tries < TRIES) throw error
      saved = undefined
      tries = TRIES
      log.warn({ err: error }, 'the saved market is not used; everything is read anew')
      return undefined
    }
  }
}

async function takeUp({ client, venues, log }: LoadingOptions, saved: Market): Promise<Market> {
  const head = { header: await readHeader(client, 'latest'), receivedAtMs: Date.now() }
  const { block } = saved.snapshot
  const { number, hash } = head.header
  log.info({ from: `${block.number}`, to: `${number}` }, 'a saved market is taken up')
  const market = await refresh(client, saved, { head, venues })
  if (market !== saved) return market
  // Nothing new: either this is the very block, or the node is behind what was saved.
  if (hash !== block.hash) throw new NodeBehindError(head.header, block)
  return { ...saved, receivedAtMs: head.receivedAtMs }
}

/** One saving at a time, of the newest market, and not more often than asked for. */
function createSaver(
  save: (market: Market) => Promise<void>,
  { saveEveryMs, log }: Pick<LoadingOptions, 'saveEveryMs' | 'log'>,
): Pick<Loading, 'keep' | 'flush'> {
  let newest: Market | undefined
  let saving: Promise<void> | undefined
  let nextMs = 0
  const start = () => {
    const market = newest
    if (!market || saving) return
    newest = undefined
    nextMs = performance.now() + saveEveryMs
    saving = save(market)
      .catch((error: unknown) => log.warn({ err: error }, 'the market could not be saved'))
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
  return { keep, flush }
}

/** The node's newest block is one that the saved market has gone past. */
export class NodeBehindError extends BaseError {
  readonly code = 'NODE_BEHIND'

  constructor(got: { readonly number: bigint }, wanted: { readonly number: bigint }) {
    super(`the node is at block ${got.number}, the saved market at ${wanted.number}`, {
      got: `${got.number}`,
      wanted: `${wanted.number}`,
    })
  }
}
