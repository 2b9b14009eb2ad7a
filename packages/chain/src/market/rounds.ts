// What a follower does in which of its rounds: comparisons of pools with the chain, audits, and questions after a sign.
// Each plan belongs to one follower.

import type { Address, Hex } from '@braid-swap/core'
import type { Market } from './market.js'
import { DriftError } from './syncErrors.js'
import type { Check, Comparison } from './syncedPools.js'

/** Rounds between two comparisons of pools with cheap reads, in one request. */
const CHECK_EVERY = 8
/** Pools in one comparison: their calls fit into one multicall. */
const MAX_CHECKED = 400
/** Rounds until pools that differed at a later block than that of their states are compared again. */
const AGAIN_AFTER = 2

/** Chooses the pools to compare, in turn; those that drifted are told. */
export function planChecks(onDrift: (error: DriftError) => void) {
  let [checks, checkedAt] = [0, 0]
  let undecided = { ids: [] as readonly Address[], since: 0n, round: Number.NEGATIVE_INFINITY }
  /** Those of them that no log has changed since: they are compared again. */
  const unchanged = ({ cursor }: Market) => {
    const later = cursor.trail.filter(({ number }) => number > undecided.since)
    const changed = new Set(later.flatMap(({ touched }) => touched))
    return undecided.ids.filter((id) => !changed.has(id))
  }
  return {
    next: (market: Market, round: number, number: bigint): Check => {
      const isTurn = round - checkedAt >= CHECK_EVERY
      const again = !isTurn && round === undecided.round + AGAIN_AFTER ? unchanged(market) : []
      const isAgain = again.length > 0
      const { pools } = market.state
      const inTurn = Array.from({ length: Math.min(MAX_CHECKED, pools.length) }, (_, i) => {
        return pools[(checks * MAX_CHECKED + i) % pools.length]!.id
      })
      const onCompared = (found: Comparison) => {
        if (!isAgain) [checkedAt, checks] = [round, checks + 1]
        // Those of an earlier round come first.
        const isOpen = undecided.ids.length > 0 && round < undecided.round + AGAIN_AFTER
        if (!isOpen) undecided = { ids: found.undecided, since: number, round }
        for (const id of found.drifted) onDrift(new DriftError(id, number))
      }
      return { ids: isAgain ? again : inTurn, isDue: isTurn || isAgain, onCompared }
    },
  }
}

/** Rounds by which the audit of a pool that changed comes before that of one that did not. */
const CHANGED_FIRST = 600

/** Chooses the pools to audit, by the round of their last audit; those in the trail come sooner. */
export function planAudits(
  options: { readonly auditEvery?: number; readonly auditedPools?: number },
  isLimited: boolean,
) {
  const { auditEvery = isLimited ? 120 : 30, auditedPools = isLimited ? 1 : 4 } = options
  const audited = new Map<Address, number>()
  return {
    due: ({ state, cursor }: Market, round: number): readonly Address[] => {
      if (auditEvery === 0 || round % auditEvery !== 0) return []
      const changed = new Set(cursor.trail.flatMap(({ touched }) => touched))
      const dueAt = (id: Address) => (audited.get(id) ?? 0) - (changed.has(id) ? CHANGED_FIRST : 0)
      const sorted = state.pools.map(({ id }) => id).sort((a, b) => dueAt(a) - dueAt(b))
      const due = sorted.slice(0, auditedPools)
      for (const id of due) audited.set(id, round)
      return due
    },
  }
}

/** Rounds in which the venue of a pool is asked after a sign that its code changed. */
const ROUNDS_OF_SIGNS = 3

/** Keeps the pools for which there was a sign of late. */
export function planSigns() {
  const signs = new Map<Hex, number>()
  return {
    after: (named: readonly Hex[], round: number): ReadonlySet<Hex> => {
      for (const id of named) signs.set(id, round + ROUNDS_OF_SIGNS)
      for (const [id, until] of signs) if (until <= round) signs.delete(id)
      return new Set(signs.keys())
    },
  }
}
