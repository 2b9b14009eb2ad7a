// The only list of loaders, one per family, and the calls that dispatch to them.

import type { Address, Hex, Pool } from '@braid-swap/core'
import * as algebraIntegral from '../pools/algebraIntegral/index.js'
import * as algebraV1 from '../pools/algebraV1/index.js'
import * as balancerBuffer from '../pools/balancerBuffer/index.js'
import * as balancerV2 from '../pools/balancerV2/index.js'
import * as balancerV3 from '../pools/balancerV3/index.js'
import * as camelot from '../pools/camelot/index.js'
import type { Finding } from '../pools/check.js'
import * as curveCrypto from '../pools/curveCrypto/index.js'
import * as curveStableSwap from '../pools/curveStableSwap/index.js'
import * as erc4626 from '../pools/erc4626/index.js'
import type { Glance } from '../pools/glance.js'
import * as instantUnstake from '../pools/instantUnstake/index.js'
import * as ladder from '../pools/ladder/index.js'
import * as liquidityBook from '../pools/liquidityBook/index.js'
import type { Enumeration, Load, Loader, PoolRef, TokenPair } from '../pools/loader.js'
import * as solidly from '../pools/solidly/index.js'
import * as stex from '../pools/stex/index.js'
import * as uniswapV2 from '../pools/uniswapV2/index.js'
import * as uniswapV3 from '../pools/uniswapV3/index.js'
import * as uniswapV4 from '../pools/uniswapV4/index.js'
import type { LoadedFamily, Venue } from '../pools/venue.js'
import type { Call } from '../reads/call.js'
import type { Log } from '../reads/log.js'
import type { Client } from '../transport/client.js'

type Loaders = { readonly [F in LoadedFamily]: Loader<Extract<Pool, { family: F }>> }

/** The loader of every family that has contracts. */
export const loaders: Loaders = {
  algebraIntegral,
  algebraV1,
  balancerBuffer,
  balancerV2,
  balancerV3,
  camelot,
  curveCrypto,
  curveStableSwap,
  erc4626,
  instantUnstake,
  ladder,
  liquidityBook,
  solidly,
  stex,
  uniswapV2,
  uniswapV3,
  uniswapV4,
}

/** The families a venue may have. */
export const loadedFamilies = Object.keys(loaders) as readonly LoadedFamily[]

/** Returns true if a venue's factory lists its pools; otherwise they are found by its logs. */
export function isListed({ family }: Venue): boolean {
  return loaderOf(family).discover !== undefined
}

/** Returns true if a venue's factory emits a log for each new pool. */
export function isLogged({ family }: Venue): boolean {
  return loaderOf(family).creationTopics.length > 0
}

/** The topics of these venues' creation logs. */
export function creationTopicsOf(venues: readonly Venue[]): readonly Hex[] {
  return [...new Set(venues.flatMap(({ family }) => loaderOf(family).creationTopics))]
}

/** The pools that a venue's factory lists; none where {@link isListed} is false. */
export async function discover(
  client: Client,
  venue: Venue,
  at: Enumeration,
): Promise<readonly PoolRef[]> {
  return (await loaderOf(venue.family).discover?.(client, venue, at)) ?? []
}

/** Returns true if a venue's factory can be asked for the pools of two tokens. */
export function isAskedByTokens({ family }: Venue): boolean {
  return loaderOf(family).findCalls !== undefined
}

/** The calls to a venue's factory that return the pools of two tokens, ascending. */
export function findCalls(venue: Venue, tokens: TokenPair): readonly Call[] {
  return loaderOf(venue.family).findCalls?.(venue, tokens) ?? []
}

/** The pool that a log of a venue's factory is about; `undefined` if it is about no existing one. */
export function subjectOf({ family }: Venue, log: Log): Hex | 'all' | undefined {
  return loaderOf(family).subjectOf?.(log)
}

/** Returns true if a venue's factory keeps the tokens of all its pools and emits their logs. */
export function isShared({ family }: Pick<Venue, 'family'>): boolean {
  return loaderOf(family).subjectOf !== undefined
}

/** The venue's pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return loaders[venue.family].refAt(venue, id, tokens)
}

/** The reads that load a pool's state. */
export function load(ref: PoolRef): Load<Pool> {
  return loaders[ref.family].load(ref)
}

/** Cheap reads that show whether a state is still the chain's; `undefined` if only a load can tell. */
export function glanceAt(pool: Pool): Glance | undefined {
  return pool.family === 'wrap' ? undefined : loaderOf(pool.family).glance?.(pool)
}

/** Checks of a pool beyond loading it, for `braid doctor`. */
export async function examinePool(client: Client, ref: PoolRef): Promise<readonly Finding[]> {
  return (await loaderOf(ref.family).examine?.(client, ref)) ?? []
}

/**
 * The pool after one of its logs: the same object if the log changes nothing, `'reload'` if the log
 * is unknown or does not determine the state.
 */
export function applyLog(pool: Pool, log: Log): Pool | 'reload' {
  if (pool.family === 'wrap') return pool
  const loader = loaderOf(pool.family)
  const topic = log.topics[0]
  if (topic !== undefined && loader.ignoredTopics.includes(topic)) return pool
  try {
    return loader.applyLog(pool, log)
  } catch {
    // A known topic with different indexing or width: the contract is not of this family.
    return 'reload'
  }
}

/**
 * Returns true if a log may be applied to a state that was partly read after it, because it replaces all it
 * touches. Never for a pool that depends on time: its oracle keeps a history, to which a log adds.
 */
export function isReplacing(pool: Pool, log: Log): boolean {
  const topic = log.topics[0]
  if (pool.family === 'wrap' || topic === undefined || 'quotedAt' in pool) return false
  const { replacingTopics, ignoredTopics } = loaders[pool.family]
  return replacingTopics.includes(topic) || ignoredTopics.includes(topic)
}

/** The pool that a factory's log creates; undefined if the log creates none. */
export function createdBy(venue: Venue, log: Log): PoolRef | undefined {
  const loader = loaders[venue.family]
  if (!loader.creationTopics.includes(log.topics[0]!)) return undefined
  try {
    return loader.refOf(venue, log)
  } catch {
    return undefined
  }
}

// The family tag selects the loader of the pool's type; TypeScript cannot prove that they match.
function loaderOf(family: LoadedFamily): Loader<Pool> {
  return loaders[family] as unknown as Loader<Pool>
}
