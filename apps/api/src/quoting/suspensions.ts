// Pools and tokens left out for minutes, because a swap of ours failed there on the chain although our
// state of the same block says that it does not. A process tells the others what it learnt.

import type { TokenFlaw } from '@braid-swap/chain'
import type { Hex, Hop, Order, Pool, Route, Snapshot } from '@braid-swap/core'

/** Why a pool or a token is left out. */
export type Suspension = {
  readonly reason: string
  /** Milliseconds of the steady clock. */
  readonly untilMs: number
  /** The test that the token failed; absent for a pool. */
  readonly flaw?: TokenFlaw | undefined
}

/**
 * What one process learnt: a pool, by id, or a token to leave out, and why. Without a reason it is a pool that a failing
 * swap passes, whose venue is to be asked.
 */
export type Lesson = { readonly subject: Hex } & Partial<Pick<Suspension, 'reason' | 'flaw'>>

/** Carries lessons between processes; those that are lost are learnt again. */
export type Lessons = {
  readonly tell: (lesson: Lesson) => void
  readonly listen: (learn: (lesson: Lesson) => void) => void
}

/** Pools, by id, and tokens that are left out of every route. */
export type Suspensions = {
  readonly suspend: (subject: Hex, why: Pick<Suspension, 'reason' | 'flaw'>) => void
  /** Those whose pause is not over, by pool id or token. */
  readonly current: () => ReadonlyMap<Hex, Suspension>
  /** The pools of a snapshot that are suspended, or have a suspended token. */
  readonly pools: (snapshot: Pick<Snapshot, 'pools'>) => readonly Hex[]
}

/** The hops that are blamed for a failure, and the block at which it was reproduced. */
export type Fault = {
  /** The hop that fails, or every hop up to it with a token that the operator does not trust. */
  readonly hops: readonly Pick<Hop, 'pool' | 'direction'>[]
  /** The router's error, or the first bytes of another one. */
  readonly reason: string
  readonly block: bigint
}

/** A swap that reverts. */
export type Swap = { readonly order: Order; readonly route: Route }

/**
 * Suspends the pools at which a swap fails, and the tokens of its route that no longer move as pools assume: of a
 * route that passes several bad tokens, all are known at once. Has the venues of its pools asked. Returns the fault, or
 * `undefined` if no pool is to blame or the node does not tell.
 */
export type LearnFrom = (swap: Swap, id: string) => Promise<Fault | 'known' | undefined>

/** The first pause; each further one is twice as long, up to the longest. */
const FIRST_MS = 120_000
const LONGEST_MS = 64 * FIRST_MS
/** The most subjects kept. Without a limit, an attacker who creates pools could fill the memory. */
const MAX_SUBJECTS = 10_000

type Record = Suspension & { readonly pauseMs: number }

/**
 * Creates an empty list; `now` is a steady clock in milliseconds. With `lessons` it tells other processes what it
 * suspends, and suspends what they tell: what it leaves out already keeps its pause, so that a fault that several
 * processes find counts once.
 */
export function createSuspensions(now: () => number, lessons?: Lessons): Suspensions {
  const records = new Map<Hex, Record>()
  /** Returns the first pause again for a subject that has had no fault for as long as its last pause. */
  const pauseAfter = (last: Record | undefined) => {
    if (!last || now() > last.untilMs + last.pauseMs) return FIRST_MS
    return Math.min(LONGEST_MS, 2 * last.pauseMs)
  }
  const learn = (subject: Hex, why: Pick<Suspension, 'reason' | 'flaw'>) => {
    const pauseMs = pauseAfter(records.get(subject))
    records.delete(subject)
    records.set(subject, { ...why, pauseMs, untilMs: now() + pauseMs })
    if (records.size > MAX_SUBJECTS) records.delete(records.keys().next().value!)
  }
  lessons?.listen(({ subject, reason, flaw }) => {
    const isOut = (records.get(subject)?.untilMs ?? 0) > now()
    if (reason !== undefined && !isOut) learn(subject, { reason, ...(flaw && { flaw }) })
  })
  const current = () => new Map([...records].filter(([, { untilMs }]) => untilMs > now()))
  return {
    suspend: (subject, why) => {
      learn(subject, why)
      lessons?.tell({ subject, ...why })
    },
    current,
    pools: ({ pools }) => {
      const out = current()
      if (out.size === 0) return []
      const isOut = ({ family, id, tokens }: Pool) =>
        family !== 'wrap' && (out.has(id) || tokens.some((token) => out.has(token)))
      return pools.filter(isOut).map(({ id }) => id)
    },
  }
}
