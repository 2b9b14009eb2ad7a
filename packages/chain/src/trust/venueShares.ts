// The part of each venue's known pools that is in answers, by count and by what the pools hold, and why the others
// are not. Every surface that tells it reads it from here.

import { type Address, buildGraph, type Hex, type Snapshot } from '@braid-swap/core'
import { pricesOfTokens } from '@braid-swap/core/advanced'
import { toFunctionSelector } from 'viem'
import { isShared } from '../loaders/loaders.js'
import type { PoolRef } from '../pools/loader.js'
import { countSetAside, type Refusal, type SetAside } from '../pools/setAside.js'
import { callData, wordAt } from '../reads/abiWords.js'
import { createReader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { isServed, type Trial } from './trials.js'

/** The part of a venue's pools that is served. */
export type VenueShare = {
  readonly venue: string
  /** Known pools. */
  readonly pools: number
  readonly served: number
  /** The pools that are not served, by reason. */
  readonly refused: Readonly<Record<string, number>>
  /**
   * True if no pool is served, or only such as hold less than 0.01 % of it, which anybody can add; and not because all
   * others are empty, on trial or not read yet.
   */
  readonly isRefused: boolean
  /**
   * What its pools hold, in wei of the native token, and what those that are served do. Absent before the
   * balances are read, and where a contract of the venue keeps the tokens of all its pools.
   */
  readonly held?: Held
  /** The part of `held` that is served, cut to two digits, so that 100 means all; null if it is unknown. */
  readonly heldPercent: number | null
}
export type Held = { readonly all: number; readonly served: number }
const NOTHING: Held = { all: 0, served: 0 }

/** What shares are taken of: the known pools of a market, and what became of them. */
export type SharedMarket = {
  readonly pools: readonly PoolRef[]
  readonly snapshot: Snapshot
  readonly setAside: readonly SetAside[]
  readonly trials?: readonly Trial[]
}

/** Wei of the native token that pools hold, by pool. */
export type Worths = ReadonlyMap<Hex, number>

const BALANCE_OF = toFunctionSelector('function balanceOf(address)')

/**
 * What each pool holds, by the balances that tokens report now and by the prices of the market. A token without
 * a price, or that is not `trusted`, counts as nothing: anybody can make one and give a pool all of it.
 * Throws RPC_FAILED.
 */
export async function readWorths(
  client: Client,
  { pools, snapshot }: Pick<SharedMarket, 'pools' | 'snapshot'>,
  trusted?: ReadonlySet<Address>,
): Promise<Worths> {
  const prices = pricesOfTokens(buildGraph(snapshot))
  const own = pools.filter(({ id, family }) => id.length === 42 && !isShared({ family }))
  const asked = own.flatMap(({ id, tokens }) =>
    tokens.flatMap((token) => {
      const price = trusted?.has(token) === false ? undefined : prices.get(token)
      return price === undefined ? [] : [{ id, token, price }]
    }),
  )
  const read = createReader(client, 'latest')
  const answers = await read(
    asked.map(({ id, token }) => ({ to: token, data: callData(BALANCE_OF, BigInt(id)) })),
  )
  const worths = new Map<Hex, number>(own.map(({ id }) => [id, 0]))
  for (const [i, { id, price }] of asked.entries()) {
    const { success, data } = answers[i]!
    if (!success || data.length < 66) continue
    worths.set(id, worths.get(id)! + Number(wordAt(data, 0)) * price)
  }
  return worths
}

/** Entries of these codes are about a venue, not about a pool. */
const OF_VENUES: ReadonlySet<string> = new Set(['VENUE_UNREADABLE', 'HISTORY_NOT_KEPT'])
/** Reasons that say nothing against a venue, and those with which it may be served yet. */
const EMPTY: ReadonlySet<string> = new Set(['POOL_EMPTY', 'POOL_NOT_INITIALISED'])
const WAITING: ReadonlySet<string> = new Set(['VENUE_ON_TRIAL', 'NOT_READ_YET'])

/**
 * The share of each venue, in the order of `venues`. `served` is the snapshot that answers are computed from. A pool
 * that is missing there without an entry of its own is refused for its venue, which has not earned its place, for a
 * token that the operator refuses, or not read yet.
 */
export function venueShares(
  market: SharedMarket,
  of: {
    readonly venues: readonly { readonly id: string }[]
    readonly served: Snapshot
    readonly worths?: Worths | undefined
  },
): readonly VenueShare[] {
  const setAside = market.setAside.filter(({ code }) => !OF_VENUES.has(code))
  const codes = new Map<Hex, Refusal>(setAside.map(({ id, code }) => [id, code]))
  const served = new Set<Hex>(of.served.pools.map(({ id }) => id))
  const read = new Set<Hex>(market.snapshot.pools.map(({ id }) => id))
  const trials = market.trials?.filter((trial) => !isServed(trial)).map(({ venue }) => venue)
  const reasonOf = (id: Hex, venue: string): Refusal =>
    codes.get(id) ??
    (!read.has(id)
      ? 'NOT_READ_YET'
      : trials?.includes(venue)
        ? 'VENUE_ON_TRIAL'
        : 'TOKEN_UNSUPPORTED')
  const known = new Map<Hex, string>(
    [...setAside, ...market.pools].map(({ id, venue }) => [id, venue]),
  )
  const byVenue = new Map(of.venues.map(({ id }) => [id, [] as Hex[]]))
  for (const [id, venue] of known) byVenue.get(venue)?.push(id)
  return [...byVenue].map(([venue, ids]): VenueShare => {
    const out = ids.filter((id) => !served.has(id))
    const refused = countSetAside(out.map((id) => ({ code: reasonOf(id, venue) })))
    const worthOf = (some: readonly Hex[]) =>
      some.reduce((sum, id) => sum + (of.worths?.get(id) ?? 0), 0)
    const all = worthOf(ids)
    const held = ids.some((id) => of.worths?.has(id)) && { all, served: all - worthOf(out) }
    const reasons = Object.keys(refused)
    const isBlamed =
      reasons.some((one) => !EMPTY.has(one)) && !reasons.some((one) => WAITING.has(one))
    const heldPercent = percentOf(held || NOTHING)
    const isRefused = isBlamed && (out.length === ids.length || heldPercent === 0)
    const counts = { pools: ids.length, served: ids.length - out.length }
    return { venue, ...counts, ...(held && { held }), heldPercent, refused, isRefused }
  })
}

const percentOf = ({ all, served }: Held): number | null =>
  all > 0 ? Math.floor((served / all) * 10_000) / 100 : null

/** The shares in a sentence: pools and what they hold of all venues, then each venue that is refused. */
export function describeShares(shares: readonly VenueShare[]): string {
  const sum = (of: (share: VenueShare) => number) =>
    shares.reduce((total, share) => total + of(share), 0)
  const [all, served] = [sum(({ held }) => held?.all ?? 0), sum(({ held }) => held?.served ?? 0)]
  const percent = percentOf({ all, served })
  const counts = `${sum((s) => s.served)} of ${sum((s) => s.pools)} known pools are served`
  const none = shares
    .filter(({ isRefused }) => isRefused)
    .map(
      ({ venue, pools, served, refused }) =>
        `${served || 'none'} of ${pools} of ${venue} (${describeRefused(refused)})`,
    )
  return [percent === null ? counts : `${counts}, ${percent} % of what pools hold`, ...none].join(
    '; ',
  )
}

/** The reasons, the most frequent first. */
export function describeRefused(refused: VenueShare['refused']): string {
  const sorted = Object.entries(refused).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return sorted.map(([reason, count]) => `${count} ${reason}`).join(', ')
}
