// The trials of venues: one is in answers only after swaps of it paid what core says. A pool that does not is out by
// itself. A venue falls with pools that hold half of its depth, never with any number of others: anybody makes pools.
// Only state here; `tryVenues.ts` asks the chain.

import type { Address, Snapshot } from '@braid-swap/core'
import type { Venue } from '../pools/venue.js'
import { type Finding, isAgainst } from './measure.js'

/** What a venue has earned: in `canary` and `serving` its pools are in answers. */
export const venueStates = ['shadow', 'canary', 'serving', 'quarantined'] as const
export type VenueState = (typeof venueStates)[number]

/** Simulated swaps that agree before a venue is in answers. */
export const PROOFS = 3
/** Those before it is asked less often, and before it returns from quarantine. */
export const SETTLED = 20
/** Refused swaps in a row after which a venue must earn its place again, and those after which a pool is out. */
const [MISSES, REFUSALS] = [3, 2]
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
  /** Pools that were asked and did not pay; absent if there are none. */
  readonly accused?: readonly Accused[]
  /** True if the operator set the state. */
  readonly isFixed?: true
}

/** A pool that did not pay what core says, until it pays as often as it did not. */
export type Accused = {
  readonly pool: Address
  readonly kind: 'less' | 'refused'
  readonly reason: string
  /** The block of the first finding. */
  readonly since: bigint
  readonly times: number
}

/** What was found of a pool. */
export type Told = { readonly pool: Address; readonly finding: Finding }

/** States that the operator sets by venue, or for `all`: `shadow` lets one start over, the others stay. */
export type GivenStates = ReadonlyMap<string, Exclude<VenueState, 'canary'>>

/**
 * The market with a trial for each venue: those it has continue, others begin in the shadow. A state that the
 * operator sets replaces what was earned before.
 */
export function startTrials<M extends { readonly trust: { readonly trials?: readonly Trial[] } }>(
  market: M,
  venues: readonly Pick<Venue, 'id'>[],
  states: GivenStates,
): M & { readonly trust: { readonly trials: readonly Trial[] } } {
  const before = new Map(market.trust.trials?.map((trial) => [trial.venue, trial]))
  const trials = venues.map(({ id }): Trial => {
    const given = states.get(id) ?? states.get('all')
    const fresh: Trial = { venue: id, state: given ?? 'shadow', agreed: 0, misses: 0, turn: 0 }
    if (given === 'shadow') return fresh
    if (given) return { ...fresh, isFixed: true, reason: 'set by the operator' }
    const own = before.get(id)
    return own && !own.isFixed ? own : fresh
  })
  return { ...market, trust: { ...market.trust, trials } }
}

/** Kinds of findings; of several in one turn, the first of these counts. */
const GRAVITY: readonly Finding['kind'][] = ['less', 'refused', 'undecided', 'outOfGas', 'agrees']

/**
 * The trial after what was found in one turn at a block. Findings against pools concern these alone, unless `tells`
 * says that the accused pools speak for the venue.
 */
export function afterTurn(
  trial: Trial,
  told: readonly Told[],
  {
    block,
    tells,
  }: { readonly block: bigint; readonly tells: (pools: ReadonlySet<Address>) => boolean },
): Trial {
  const worst = GRAVITY.flatMap(
    (kind) => told.find(({ finding }) => finding.kind === kind) ?? [],
  )[0]
  if (!worst) return trial
  const { finding } = worst
  const { reason: _, accused: before = [], ...asked } = { ...trial, turn: trial.turn + 1 }
  const since = trial.since ?? block
  const accused = accusedAfter(before, told, block)
  const known = { ...asked, since, ...(accused.length > 0 && { accused }) }
  const enter = (state: VenueState) => (state === trial.state ? {} : { state, since: block })
  const isQuarantined = trial.state === 'quarantined'
  if (finding.kind === 'agrees') {
    const agreed = trial.agreed + 1
    const next = { ...known, agreed, misses: 0 }
    if (!isQuarantined) return { ...next, ...enter(earnedBy(agreed)) }
    // It comes back as a canary, with all of the rest to earn.
    if (agreed >= SETTLED) return { ...next, agreed: PROOFS, ...enter('canary') }
    return { ...next, ...(trial.reason !== undefined && { reason: trial.reason }) }
  }
  const { reason } = finding
  if (!isAgainst(finding)) {
    return { ...known, reason, ...(before.some(isOpen) && { turn: trial.turn }) }
  }
  if (!tells(new Set(accused.map(({ pool }) => pool)))) {
    // One that is in no answer yet has all to earn.
    return { ...known, reason, ...(finding.kind === 'less' && !isServed(trial) && { agreed: 0 }) }
  }
  if (finding.kind === 'less') {
    const isSecond = before.some(({ pool, kind }) => pool === worst.pool && kind === 'less')
    const next = { ...known, agreed: 0, reason }
    if (isSecond || isQuarantined) return { ...next, ...enter('quarantined') }
    // The turn stays, so that the next question is the same.
    return { ...next, turn: trial.turn, ...enter('shadow') }
  }
  const misses = trial.misses + 1
  const isOut = misses >= MISSES || isQuarantined
  const lost = isOut && { agreed: 0, ...(isQuarantined ? {} : enter('shadow')) }
  return { ...known, misses, reason, ...lost }
}

function accusedAfter(
  before: readonly Accused[],
  told: readonly Told[],
  block: bigint,
): readonly Accused[] {
  const after = new Map(before.map((one) => [one.pool, one]))
  for (const pool of new Set(told.map((one) => one.pool))) {
    const findings = told.filter((one) => one.pool === pool).map(({ finding }) => finding)
    const own = after.get(pool)
    const against = findings.find(({ kind }) => kind === 'less') ?? findings.find(isAgainst)
    if (against?.kind === 'less' || against?.kind === 'refused') {
      const { kind, reason } = against
      const since = own?.since ?? block
      after.set(pool, { pool, kind, reason, since, times: (own?.times ?? 0) + 1 })
    } else if (own && findings.every(({ kind }) => kind === 'agrees')) {
      if (own.times === 1) after.delete(pool)
      else after.set(pool, { ...own, times: own.times - 1 })
    }
  }
  return [...after.values()]
}

/** True for a pool that was accused once: its state may be old, so it is read and asked again at once. */
export const isOpen = ({ times }: Accused): boolean => times === 1

/** The pools that are in no answer, whatever their venue has earned. */
export function poolsOut(trials: readonly Trial[]): readonly Accused[] {
  return trials.flatMap(({ accused = [] }) =>
    accused.filter(({ kind, times }) => kind === 'less' || times >= REFUSALS),
  )
}

function earnedBy(agreed: number): VenueState {
  if (agreed >= SETTLED) return 'serving'
  return agreed >= PROOFS ? 'canary' : 'shadow'
}

/** True if a venue is to be asked in this round. */
export function isDue(trial: Trial, round: number, isLimited: boolean): boolean {
  const { state, isFixed, accused, turn, misses } = trial
  if (isFixed) return false
  // With a rate limit, one that is in answers can wait.
  const isNew = (state === 'shadow' || (state === 'canary' && !isLimited)) && turn < PATIENCE
  const isSoon = accused?.some(isOpen) || isNew || (isServed(trial) && misses > 0)
  return round % EVERY[isSoon ? 'soon' : 'later'][isLimited ? 1 : 0] === 0
}

/** True if the venue's pools may be in answers. */
export function isServed({ state }: Pick<Trial, 'state'>): boolean {
  return state === 'canary' || state === 'serving'
}

/** The snapshot without accused pools, and those of venues that have not earned their place. */
export function servedSnapshot({
  state: { snapshot },
  trust: { trials = [] },
}: {
  readonly state: { readonly snapshot: Snapshot }
  readonly trust: { readonly trials?: readonly Trial[] }
}): Snapshot {
  const out = new Set(trials.filter((trial) => !isServed(trial)).map(({ venue }) => venue))
  const pools = new Set(poolsOut(trials).map(({ pool }) => pool))
  if (out.size + pools.size === 0) return snapshot
  const served = snapshot.pools.filter(({ id, venue }) => !out.has(venue) && !pools.has(id))
  return { ...snapshot, pools: served }
}
