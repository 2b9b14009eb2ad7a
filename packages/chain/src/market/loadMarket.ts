// The first load: finds the venues' pools, reads them all at one block, tests their tokens, and
// returns the market. `advanceMarket.ts` advances it from there.

import { type Address, BaseError, NATIVE, type Pool, type Snapshot } from '@braid-swap/core'
import { requireFields } from '@braid-swap/core/advanced'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import { type Header, readHeader } from '../reads/headers.js'
import { steadyMs } from '../reads/steadyClock.js'
import { readDecimals } from '../tokens/metadata.js'
import { type Client, probeEndpoints } from '../transport/client.js'
import type { PriceGuard } from '../trust/priceGuard.js'
import type { RateHistory } from '../trust/rateHistory.js'
import { checkVenues } from '../venues/checkVenues.js'
import { blockOf, gasPricesAfter } from './gasPrice.js'
import type { Market } from './market.js'
import { discoverAll } from './searchPools.js'
import { settle } from './settle.js'
import { syncPools } from './syncPools.js'

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
 * @example const { state } = await loadSnapshot(client, { venues, wrappedNative })
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
  const { snapshot, gasPrices } = await emptyAt(client, header, wrappedNative)
  const { guard, rates } = options
  const kept = rates && new Map([...rates].filter(([id]) => synced.refs.has(id)))
  const empty: Market = {
    state: { snapshot, pools: [], setAside: [], receivedAtMs },
    cursor: { trail: [] },
    trust: { flawed: [], ...(kept && { rates: kept }) },
  }
  const { state, cursor, trust } = await settle(client, empty, {
    ...{ synced, gasPrices, trail: [], receivedAtMs, guard },
  })
  const { number, hash, gasLimit } = header
  const start = { number, hash, gasLimit, touched: [], created: [] }
  return {
    state: { ...state, setAside: [...found.setAside, ...state.setAside] },
    cursor: { failing: cursor.failing!, trail: [start] },
    trust,
  }
}

/** The snapshot of a block without any pool of a venue, and the price of gas. */
async function emptyAt(client: Client, header: Header, wrappedNative: Address) {
  const [[wrapped], parent] = await Promise.all([
    readDecimals(client, [wrappedNative], header),
    header.number > 0n ? readHeader(client, header.number - 1n) : header,
  ])
  if (!wrapped) throw new NoWrappedNativeError(wrappedNative)
  const smallGasLimit = header.gasLimit < parent.gasLimit ? header.gasLimit : parent.gasLimit
  const before = await gasPricesAfter(client, parent, { smallGasLimit })
  const gasPrices = await gasPricesAfter(client, header, { before, smallGasLimit })
  const { id, nativeCurrency } = client.chain
  const snapshot: Snapshot = {
    ...{ chainId: id, wrappedNative, pools: [wrapPool(wrappedNative, nativeCurrency.symbol)] },
    tokens: [{ address: NATIVE, decimals: nativeCurrency.decimals }, wrapped],
    block: blockOf(header, { gasPrices, neighbour: parent.gasLimit }),
  }
  return { snapshot, gasPrices }
}

/**
 * The wrapped native token as a pool between native and wrapped, the same at every block. Its venue is named as such
 * tokens are: a `w`, and the symbol of the native one.
 */
export function wrapPool(wrappedNative: Address, symbol: string): Pool {
  const venue = `w${symbol.toLowerCase().replace(/[^a-z0-9]/g, '')}`
  return { family: 'wrap', id: wrappedNative, venue, tokens: [NATIVE, wrappedNative] }
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
