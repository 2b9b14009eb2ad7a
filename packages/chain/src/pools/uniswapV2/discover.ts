import type { Address } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import type { Client } from '../../client.js'
import { createReader } from '../../multicall.js'
import type { Venue } from '../../venues/venue.js'
import { addressOf, callData, wordAt } from '../../words.js'
import { type Call, type DiscoverRange, type Log, type PoolRef, VenueError } from '../loader.js'
import {
  ALL_PAIRS,
  ALL_PAIRS_LENGTH,
  GET_PAIR,
  PAIR_CREATED,
  PAIR_CREATED_TOPIC,
  TOKENS,
} from './abi.js'

/** `PairCreated`. */
export const creationTopics = [PAIR_CREATED_TOPIC]

/** All pairs, as the factory enumerates them. */
export async function discover(
  client: Client,
  venue: Venue,
  { to }: DiscoverRange,
): Promise<readonly PoolRef[]> {
  const read = createReader(client, to)
  const ask = async (calls: readonly { to: Address; data: `0x${string}` }[]) =>
    (await read(calls)).map((result) => {
      if (!result.success || result.data === '0x') throw new VenueError(venue)
      return wordAt(result.data, 0)
    })
  const [count] = await ask([{ to: venue.factory, data: ALL_PAIRS_LENGTH }])
  const indices = Array.from({ length: Number(count) }, (_, i) => i)
  const pairs = await ask(indices.map((i) => ({ to: venue.factory, data: callData(ALL_PAIRS, i) })))
  const ids = pairs.map(addressOf)
  const tokens = await ask(ids.flatMap((to) => TOKENS.map((data) => ({ to, data }))))
  return ids.map((id, i) =>
    refAt(venue, id, [addressOf(tokens[2 * i]!), addressOf(tokens[2 * i + 1]!)]),
  )
}

/** The pair a `PairCreated` log tells of. */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { args } = decodeEventLog({ abi: [PAIR_CREATED], topics: [...topics] as never, data })
  return refAt(venue, args.pair.toLowerCase() as Address, [
    args.token0.toLowerCase() as Address,
    args.token1.toLowerCase() as Address,
  ])
}

/** The pair at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'uniswapV2', venue: venue.id, tokens, feePpm: venue.feePpm ?? 3000 }
}

/** `getPair` of two tokens. */
export function findCalls(venue: Venue, [a, b]: PoolRef['tokens']): readonly Call[] {
  return [{ to: venue.factory, data: callData(GET_PAIR, BigInt(a), BigInt(b)) }]
}
