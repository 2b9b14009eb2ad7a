import type { Address } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import type { Log } from '../../reads/log.js'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { type Enumeration, type PoolRef, VenueError } from '../loader.js'
import type { Venue } from '../venue.js'
import { COINS, POOL_COUNT, POOL_DEPLOYED, POOL_DEPLOYED_TOPICS, POOL_LIST } from './abi.js'

/** `PlainPoolDeployed`, `MetaPoolDeployed`, `TwocryptoPoolDeployed` and `TricryptoPoolDeployed`. */
export const creationTopics = POOL_DEPLOYED_TOPICS

/** Most coins of a pool. */
const MAX_COINS = 8

/** All pools that the factory lists, each with all of its coins. */
export async function discover(
  client: Client,
  venue: Venue,
  { to, leaveOut }: Enumeration,
): Promise<readonly PoolRef[]> {
  const read = createReader(client, to)
  const ask = async (calls: readonly Call[]) =>
    (await read(calls)).map(({ success, data }) => {
      if (!success || data === '0x') throw new VenueError(venue)
      return wordAt(data, 0)
    })
  const [count] = await ask([{ to: venue.factory, data: POOL_COUNT }])
  const indices = Array.from({ length: Number(count) }, (_, k) => k)
  const listed = await ask(
    indices.map((k) => ({ to: venue.factory, data: callData(POOL_LIST, k) })),
  )
  const ids = listed.map(addressOf)
  const asked = ids.flatMap((id) =>
    Array.from({ length: MAX_COINS }, (_, k) => ({ to: id, data: callData(COINS, k) })),
  )
  const answers = await read(asked)
  return ids.flatMap((id, p) => {
    const coins = answers.slice(p * MAX_COINS, (p + 1) * MAX_COINS)
    const end = coins.findIndex(({ success, data }) => !success || data === '0x')
    const words = coins.slice(0, end < 0 ? MAX_COINS : end).map(({ data }) => wordAt(data, 0))
    // Lists of a fixed length end with zeros.
    const tokens = words.filter((word) => word !== 0n && word >> 160n === 0n).map(addressOf)
    if (tokens.length > 1) return [refAt(venue, id, tokens)]
    leaveOut(id)
    return []
  })
}

/**
 * The pool that a creation log announces. The second coin of a meta pool is taken to be its base pool, which is its
 * own LP token since NG; `load` refuses the pool if it is another.
 */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { args } = decodeEventLog({ abi: POOL_DEPLOYED, topics: [...topics] as never, data })
  const coins = 'coins' in args ? args.coins : [args.coin, args.base_pool]
  const lower = (address: Address) => address.toLowerCase() as Address
  return refAt(venue, lower(args.pool), coins.map(lower))
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const factory = venue.factory.toLowerCase() as Address
  return { id, family: venue.family, venue: venue.id, tokens, factory }
}
