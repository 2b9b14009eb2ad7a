// The first load: finds the venues' pools, reads them all at one block, tests their tokens, and
// returns the market. `advanceMarket.ts` advances it from there.

import {
  type Address,
  BaseError,
  type Block,
  type Hex,
  NATIVE,
  type Pool,
  type Snapshot,
  type Token,
} from '@braid-swap/core'
import { advance, requireFields } from '@braid-swap/core/advanced'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import { type Header, readHeader } from '../reads/headers.js'
import { steadyMs } from '../reads/steadyClock.js'
import { type Client, probeEndpoints } from '../transport/client.js'
import { type PriceGuard, withinPrices } from '../trust/priceGuard.js'
import type { RateHistory } from '../trust/rateHistory.js'
import { checkVenues } from '../venues/checkVenues.js'
import { type GasPrices, gasPricesAfter } from './gasPrice.js'
import type { Market, SetAside, TrailBlock } from './market.js'
import { failingAfter } from './retries.js'
import { discoverAll } from './searchPools.js'
import type { SyncedPools } from './syncedPools.js'
import { syncPools } from './syncPools.js'
import { readMarketTokens, splitUsable } from './tradablePools.js'

/** The pools to load: those of venues, which are searched for, and those given directly. */
export type LoadOptions = {
  readonly venues?: readonly Venue[]
  readonly pools?: readonly PoolRef[]
  /**
   * All pools of the venues created up to this block are in `pools`: only later ones are searched
   * for. Absent: nothing was searched yet.
   */
  readonly searchedTo?: bigint
  /** The requested block; the newest if absent. */
  readonly block?: bigint
  /** Lower case. */
  readonly wrappedNative: Address
  /** Sets sampled pools aside that are off the market; absent: none. */
  readonly guard?: PriceGuard | undefined
  /** Rates of earlier blocks, against which the guard holds those that are read. */
  readonly rates?: RateHistory | undefined
}

/**
 * Every pool of the venues, and the given pools, as of one block. If the node can only read its
 * latest block, that block may be later than the requested one. Pools that cannot be loaded are set
 * aside with a reason; a failing node is an error, never a partial market.
 *
 * Throws a BadVenuesError, a WrongChainError or a NoWrappedNativeError, the errors of `syncPools`, and those of
 * the client.
 *
 * @example const { snapshot } = await loadSnapshot(client, { venues: hyperEvmVenues, wrappedNative })
 */
export async function loadSnapshot(client: Client, options: LoadOptions): Promise<Market> {
  requireFields('client', client, ['request'])
  requireFields('options', options, ['wrappedNative'])
  const { wrappedNative } = options
  const venues = checkVenues(options.venues ?? [])
  await Promise.all([checkChain(client), probeEndpoints(client)])
  const wanted = await readHeader(client, options.block ?? 'latest')
  const receivedAtMs = steadyMs()
  const found = await discoverAll(client, { ...options, venues }, wanted)
  const refs = new Map([...(options.pools ?? []), ...found.refs].map((ref) => [ref.id, ref]))
  const synced = await syncPools(client, {
    pools: new Map(),
    refs,
    reload: refs.keys(),
    venues,
    target: wanted,
  })
  const { header } = synced
  const wrap = wrapPool(wrappedNative)
  const native: Token = { address: NATIVE, decimals: client.chain.nativeCurrency.decimals }
  const pools = [wrap, ...synced.pools.values()]
  const read = await readMarketTokens(client, pools, { header, known: [native], wrappedNative })
  const tokens = [native, ...read.tokens]
  const split = splitUsable(pools, read.flawed)
  if (split.pools[0]?.id !== wrap.id) throw new NoWrappedNativeError(wrappedNative)
  const parent = header.number > 0n ? await readHeader(client, header.number - 1n) : header
  const smallGasLimit = header.gasLimit < parent.gasLimit ? header.gasLimit : parent.gasLimit
  const before = await gasPricesAfter(client, parent, { smallGasLimit })
  const gasPrices = await gasPricesAfter(client, header, { before, smallGasLimit })
  const usable: Snapshot = {
    ...{ chainId: client.chain.id, wrappedNative, tokens, pools: split.pools },
    block: blockOf(header, { gasPrices, neighbour: parent.gasLimit }),
  }
  const { guard, rates } = options
  const place = { guard, header, snapshot: usable, rates: ratesOf(rates, synced.refs) }
  const near = await withinPrices(client, split.pools, place)
  const used = new Set(near.pools.flatMap((pool) => pool.tokens))
  const snapshot: Snapshot = {
    ...usable,
    tokens: tokens.filter(({ address }) => used.has(address)),
    pools: near.pools,
  }
  const setAside = [
    ...[...found.setAside, ...asideOf(synced)],
    ...[...split.setAside, ...near.setAside],
  ]
  return {
    // Sets the quoting time of pools whose state depends on it; nothing else changes.
    snapshot: advance(snapshot, { block: snapshot.block, pools: [] }),
    pools: [...synced.refs.values()],
    setAside,
    failing: failingAfter(undefined, { setAside, read: synced.moved, number: header.number }),
    flawed: read.flawed,
    ...(near.pricesCompared !== undefined && { pricesCompared: near.pricesCompared }),
    ...(near.rates && { rates: near.rates }),
    receivedAtMs,
    gasPrices,
    trail: [trailStart(header)],
  }
}

/** The history without pools that are gone. */
function ratesOf(history: RateHistory | undefined, refs: ReadonlyMap<Hex, PoolRef>) {
  return history && new Map([...history].filter(([id]) => refs.has(id)))
}

function trailStart({ number, hash, gasLimit }: Header): TrailBlock {
  return { number, hash, gasLimit, touched: [], created: [] }
}

/** The wrapped native token as a pool between native and wrapped, the same at every block. */
export function wrapPool(wrappedNative: Address): Pool {
  return {
    family: 'wrap',
    id: wrappedNative,
    venue: 'whype',
    tokens: [NATIVE, wrappedNative],
  }
}

/**
 * The block of a snapshot. Its gas limit is that of a small block: the lower limit of two
 * neighbouring blocks, because big blocks interleave with small ones.
 */
export function blockOf(
  { number, hash, timestamp, gasLimit }: Header,
  {
    gasPrices: { next, tip },
    neighbour,
  }: { readonly gasPrices: GasPrices; readonly neighbour: bigint },
): Block {
  return {
    ...{ number, hash, timestamp, gasPrice: next + tip },
    ...(tip > 0n && { priorityFee: tip }),
    gasLimit: gasLimit < neighbour ? gasLimit : neighbour,
  }
}

/** The pools that could not be read, with the reason. */
export function asideOf({ failures, refs }: Pick<SyncedPools, 'failures' | 'refs'>): SetAside[] {
  return [...failures].map(([id, { code, message }]) => ({
    id,
    venue: refs.get(id)?.venue ?? '',
    code,
    message,
  }))
}

async function checkChain(client: Client): Promise<void> {
  const got = Number(await client.request({ method: 'eth_chainId' }))
  if (got !== client.chain.id) throw new WrongChainError(got, client.chain.id)
}

/** The node serves a different chain. */
export class WrongChainError extends BaseError {
  readonly code = 'WRONG_CHAIN'

  constructor(got: number, wanted: number) {
    super(`the node serves chain ${got} instead of ${wanted}`, { got, wanted })
  }
}

/** The contract configured as the wrapped native token does not behave as a token. */
export class NoWrappedNativeError extends BaseError {
  readonly code = 'NO_WRAPPED_NATIVE'

  constructor(address: Address) {
    super(`there is no wrapped native token at ${address}`, { address })
  }
}
