// Finds what of a followed market is still on the chain, after a reorganisation or at an endpoint that
// lags.

import type { Hex } from '@braid-swap/core'
import { areOnChain, BlockUnavailableError, type Header } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import type { Market, TrailBlock } from './market.js'

/**
 * Returns true if the head is older than the market, between two blocks of its trail, and the market's
 * own block is still on the chain: then the head is its ancestor.
 */
export async function isBetween(
  client: Client,
  { trail }: Market,
  { number }: Header,
): Promise<boolean> {
  const newest = trail.at(-1)!
  if (number >= newest.number || trail.some((block) => block.number === number)) return false
  try {
    return await areOnChain(client, [newest])
  } catch (error) {
    if (error instanceof BlockUnavailableError) return false
    throw error
  }
}

/** The latest of these markets, oldest first, that is still on the chain below a head. */
export async function lastOnChain(
  client: Client,
  markets: readonly Market[],
  { number }: Header,
): Promise<Market | undefined> {
  const reachable = markets.filter(({ snapshot }) => snapshot.block.number < number)
  const blocks = reachable.map(({ snapshot }) => snapshot.block)
  return reachable[(await countOnChain(client, blocks)) - 1]
}

/** The part of the trail that is on the chain ending in `head`. */
export async function commonTrail(
  client: Client,
  trail: readonly TrailBlock[],
  head: Header,
): Promise<readonly TrailBlock[]> {
  const reachable = trail.filter(({ number }) => number < head.number)
  return reachable.slice(0, await countOnChain(client, reachable))
}

/**
 * Counts the blocks, ascending, that are on the chain, by binary search: all ancestors of a block
 * on the chain are on it too.
 */
async function countOnChain(
  client: Client,
  blocks: readonly { readonly number: bigint; readonly hash: Hex }[],
): Promise<number> {
  let [shared, end] = [0, blocks.length]
  while (shared < end) {
    const middle = (shared + end) >> 1
    if (await areOnChain(client, [blocks[middle]!])) shared = middle + 1
    else end = middle
  }
  return shared
}
