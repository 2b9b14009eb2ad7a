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
import { expect, it } from 'vitest'
import { comparable } from '../../chain/world.js'
import type { BareChain } from './bareChain.js'

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

/** Describes what {@link itFollows} moves and demands. */
export type FollowedMoves = {
  readonly title: string
  /** The moved pools; called in the test, because they are created before it. */
  readonly moved: () => readonly MovedFamily[]
  readonly bare: () => BareChain
  readonly blocks: number
  /** Moves of each family in a block, at most one of each pool. */
  readonly movesPerBlock: number
  /** Each family makes more calls than this. */
  readonly leastCalls: number
  /** Calls of a block besides the moves. */
  readonly others?: (block: number) => readonly Call[]
  /** Counts in the market after a block; their sums must be above `least`. */
  readonly seen?: (market: Market) => Readonly<Record<string, number>>
  readonly least?: Readonly<Record<string, number>>
  /** Continues after the last block. */
  readonly afterwards?: (following: Following) => void | Promise<void>
}

/** A test: the state that is followed over random moves equals a fresh load after every block. */
export function itFollows(of: FollowedMoves): void {
  it(of.title, async () => {
    const { chain, random } = of.bare()
    const moved = of.moved()
    const venues = [...new Set(moved.flatMap((one) => one.venues))]
    const following = await startFollowing(chain, venues)
    expect(following.market().setAside).toEqual([])
    const counts = new Map<string, number>()
    const count = (what: string, more: number) => counts.set(what, (counts.get(what) ?? 0) + more)
    for (let block = 0; block < of.blocks; block++) {
      const { pools, block: at } = following.market().snapshot
      const calls: Call[] = []
      for (const { family, isOwn, move } of moved) {
        const own = pools.filter(isOwn)
        const touched = new Set(Array.from({ length: of.movesPerBlock }, () => random.pick(own)))
        for (const pool of touched) {
          const moves = await move(pool, at.timestamp)
          count(`calls of ${family}`, moves.length)
          calls.push(...moves)
        }
      }
      const market = await following.next([...calls, ...(of.others?.(block) ?? [])])
      for (const [what, more] of Object.entries(of.seen?.(market) ?? {})) count(what, more)
    }
    console.log(`followed: ${JSON.stringify(Object.fromEntries(counts))}`)
    for (const { family } of moved) {
      expect(counts.get(`calls of ${family}`), family).toBeGreaterThan(of.leastCalls)
    }
    for (const [what, least] of Object.entries(of.least ?? {})) {
      expect(counts.get(what), what).toBeGreaterThan(least)
    }
    await of.afterwards?.(following)
  })
}
