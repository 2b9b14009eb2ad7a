// Asks the chain whether venues pay what core says: some swaps of each, at the market's block.

import { type Address, buildGraph, type Hex, type Snapshot } from '@braid-swap/core'
import { depthsOfPools } from '@braid-swap/core/advanced'
import type { PoolRef } from '../pools/loader.js'
import { type Header, readHeader } from '../reads/headers.js'
import { type Client, callGasOf, hasRateLimit } from '../transport/client.js'
import { type Finding, measure, type Terms } from './measure.js'
import { questionsOf, type TrialQuestion } from './questions.js'
import { afterTurn, isServed, PROOFS, servedSnapshot, type Told, type Trial } from './trials.js'

/** The part of its venue's depth that accused pools hold where they speak for the venue. */
const TELLING = 0.5
/** The part of a call's gas that a swap may need and still be asked. */
const AFFORDABLE = 0.5

/** What venues are tried of: a market. */
export type Tried = {
  readonly state: { readonly snapshot: Snapshot; readonly pools: readonly PoolRef[] }
  /** The newest blocks: the pools that they created are too young to speak for a venue. */
  readonly cursor: { readonly trail: readonly { readonly created: readonly Address[] }[] }
  readonly trust: { readonly trials?: readonly Trial[] }
}

/**
 * Asks some venues with one swap each, or with all swaps of pools that are named, in one request beside those for the
 * storage of new tokens. A venue without a pool that can be asked says so. Throws as the node does.
 */
export async function tryVenues<M extends Tried>(
  client: Client,
  market: M,
  {
    venues,
    turns = 1,
    named = new Set(),
    header,
    ...terms
  }: Terms & {
    readonly venues: readonly string[]
    readonly header: Header
    /** Questions to each venue, as if asked in so many rounds. */
    readonly turns?: number
    readonly named?: ReadonlySet<Hex>
  },
): Promise<M> {
  const { snapshot, pools } = market.state
  const { trials = [] } = market.trust
  const wanted = new Set(venues)
  const asked = trials.filter(({ venue }) => wanted.has(venue))
  if (asked.length === 0 || snapshot.block.hash !== header.hash) return market
  let found: ReadonlyMap<Hex, number> | undefined
  const depths = () => {
    found ??= depthsOfPools(buildGraph(snapshot))
    return found
  }
  const isAccused = asked.some(({ accused }) => accused !== undefined)
  const choice = {
    ...{ ...terms, named, mostGas: Number(callGasOf(client)) * AFFORDABLE },
    ...(isAccused && { depths: depths() }),
  }
  const questions = Array.from({ length: turns }, (_, i) => {
    const later = asked.map((trial) => ({ ...trial, turn: trial.turn + i }))
    return questionsOf(snapshot, later, choice)
  })
  const lenders = lendersOf(market)
  const findings = await measure(client, questions.flat(), { ...terms, header, pools, lenders })
  const next = asked.map((trial) => {
    const byTurn = questions.map((all) => all.filter((one) => one.trial.venue === trial.venue))
    if (byTurn.every(({ length }) => length === 0)) return unasked(trial)
    const tells = (ids: ReadonlySet<Hex>) => speaksFor(trial, ids, { market, depths, ...terms })
    let after = trial
    for (const own of byTurn) {
      const told = own.flatMap((one) => toldOf(one, findings.get(one)))
      after = afterTurn(after, told, { block: header.number, tells })
      // Those after one that does not agree were not the next to be asked.
      if (told.length === 0 || told.some(({ finding }) => finding.kind !== 'agrees')) break
    }
    return after
  })
  const byVenue = new Map(next.map((trial) => [trial.venue, trial]))
  const after = trials.map((trial) => byVenue.get(trial.venue) ?? trial)
  return { ...market, trust: { ...market.trust, trials: after } }
}

/** A finding of a question; of tokens that may lie, less is no more than a refusal. */
function toldOf({ pool, isWeak }: TrialQuestion, finding: Finding | undefined): readonly Told[] {
  if (!finding) return []
  const weak =
    isWeak && finding.kind === 'less' ? { ...finding, kind: 'refused' as const } : finding
  return [{ pool: pool.id, finding: weak }]
}

/**
 * True if accused pools hold half of their venue's depth, of pools whose tokens cannot lie and that are older than
 * the kept blocks; where no pool has a depth, if they are all pools that could speak.
 */
function speaksFor(
  { venue, state }: Trial,
  accused: ReadonlySet<Hex>,
  {
    market,
    depths,
    trusted,
  }: Pick<Terms, 'trusted'> & {
    readonly market: Tried
    readonly depths: () => ReadonlyMap<Hex, number>
  },
): boolean {
  const isTrusted = (token: Address) => trusted?.has(token) ?? true
  const own = market.state.snapshot.pools.filter((pool) => pool.venue === venue)
  const sound = own.filter(({ tokens }) => tokens.every(isTrusted))
  if (sound.length === 0) return !isServed({ state })
  const young = new Set(market.cursor.trail.flatMap(({ created }) => created))
  const against = sound.filter(({ id }) => accused.has(id) && !young.has(id))
  const depthOf = (pools: typeof own) =>
    pools.reduce((sum, { id }) => sum + (depths().get(id) ?? 0), 0)
  const all = depthOf(sound)
  return all > 0 ? depthOf(against) >= TELLING * all : against.length === sound.length
}

/** The trial of a venue that no pool can prove: what is known against it stays, or else this is why it waits. */
function unasked(trial: Trial): Trial {
  return isServed(trial) ? trial : { reason: 'no pool with liquidity to try yet', ...trial }
}

/** Pools that may lend, those in answers first: no other is chosen while one of these has the token. */
export function lendersOf(market: Tried): Snapshot['pools'] {
  const served = servedSnapshot(market).pools
  return served.length > 1 ? served : market.state.snapshot.pools
}

/**
 * Asks at the market's own block until the venues that agree are in answers, so that a start waits for no further
 * block. What was served before is asked once, because a contract may have changed meanwhile; with a rate limit in the
 * rounds that follow. Returns the market as it is if its block is no longer on the chain. Throws RPC_FAILED.
 */
export async function tryAtOnce<M extends Tried>(
  client: Client,
  market: M,
  terms: Terms,
): Promise<M> {
  const { trials = [] } = market.trust
  const free = trials.filter(({ state, isFixed }) => state !== 'quarantined' && !isFixed)
  const named = (all: readonly Trial[]) => all.map(({ venue }) => venue)
  const isLimited = hasRateLimit(client)
  const served = isLimited ? [] : named(free.filter(isServed))
  const fresh = named(free.filter((trial) => !isServed(trial)))
  if (served.length + fresh.length === 0) return market
  const header = await readHeader(client, market.state.snapshot.block.number)
  const asked = await tryVenues(client, market, { ...terms, header, venues: served })
  return tryVenues(client, asked, { ...terms, header, venues: fresh, turns: PROOFS })
}
