import {
  advanceMarket,
  createClient,
  loadSnapshot,
  type Market,
  readHeader,
  type Venue,
} from '@braid-swap/chain'
import type { Pool } from '@braid-swap/core'
import type { FamilyName } from '@braid-swap/core/families'
import type { Call, Chain } from '@braid-swap/devnet'
import { expect } from 'vitest'
import { comparable } from '../../chain/world.js'

/** A market that is followed, and compared with the chain. */
export type Following = {
  readonly market: () => Market
  /** Executes calls, follows the chain to its head, and expects what a fresh load reads there. */
  readonly next: (calls?: readonly Call[]) => Promise<Market>
}

/** Loads venues in order to follow them. */
export async function startFollowing(
  { rpcUrl, wrappedNative, execute }: Pick<Chain, 'rpcUrl' | 'wrappedNative' | 'execute'>,
  venues: readonly Venue[],
): Promise<Following> {
  const client = createClient(rpcUrl)
  const load = () => loadSnapshot(client, { venues, wrappedNative })
  let market = await load()
  const next = async (calls: readonly Call[] = []) => {
    await execute(calls)
    const head = { header: await readHeader(client, 'latest'), receivedAtMs: 1 }
    market = await advanceMarket(client, market, { head, venues })
    expect(comparable(market)).toEqual(comparable(await load()))
    return market
  }
  return { market: () => market, next }
}

/** Pools of a family in some venues, and one random move of a pool in the state given. */
export type MovedFamily = {
  readonly family: FamilyName
  readonly venues: readonly Venue[]
  readonly isOwn: (pool: Pool) => boolean
  readonly move: (pool: Pool, timestamp: bigint) => readonly Call[] | Promise<readonly Call[]>
}

/** Makes a family's random moves callable with any of its pools. */
export function movedFamily<Family extends FamilyName>(
  family: Family,
  venues: readonly Venue[],
  move: (
    pool: Extract<Pool, { readonly family: Family }>,
    timestamp: bigint,
  ) => ReturnType<MovedFamily['move']>,
): MovedFamily {
  const ids = new Set(venues.map(({ id }) => id))
  const isOwn = (pool: Pool) => pool.family === family && ids.has(pool.venue)
  return { family, venues, isOwn, move: move as MovedFamily['move'] }
}
