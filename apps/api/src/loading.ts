import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, loadSnapshot, type Market, readHeader, refresh } from '@braid-swap/chain'
import { BaseError } from '@braid-swap/core'
import type { Logger } from 'pino'
import { type MarketKey, readMarket, saveMarket } from './savedMarket.js'

/** Where a market comes from when the API starts, and where it is kept for the next start. */
export type Loading = {
  /** The market to begin with: the saved one brought up to date where there is one, else read whole. */
  readonly load: () => Promise<Market>
  /** Saves the market now and then. */
  readonly keep: (market: Market) => void
  /** Resolves when the newest market given to `keep` is saved. */
  readonly flush: () => Promise<void>
}

/** What to load from, and where to keep it. */
export type LoadingOptions = Omit<MarketKey, 'chainId'> & {
  readonly client: Client
  /** Folder of what is kept from one start to the next, created if absent; nothing is kept without. */
  readonly stateDir?: string | undefined
  /** Time between two savings. */
  readonly saveEveryMs: number
  readonly log: Logger
}

/** Loads a market and keeps it. */
export function createLoading(options: LoadingOptions): Loading {
  const { client, stateDir } = options
  if (stateDir === undefined) {
    return { load: () => readAll(options), keep: () => {}, flush: async () => {} }
  }
  const file = join(stateDir, 'market')
  const key = { ...options, chainId: client.chain.id }
  const save = async (market: Market) => {
    await mkdir(stateDir, { recursive: true })
    await saveMarket(file, market, key)
  }
  return { load: loadSaved(options, () => readMarket(file, key)), ...createSaver(save, options) }
}

function readAll({ client, venues, wrappedNative }: LoadingOptions): Promise<Market> {
  return loadSnapshot(client, { venues, wrappedNative })
}

/** Tries at taking up a saved market that a node's answers do not fit, before it is given up. */
const TRIES = 5

/** The saved market at the chain's head, or one read anew where that cannot be used. */
function loadSaved(
  options: LoadingOptions,
  read: () => Promise<Market | undefined>,
): () => Promise<Market> {
  const { log } = options
  let saved: Market | undefined
  let tries = 0
  return async () => {
    try {
      if (tries === 0) saved = await read()
      tries += 1
      if (saved) return await takeUp(options, saved)
    } catch (error) {
      if (!(error instanceof BaseError)) throw error
      const isHopeless = error.code === 'SAVED_FILE_UNUSABLE' || error.code === 'HEAD_BEHIND'
      if (!isHopeless && tries < TRIES) throw error
      saved = undefined
      tries = TRIES
      log.warn({ err: error }, 'the saved market is not used; everything is read anew')
    }
    return readAll(options)
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
