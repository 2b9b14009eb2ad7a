// The states of venues on trial: a venue is in answers only after simulated swaps of it paid what core says, and no
// longer once one pays less. Only state here; `tryVenues.ts` asks the chain.

import type { Address, Snapshot } from '@braid-swap/core'
import type { Venue } from '../pools/venue.js'

/** What a venue has earned: in `canary` and `serving` its pools are in answers. */
export const venueStates = ['shadow', 'canary', 'serving', 'quarantined'] as const
export type VenueState = (typeof venueStates)[number]

/** Simulated swaps that agree before a venue is in answers. */
export const PROOFS = 3
/** Those before it is asked less often, and before it returns from quarantine. */
export const SETTLED = 20
/** Refused swaps in a row after which a venue must earn its place again. */
const MISSES = 3
/** Questions after which one that earns nothing is asked less often. */
const PATIENCE = 60
/** Rounds between two questions to a venue, and with a rate limit. */
const EVERY = { soon: [1, 4], later: [20, 60] } as const

/** The trial of one venue. */
export type Trial = {
  readonly venue: string
  readonly state: VenueState
  /** The block at which it came into its state; absent before the first question. */
  readonly since?: bigint
  /** Swaps in a row that paid what core says. */
  readonly agreed: number
  /** Swaps in a row that were refused. */
  readonly misses: number
  /** Questions so far; they choose pool, direction and amount of the next. */
  readonly turn: number
  /** Why it is not in answers, or what spoke against it last. */
  readonly reason?: string
  /** A pool that paid less: its swaps decide, after the pool was read again. */
  readonly doubted?: Address
  /** True if the operator set the state. */
  readonly isFixed?: true
}

/** What a simulated swap says about its venue. */
export type Verdict =
  | { readonly kind: 'agrees' }
  | { readonly kind: 'less'; readonly reason: string; readonly pool: Address }
  | { readonly kind: 'refused' | 'undecided'; readonly reason: string }

/** States that the operator sets by venue, or for `all`: `shadow` lets one start over, the others stay. */
export type GivenStates = ReadonlyMap<string, Exclude<VenueState, 'canary'>>

/**
 * The market with a trial for each venue: those it has continue, others begin in the shadow. A state that the
 * operator sets replaces what was earned before.
 */
export function startTrials<M extends { readonly trials?: readonly Trial[] }>(
  market: M,
  venues: readonly Pick<Venue, 'id'>[],
  states: GivenStates,
): M & { readonly trials: readonly Trial[] } {
  const before = new Map(market.trials?.map((trial) => [trial.venue, trial]))
  const trials = venues.map(({ id }): Trial => {
    const given = states.get(id) ?? states.get('all')
    const fresh: Trial = { venue: id, state: given ?? 'shadow', agreed: 0, misses: 0, turn: 0 }
    if (given === 'shadow') return fresh
    if (given) return { ...fresh, isFixed: true, reason: 'set by the operator' }
    const own = before.get(id)
    return own && !own.isFixed ? own : fresh
  })
  return { ...market, trials }
}

/** The trial after a verdict at a block. */
export function afterVerdict(trial: Trial, verdict: Verdict, block: bigint): Trial {
  const { reason: _, doubted, ...asked } = { ...trial, turn: trial.turn + 1 }
  const since = trial.since ?? block
  const enter = (state: VenueState) => (state === trial.state ? {} : { state, since: block })
  const isQuarantined = trial.state === 'quarantined'
  if (verdict.kind === 'agrees') {
    const agreed = trial.agreed + 1
    const known = { ...asked, since, agreed, misses: 0 }
    if (!isQuarantined) return { ...known, ...enter(earnedBy(agreed)) }
    // It comes back as a canary, with all of the rest to earn.
    if (agreed >= SETTLED) return { ...known, agreed: PROOFS, ...enter('canary') }
    return { ...known, ...(trial.reason !== undefined && { reason: trial.reason }) }
  }
  const { reason } = verdict
  if (verdict.kind === 'undecided') {
    return { ...asked, since, reason, ...(doubted && { doubted, turn: trial.turn }) }
  }
  if (verdict.kind === 'less') {
    const known = { ...asked, since, agreed: 0, reason }
    if (doubted || isQuarantined) return { ...known, ...enter('quarantined') }
    // The turn stays, so that the next question is the same.
    return { ...known, doubted: verdict.pool, turn: trial.turn, ...enter('shadow') }
  }
  const misses = trial.misses + 1
  const isOut = misses >= MISSES || isQuarantined
  const lost = isOut && { agreed: 0, ...(isQuarantined ? {} : enter('shadow')) }
  return { ...asked, since, misses, reason, ...lost }
}

function earnedBy(agreed: number): VenueState {
  if (agreed >= SETTLED) return 'serving'
  return agreed >= PROOFS ? 'canary' : 'shadow'
}

/** True if a venue is to be asked in this round. */
export function isDue(trial: Trial, round: number, isLimited: boolean): boolean {
  const { state, isFixed, doubted, turn, misses } = trial
  if (isFixed) return false
  // With a rate limit, one that is in answers can wait.
  const isNew = (state === 'shadow' || (state === 'canary' && !isLimited)) && turn < PATIENCE
  const isSoon = doubted !== undefined || isNew || (isServed(trial) && misses > 0)
  return round % EVERY[isSoon ? 'soon' : 'later'][isLimited ? 1 : 0] === 0
}

/** True if the venue's pools may be in answers. */
export function isServed({ state }: Pick<Trial, 'state'>): boolean {
  return state === 'canary' || state === 'serving'
}

/** The snapshot without the pools of venues that have not earned their place; all of it if none is on trial. */
export function servedSnapshot({
  snapshot,
  trials = [],
}: {
  readonly snapshot: Snapshot
  readonly trials?: readonly Trial[]
}): Snapshot {
  const out = new Set(trials.filter((trial) => !isServed(trial)).map(({ venue }) => venue))
  if (out.size === 0) return snapshot
  return { ...snapshot, pools: snapshot.pools.filter(({ venue }) => !out.has(venue)) }
}
