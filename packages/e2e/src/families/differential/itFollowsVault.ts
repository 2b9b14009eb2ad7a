import { advanceMarket, createClient, loadSnapshot, readHeader } from '@braid-swap/chain'
import type { Pool } from '@braid-swap/core'
import type { Call } from '@braid-swap/devnet'
import { expect, it } from 'vitest'
import { comparable } from '../../chain/world.js'
import type { VaultPools } from './vaultPools.js'

/** Pools of one family in a vault, and one random move of a pool. */
type Moving = Pick<VaultPools<never>, 'chain' | 'random' | 'venue' | 'move'> & {
  readonly pools: readonly Pool[]
}

/** What {@link itFollowsVault} needs to know of a vault. */
export type Following = {
  readonly title: string
  /** The vault's pools by their family; called in the test, because they are created before it. */
  readonly markets: () => readonly Moving[]
  readonly blocks: number
  /** Moves in each block, at most one of each pool. */
  readonly movesPerBlock: number
  /** The moves of each market, at least. */
  readonly leastMoves: number
  /** Calls that pause and unpause, and how many pools they pause. */
  readonly pauses: () => readonly {
    readonly on: Call
    readonly off: Call
    readonly count: number
  }[]
}

/** A test: the state after random moves, and while pools are paused, equals that of a fresh load. */
export function itFollowsVault(of: Following): void {
  it(of.title, async () => {
    const markets = of.markets()
    const { chain, random, venue } = markets[0]!
    const client = createClient(chain.rpcUrl)
    const venues = [venue]
    const load = () => loadSnapshot(client, { venues, wrappedNative: chain.wrappedNative })
    let followed = await load()
    const next = async (calls: readonly Call[]) => {
      await chain.execute(calls)
      const header = await readHeader(client, 'latest')
      followed = await advanceMarket(client, followed, {
        head: { header, receivedAtMs: 1 },
        venues,
      })
      expect(comparable(followed)).toEqual(comparable(await load()))
    }
    expect(followed.setAside).toEqual([])
    const seen = new Map<string, number>()
    const count = (what: string, more: number) => seen.set(what, (seen.get(what) ?? 0) + more)
    for (let block = 0; block < of.blocks; block++) {
      const { pools } = followed.snapshot
      const calls = markets.flatMap(({ pools: [first], move }) => {
        const own = pools.filter(({ family }) => family === first!.family)
        const touched = new Set(Array.from({ length: of.movesPerBlock }, () => random.pick(own)))
        const moves = [...touched].flatMap((pool) => move(pool as never))
        count(first!.family, moves.length)
        return moves
      })
      await next(calls)
      count('ramps', pools.filter((pool) => 'form' in pool && 'ramp' in pool.form).length)
    }
    console.log(`moves followed and ramps seen: ${JSON.stringify(Object.fromEntries(seen))}`)
    expect(seen.get('ramps')).toBeGreaterThan(0)
    for (const { pools } of markets) {
      expect(seen.get(pools[0]!.family)).toBeGreaterThan(of.leastMoves)
    }
    for (const { on, off, count: paused } of of.pauses()) {
      await next([on])
      const codes = followed.setAside.map(({ code }) => code)
      expect(codes).toEqual(Array.from({ length: paused }, () => 'POOL_PAUSED'))
      await next([off])
      expect(followed.setAside).toEqual([])
    }
  })
}
