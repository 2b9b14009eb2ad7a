// Pools that trade: counts the swaps of all contracts in the logs that a round reads anyway, and finds pools that no
// search has named, such as those of unlisted fees or of blocks that no node keeps.

import type { Address, Hex } from '@braid-swap/core'
import { sizeOfHex } from '@braid-swap/core/advanced'
import { toFunctionSelector } from 'viem'
import { findCalls, isAskedByTokens, refAt } from '../loaders/loaders.js'
import type { PoolRef, TokenPair } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import { addressOf, wordAt } from '../reads/abiWords.js'
import type { Call, CallResult } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader, multicallOf } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { together, wordsOf } from '../trust/nestedCalls.js'
import { isServed } from '../trust/trials.js'
import type { Market, MarketState, Traded } from './market.js'

const NOTHING: Traded = {
  ...{ served: 0, setAside: 0, unknown: 0 },
  ...{ waiting: new Set(), strange: new Set() },
}
/**
 * Contracts asked at once, in one request and a second one if a venue's factory is named: half of them those that wait
 * longest, half those that swapped last. To crowd a pool out,
 * an attacker must log swaps in every block.
 */
const ASKED_AT_ONCE = 16
/** Rounds between two questions, and with a rate limit. */
const EVERY = 20
const EVERY_IF_LIMITED = 60
/** Contracts kept of each kind: anybody can make one that logs swaps. */
const MOST_KEPT = 1_000

/** The counts after swaps of these pools or contracts, in the market that a round has made. */
export function countSwaps(
  { state, trust }: Pick<Market, 'state' | 'trust'>,
  ids: readonly Hex[],
): Traded {
  const { pools, snapshot, traded = NOTHING } = state
  const { trials = [] } = trust
  if (ids.length === 0) return traded
  const known = new Map(pools.map(({ id, venue }) => [id, venue]))
  const live = new Set(snapshot.pools.map(({ id }) => id))
  const idle = new Set(trials.filter((trial) => !isServed(trial)).map(({ venue }) => venue))
  const waiting = new Set(traded.waiting)
  let { served, setAside, unknown } = traded
  for (const id of ids) {
    const venue = known.get(id)
    if (venue === undefined) {
      unknown += 1
      if (sizeOfHex(id) !== 20 || traded.strange.has(id)) continue
      waiting.delete(id)
      waiting.add(id)
    } else if (live.has(id) && !idle.has(venue)) served += 1
    else setAside += 1
  }
  return { ...traded, served, setAside, unknown, waiting: new Set([...waiting].slice(-MOST_KEPT)) }
}

/** True in the rounds in which unknown contracts are asked. */
export function asksTraded({ traded }: MarketState, round: number, isLimited: boolean): boolean {
  const isAnyone = traded !== undefined && traded.waiting.size > 0
  return isAnyone && round % (isLimited ? EVERY_IF_LIMITED : EVERY) === 0
}

const FACTS = ['factory', 'token0', 'token1', 'fee', 'tickSpacing'].map((name) =>
  toFunctionSelector(`function ${name}()`),
)

/**
 * The market with the pools of its venues among the contracts that swap; they are read with the next head. A contract
 * says what it likes, so one is a pool of a venue only if the factory names it for its tokens and fee.
 */
export async function findTraded(
  client: Client,
  market: Market,
  { venues, header }: { readonly venues: readonly Venue[]; readonly header: Header },
): Promise<Market> {
  const { traded = NOTHING, pools } = market.state
  const all = [...traded.waiting]
  const half = ASKED_AT_ONCE / 2
  const asked = [...new Set([...all.slice(0, half), ...all.slice(-half)])]
  const read = createReader(client, header)
  const facts = await read(
    asked.map((to) => ({
      to: multicallOf(client),
      data: together(FACTS.map((data) => ({ to, data }))),
    })),
  )
  const claims = asked.flatMap((id, i) => claimOf(id, wordsOf(facts[i]!.data), venues) ?? [])
  const answers = claims.length > 0 ? await read(claims.flatMap(({ calls }) => calls)) : []
  let start = 0
  const found = claims.flatMap(({ ref, calls }) => {
    const own = answers.slice(start, start + calls.length)
    start += calls.length
    return own.some((answer) => isAddress(answer, ref.id)) ? [ref] : []
  })
  const belongs = new Set<Hex>(found.map(({ id }) => id))
  const strange = [...traded.strange, ...asked.filter((id) => !belongs.has(id))]
  const waiting = all.slice(half, Math.max(half, all.length - half))
  const kept = { waiting: new Set(waiting), strange: new Set(strange.slice(-MOST_KEPT)) }
  const state = { ...market.state, pools: [...pools, ...found], traded: { ...traded, ...kept } }
  return { ...market, state }
}

type Claim = { readonly ref: PoolRef; readonly calls: readonly Call[] }

/** The pool that a contract says it is, and the calls to the factory that would name it. */
function claimOf(
  id: Address,
  [factory, a, b, fee, spacing]: readonly (bigint | undefined)[],
  venues: readonly Venue[],
): Claim | undefined {
  if (factory === undefined || a === undefined || b === undefined) return undefined
  const venue = venues.find((one) => BigInt(one.factory) === factory && isAskedByTokens(one))
  if (!venue || a >> 160n !== 0n || b >> 160n !== 0n) return undefined
  const tokens: TokenPair = [addressOf(a), addressOf(b)]
  const own = {
    ...venue,
    ...(fee !== undefined && { feesPpm: [Number(fee)] }),
    ...(venue.tickSpacings && spacing !== undefined && { tickSpacings: [Number(spacing)] }),
  }
  return { ref: refAt(venue, id, tokens), calls: findCalls(own, tokens) }
}

function isAddress({ success, data }: CallResult, address: Hex): boolean {
  return success && data.length === 66 && wordAt(data, 0) === BigInt(address)
}
