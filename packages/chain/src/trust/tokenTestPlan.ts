import type { Address } from '@braid-swap/core'
import { TOKENS_AT_ONCE } from './transferTests.js'

/**
 * Rounds between two batches of tests. Each takes two requests, where a round takes about 2.3. They are prime, so that
 * tests meet blocks of every kind that a token may tell apart by their number.
 */
const EVERY = 19
const EVERY_IF_LIMITED = 61
/** The same while tokens wait that were never tested here. */
const EVERY_IF_NEW = 1
const EVERY_IF_NEW_AND_LIMITED = 4

/** Chooses the tokens to test in a round. */
export type TestPlan = {
  /** Tokens that pass again after they failed are tested as soon as new ones, in up to half of a batch. */
  readonly due: (
    tokens: readonly Address[],
    round: number,
    returning?: ReadonlySet<Address>,
  ) => readonly Address[]
  /**
   * Those to test before anybody quotes, of the tokens that logs name: all that are trusted, and a batch of others, with
   * a rate limit one, because anybody makes thousands that speak in every block. The rest wait for the next rounds.
   */
  readonly named: (
    tokens: readonly Address[],
    trusted?: ReadonlySet<Address> | undefined,
  ) => readonly Address[]
}

/**
 * Plans the tests of a followed market, besides those that logs cause: first the tokens that were not tested yet, a
 * batch a round, and then all in turn. A batch is two requests in 19 rounds, 5 % of the requests of a round; with a
 * rate limit in 61 rounds, 1.4 %.
 */
export function planTests(isLimited: boolean): TestPlan {
  const testedAt = new Map<Address, number>()
  const waiting = new Set<Address>()
  const everyNew = isLimited ? EVERY_IF_NEW_AND_LIMITED : EVERY_IF_NEW
  const every = isLimited ? EVERY_IF_LIMITED : EVERY
  return {
    named: (tokens, trusted) => {
      for (const token of tokens) waiting.add(token)
      const most = isLimited ? 1 : TOKENS_AT_ONCE
      const others = [...waiting].filter((token) => !trusted?.has(token)).slice(0, most)
      const named = [...[...waiting].filter((token) => trusted?.has(token)), ...others]
      for (const token of named) waiting.delete(token)
      return named
    },
    due: (tokens, round, returning) => {
      const first = tokens.filter((token) => returning?.has(token)).slice(0, TOKENS_AT_ONCE / 2)
      const isSoon = first.length > 0 || tokens.some((token) => !testedAt.has(token))
      if (round % (isSoon ? everyNew : every) !== 0) return []
      const lastOf = (token: Address) => testedAt.get(token) ?? -1
      const inTurn = tokens.toSorted((a, b) => lastOf(a) - lastOf(b))
      const due = [...new Set([...first, ...inTurn])].slice(0, TOKENS_AT_ONCE)
      for (const token of testedAt.keys()) if (!tokens.includes(token)) testedAt.delete(token)
      for (const token of due) testedAt.set(token, round)
      return due
    },
  }
}
