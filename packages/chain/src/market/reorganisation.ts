// Finds what of a followed market is still on the chain, after a reorganisation or at an endpoint that
// lags.

import type { Hex } from '@braid-swap/core'
import {
  areOnChain,
  BlockUnavailableError,
  type Header,
  MAX_CATCH_UP,
  NotContinuousError,
  TooFarBehindError,
} from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import type { Cursor, Market, TrailBlock } from './market.js'
import { ChainMovedError, HeadBehindError } from './syncErrors.js'

/** A market to follow the chain from, and the part of its trail that is on the chain. */
export type Start = {
  readonly market: Market
  readonly trail: readonly TrailBlock[]
  /** Without such a part: the block up to which no pool need be searched for again. */
  readonly searchedTo?: bigint
}

/**
 * Returns true if the head is in the trail, or between two of its blocks while the newest is still on the chain: then
 * the head is an ancestor. Throws a HeadBehindError if it is older than the trail.
 */
export async function isAncestor(
  client: Client,
  { number, hash }: Header,
  { trail }: Cursor,
): Promise<boolean> {
  if (trail.some((block) => block.hash === hash)) return true
  const [oldest, newest] = [trail[0]!, trail.at(-1)!]
  if (number < oldest.number) throw new HeadBehindError({ number }, oldest)
  if (number >= newest.number || trail.some((block) => block.number === number)) return false
  try {
    return await areOnChain(client, [newest])
  } catch (error) {
    if (error instanceof BlockUnavailableError) return false
    throw error
  }
}

/**
 * From where to go on after an error: from the latest of the markets, oldest first, whose block is still on the chain,
 * because it has nothing of the abandoned branch, or else from the newest with the common part of its trail. A trail
 * without a block: all must be loaded again. Throws the error if it is of another kind.
 */
export async function startAfter(
  client: Client,
  error: unknown,
  { markets, head }: { readonly markets: readonly Market[]; readonly head: Header },
): Promise<Start> {
  const market = markets.at(-1)!
  const { snapshot } = market.state
  if (error instanceof TooFarBehindError)
    return { market, trail: [], searchedTo: snapshot.block.number }
  if (!(error instanceof NotContinuousError || error instanceof ChainMovedError)) throw error
  const reachable = markets.filter(({ state }) => state.snapshot.block.number < head.number)
  const blocks = reachable.map(({ state }) => state.snapshot.block)
  const earlier = reachable[(await countOnChain(client, blocks)) - 1]
  if (earlier === market) throw error
  if (earlier) return { market: withFoundSince(earlier, market), trail: earlier.cursor.trail }
  const before = market.cursor.trail.filter(({ number }) => number < head.number)
  const trail = before.slice(0, await countOnChain(client, before))
  // Pools created on the other branch are searched for again, but not from the first block.
  const searchedTo = market.cursor.trail[0]!.number - MAX_CATCH_UP
  return { market, trail, ...(searchedTo > 0n && { searchedTo }) }
}

/** The earlier market with the pools that were added to the later one, except those created since. */
function withFoundSince(earlier: Market, later: Market): Market {
  const { pools, snapshot } = earlier.state
  const since = later.cursor.trail.filter(({ number }) => number > snapshot.block.number)
  const known = new Set([...pools.map(({ id }) => id), ...since.flatMap(({ created }) => created)])
  const found = later.state.pools.filter(({ id }) => !known.has(id))
  const state = { ...earlier.state, pools: [...pools, ...found] }
  return withEarned({ ...earlier, state }, later)
}

/** A market with what was learnt since: an earlier one, or one loaded afresh, does not know what venues have earned. */
export function withEarned(of: Market, { state: { traded }, trust: { trials } }: Market): Market {
  return {
    ...of,
    state: { ...of.state, ...(traded && { traded }) },
    trust: { ...of.trust, ...(trials && { trials }) },
  }
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
