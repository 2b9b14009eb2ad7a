// Every verdict in one shape, in words for an operator at night: who is out, what was seen, until when, what overrules it.

import type { SetAside } from '../pools/setAside.js'
import type { Ledger } from './ledger.js'
import type { TokenFlaw } from './transferTests.js'
import { isServed, poolsOut, type Trial } from './trials.js'

/** A verdict as the operator reads it. */
export type VerdictText = {
  /** A pool by its id, a token by its address, a venue by its name. */
  readonly subject: string
  readonly kind: 'pool' | 'token' | 'venue'
  /** False if the verdict is only reported, and its subject stays in answers. */
  readonly isActedOn: boolean
  readonly evidence: string
  readonly until: string
  readonly overrule: string
}

/** The most that are told at once; those on whom nothing is done come before the tokens, of which there are many. */
const MOST_TOLD = 100

/**
 * The verdicts that hold now: of venues, of their pools, those that swaps of callers led to, of the price guard, and of
 * tokens.
 */
export function verdictsOf({
  trials = [],
  flawed = [],
  setAside = [],
  ledger,
}: {
  readonly trials?: readonly Trial[] | undefined
  readonly flawed?: readonly TokenFlaw[] | undefined
  readonly setAside?: readonly SetAside[] | undefined
  readonly ledger?: Ledger | undefined
}): readonly VerdictText[] {
  const out = trials.filter((trial) => !isServed(trial) && trial.reason !== undefined)
  const all = [
    ...out.map(textOfVenue),
    ...trials.flatMap(textsOfPools),
    ...(ledger ? textsOfLedger(ledger) : []),
    ...setAside.flatMap(textsOfGuard),
    ...flawed.map(textOfToken),
  ]
  return all.slice(0, MOST_TOLD)
}

const overruled = (venue: string) => `BRAID_VENUE_STATES=${venue}=serving, and restart`

function textOfVenue({ venue, state, reason = '', isFixed, agreed }: Trial): VerdictText {
  const left = (state === 'shadow' ? 3 : 20) - agreed
  return {
    ...{ subject: venue, kind: 'venue', isActedOn: true, evidence: reason },
    until: isFixed ? 'the setting is changed' : `${left} swaps in a row pay what Braid says`,
    overrule: overruled(venue),
  }
}

const textsOfPools = (trial: Trial): readonly VerdictText[] =>
  poolsOut([trial]).map(({ pool, reason, times, since }) => ({
    ...{ subject: pool, kind: 'pool', isActedOn: true },
    evidence: `${reason}; ${times} times since block ${since}`,
    until: `${times} of its swaps pay what Braid says`,
    overrule: overruled(trial.venue),
  }))

function textsOfLedger({ current, now }: Ledger): readonly VerdictText[] {
  return [...current().values()].map(
    ({ subject, flaw, reason, depth, by, untilMs, isActedOn }) => ({
      ...{ subject, kind: flaw ? ('token' as const) : ('pool' as const), isActedOn },
      evidence: `${reason}; asked because a swap of ${by} would revert; it has ${(100 * depth).toFixed(2)} % of the market's depth${isActedOn ? '' : ', and with it callers would have too much left out in one hour'}`,
      until: `${Math.ceil((untilMs - now()) / 1_000)} s from now`,
      overrule: isActedOn
        ? 'a restart forgets it'
        : 'nothing is left out; the trial of its venue decides within a few blocks',
    }),
  )
}

/** What ends and what overrules a verdict of the price guard, by its code. */
const OF_GUARD: ReadonlyMap<string, readonly [until: string, overrule: string]> = new Map([
  ['POOL_RATE_UNLISTED', ['the contract is listed', 'BRAID_RATE_SOURCES with the contract']],
  ['POOL_RATE_STEPPED', ['it has been still for 64 blocks', 'BRAID_PRICE_GUARD_BPS=0']],
  ['POOL_OFF_MARKET', ['its price is near again', 'a larger BRAID_PRICE_GUARD_BPS']],
])

/** True for a pool that the price guard set aside. */
export const isGuarded = ({ code }: SetAside): boolean => OF_GUARD.has(code)

function textsOfGuard({ id, code, message }: SetAside): readonly VerdictText[] {
  const [until, overrule] = OF_GUARD.get(code) ?? []
  if (until === undefined || overrule === undefined) return []
  const text = { evidence: `${code}: ${message}`, until, overrule }
  return [{ subject: id, kind: 'pool', isActedOn: true, ...text }]
}

const textOfToken = ({ address, code, message }: TokenFlaw): VerdictText => ({
  ...{ subject: address, kind: 'token', isActedOn: true, evidence: `${code}: ${message}` },
  until: 'it passes the test in several blocks in a row',
  overrule: 'nothing: its pools would not pay what Braid says',
})
