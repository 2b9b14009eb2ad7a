import type { Address } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import { callData } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import type { Log } from '../../reads/log.js'
import type { PoolRef, TokenPair } from '../loader.js'
import type { Venue } from '../venue.js'
import { GET_POOL, GET_POOL_BY_SPACING, POOL_CREATED, POOL_CREATED_TOPICS } from './abi.js'

/** `PoolCreated`, with and without a fee. */
export const creationTopics = POOL_CREATED_TOPICS

/** The pool that a `PoolCreated` log announces. */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { args } = decodeEventLog({ abi: POOL_CREATED, topics: [...topics] as never, data })
  return refAt(venue, args.pool.toLowerCase() as Address, [
    args.token0.toLowerCase() as Address,
    args.token1.toLowerCase() as Address,
  ])
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const { feeSource, extraGas, modules } = venue
  return {
    ...{ id, family: 'uniswapV3', venue: venue.id, tokens },
    ...(feeSource && { feeSource }),
    ...(extraGas && { extraGas }),
    ...(modules && { modules }),
  }
}

/** `getPool` of two tokens, for each fee or tick spacing of the venue. */
export function findCalls(venue: Venue, [a, b]: TokenPair): readonly Call[] {
  if (venue.tickSpacings) {
    return venue.tickSpacings.map((spacing) => ({
      to: venue.factory,
      data: callData(GET_POOL_BY_SPACING, BigInt(a), BigInt(b), spacing),
    }))
  }
  return (venue.feesPpm ?? FEES_PPM).map((fee) => ({
    to: venue.factory,
    data: callData(GET_POOL, BigInt(a), BigInt(b), fee),
  }))
}

// The fees that the factory enables at deployment, and 100, which nearly every deployment added.
const FEES_PPM = [100, 500, 3000, 10000]
