// Lists the pools of a factory that numbers them (Uniswap V2, Solidly and their forks).

import type { Address, Hex } from '@braid-swap/core'
import { addressOf, callData, wordAt } from '../reads/abiWords.js'
import type { CallResult } from '../reads/call.js'
import { createReader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { type Enumeration, type PoolRef, VenueError } from './loader.js'
import type { Venue } from './venue.js'

/**
 * Selectors of a factory that numbers its pools: the count, the pool at an index, and the getters of
 * a pool's two tokens if they are not `token0()` and `token1()`.
 */
export type Numbered = {
  readonly length: Hex
  readonly at: Hex
  readonly tokens?: readonly [Hex, Hex]
}

/** A pool listed by a factory, with its `token0()` and `token1()`. */
export type Enumerated = { readonly id: Address; readonly tokens: PoolRef['tokens'] }

// token0() and token1()
const TOKENS = ['0x0dfe1681', '0xd21220a7'] as const

/**
 * All pools of a factory that numbers them. Throws a {@link VenueError} if the factory does not
 * answer. A pool that does not return its tokens is passed to `leaveOut`.
 */
export async function enumerate(
  client: Client,
  venue: Venue,
  { numbered, to, leaveOut }: Enumeration & { readonly numbered: Numbered },
): Promise<readonly Enumerated[]> {
  const read = createReader(client, to)
  const ask = async (calls: readonly { to: Address; data: Hex }[]) =>
    (await read(calls)).map((result) => {
      if (!result.success || result.data === '0x') throw new VenueError(venue)
      return wordAt(result.data, 0)
    })
  const [count] = await ask([{ to: venue.factory, data: numbered.length }])
  const indices = Array.from({ length: Number(count) }, (_, i) => i)
  const pools = await ask(
    indices.map((i) => ({ to: venue.factory, data: callData(numbered.at, i) })),
  )
  const ids = pools.map(addressOf)
  const getters = numbered.tokens ?? TOKENS
  const tokens = await read(ids.flatMap((id) => getters.map((data) => ({ to: id, data }))))
  return ids.flatMap((id, i) => {
    const [a, b] = [tokens[2 * i]!, tokens[2 * i + 1]!].map(addressIn)
    if (a && b) return [{ id, tokens: [a, b] as const }]
    leaveOut(id)
    return []
  })
}

function addressIn({ success, data }: CallResult): Address | undefined {
  if (!success || data.length < 66 || wordAt(data, 0) >> 160n !== 0n) return undefined
  return addressOf(wordAt(data, 0))
}
