import type { Address } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import type { Client } from '../../client.js'
import { readLogRange } from '../../logs.js'
import type { Venue } from '../../venues/venue.js'
import type { DiscoverRange, Log, PoolRef } from '../loader.js'
import { POOL_CREATED, POOL_CREATED_TOPIC } from './abi.js'

/** `PoolCreated`. */
export const creationTopic = POOL_CREATED_TOPIC

/** The factory's pools by its creation logs. */
export async function discover(
  client: Client,
  venue: Venue,
  { fromBlock, to }: DiscoverRange,
): Promise<readonly PoolRef[]> {
  const logs = await readLogRange(client, {
    addresses: [venue.factory],
    topics: [POOL_CREATED_TOPIC],
    fromBlock,
    toBlock: to.number,
  })
  return logs.map((log) => refOf(venue, log))
}

/** The pool a `PoolCreated` log tells of. */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { args } = decodeEventLog({ abi: POOL_CREATED, topics: [...topics] as never, data })
  return {
    id: args.pool.toLowerCase() as Address,
    family: 'uniswapV3',
    venue: venue.id,
    tokens: [args.token0.toLowerCase() as Address, args.token1.toLowerCase() as Address],
  }
}
