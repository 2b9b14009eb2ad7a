import type { Address } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import { callData } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import type { Log } from '../../reads/log.js'
import type { Client } from '../../transport/client.js'
import { enumerate } from '../enumerate.js'
import type { Enumeration, PoolRef, TokenPair } from '../loader.js'
import type { Venue } from '../venue.js'
import { ALL_PAIRS, ALL_PAIRS_LENGTH, GET_PAIR, PAIR_CREATED, PAIR_CREATED_TOPIC } from './abi.js'

/** `PairCreated`. */
export const creationTopics = [PAIR_CREATED_TOPIC]

/** All pairs, from the factory's list. */
export async function discover(
  client: Client,
  venue: Venue,
  at: Enumeration,
): Promise<readonly PoolRef[]> {
  const numbered = { length: ALL_PAIRS_LENGTH, at: ALL_PAIRS }
  const pairs = await enumerate(client, venue, { numbered, ...at })
  return pairs.map(({ id, tokens }) => refAt(venue, id, tokens))
}

/** The pair that a `PairCreated` log announces. */
export function refOf(venue: Venue, log: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { id, tokens } = pairOf(log)
  return refAt(venue, id, tokens)
}

/** Address and tokens in a `PairCreated` log in Uniswap's format. */
export function pairOf({ topics, data }: Pick<Log, 'topics' | 'data'>): {
  readonly id: Address
  readonly tokens: PoolRef['tokens']
} {
  const { args } = decodeEventLog({ abi: [PAIR_CREATED], topics: [...topics] as never, data })
  const lower = (address: Address) => address.toLowerCase() as Address
  return { id: lower(args.pair), tokens: [lower(args.token0), lower(args.token1)] }
}

/** The pair at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'uniswapV2', venue: venue.id, tokens, feePpm: venue.feePpm ?? 3000 }
}

/** `getPair` of two tokens. */
export function findCalls(venue: Venue, [a, b]: TokenPair): readonly Call[] {
  return [{ to: venue.factory, data: callData(GET_PAIR, BigInt(a), BigInt(b)) }]
}
