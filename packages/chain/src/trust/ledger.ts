// The ledger of pools and tokens that are left out for minutes, because a swap of a caller led the court to them. How
// much callers can have left out is bounded; what goes beyond is told to the operator and done nothing about.

import type { Hex, Pool, Snapshot } from '@braid-swap/core'
import type { TokenFlaw } from './transferTests.js'

/** What speaks against a pool or a token, and on whose behalf it was asked. */
export type Charge = {
  /** A pool, by id, or a token. */
  readonly subject: Hex
  readonly reason: string
  /** The test that the token failed; absent for a pool. */
  readonly flaw?: TokenFlaw | undefined
  /** The part of the market's depth that is out with it, from 0 to 1. */
  readonly depth: number
  /** The key whose swap led here; callers without one are one. */
  readonly by: string
}

/** A charge that was decided on. */
export type Verdict = Charge & {
  /** Milliseconds of the steady clock. */
  readonly untilMs: number
  /** False if it is only told: it is beyond what reverts may take out. */
  readonly isActedOn: boolean
}

/** What a process tells the others: a charge, or a pool whose venue is to be asked. */
export type Lesson = { readonly subject: Hex } & Partial<Omit<Charge, 'subject'>>

/** Carries lessons between processes; those that are lost are learnt again. */
export type Lessons = {
  readonly tell: (lesson: Lesson) => void
  readonly listen: (learn: (lesson: Lesson) => void) => void
}

/** The verdicts that are not over. */
export type Ledger = {
  /** The steady clock, in milliseconds. */
  readonly now: () => number
  readonly decide: (charge: Charge) => Verdict
  /** Of pools, by id, and tokens, also those that are only told. */
  readonly current: () => ReadonlyMap<Hex, Verdict>
  /** The pools of a snapshot that are left out, or have a token that is. */
  readonly pools: (snapshot: Pick<Snapshot, 'pools'>) => readonly Hex[]
}

/** The first pause; each further one is twice as long, up to the longest. */
const FIRST_MS = 120_000
const LONGEST_MS = 64 * FIRST_MS
/** The most subjects kept. Without a limit, an attacker who creates pools could fill the memory. */
const MAX_SUBJECTS = 10_000
/** Parts of the market's depth that callers may have left out within an hour: all of them, and one. */
const [MOST, MOST_OF_ONE] = [0.1, 0.025]
const HOUR_MS = 3_600_000

type Record = Verdict & { readonly pauseMs: number; readonly atMs: number }

/**
 * Creates an empty ledger; `now` is a steady clock in milliseconds. With `lessons` it tells other processes what it
 * decides, and decides on what they tell: what it leaves out already keeps its pause, so that a fault that several
 * processes find counts once.
 */
export function createLedger(now: () => number, lessons?: Lessons): Ledger {
  const records = new Map<Hex, Record>()
  const isOver = ({ untilMs }: Verdict) => untilMs <= now()
  /** Returns the first pause again for a subject that has had no fault for as long as its last pause. */
  const pauseAfter = (last: Record | undefined) => {
    if (!last || now() > last.untilMs + last.pauseMs) return FIRST_MS
    return Math.min(LONGEST_MS, 2 * last.pauseMs)
  }
  const isWithin = ({ subject, depth, by }: Charge) => {
    const recent = [...records.values()].filter(
      (one) => one.isActedOn && one.subject !== subject && one.atMs > now() - HOUR_MS,
    )
    const sum = (of: readonly Record[]) => of.reduce((all, one) => all + one.depth, depth)
    const ofOne = recent.filter((one) => one.by === by)
    return sum(recent) <= MOST && sum(ofOne) <= MOST_OF_ONE
  }
  const decide = (charge: Charge): Verdict => {
    const { subject } = charge
    const pauseMs = pauseAfter(records.get(subject))
    const times = { pauseMs, atMs: now(), untilMs: now() + pauseMs }
    const record: Record = { ...charge, ...times, isActedOn: isWithin(charge) }
    records.delete(subject)
    records.set(subject, record)
    if (records.size > MAX_SUBJECTS) records.delete(records.keys().next().value!)
    return record
  }
  lessons?.listen(({ subject, reason, flaw, depth = 0, by = 'another process' }) => {
    const own = records.get(subject)
    if (reason === undefined || (own && !isOver(own))) return
    decide({ subject, reason, depth, by, ...(flaw && { flaw }) })
  })
  const current = () => new Map([...records].filter(([, one]) => !isOver(one)))
  return {
    now,
    decide: (charge) => {
      lessons?.tell(charge)
      return decide(charge)
    },
    current,
    pools: ({ pools }) => {
      const out = new Set(
        [...current().values()].flatMap((one) => (one.isActedOn ? one.subject : [])),
      )
      if (out.size === 0) return []
      const isOut = ({ family, id, tokens }: Pool) =>
        family !== 'wrap' && (out.has(id) || tokens.some((token) => out.has(token)))
      return pools.filter(isOut).map(({ id }) => id)
    },
  }
}
