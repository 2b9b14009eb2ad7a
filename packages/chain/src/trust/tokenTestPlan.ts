import type { Address } from '@braid-swap/core'
import type { Market } from '../market/market.js'
import { tokensIn } from '../market/tradablePools.js'
import { TOKENS_AT_ONCE } from './transferTests.js'

/** Rounds between two batches of tests. Each takes two requests, where a round takes about 2.3. */
const EVERY = 20
const EVERY_IF_LIMITED = 60
/** The same while tokens wait that were never tested here. */
const EVERY_IF_NEW = 1
const EVERY_IF_NEW_AND_LIMITED = 4

/** Chooses the tokens to test in a round. */
export type TestPlan = {
  readonly due: (market: Market, round: number) => readonly Address[]
}

/**
 * Plans the tests of a followed market, besides those that logs cause: first the tokens that were not tested yet, a
 * batch a round, and then all in turn. A batch is two requests in 20 rounds, 4 % of the requests of a round; with a
 * rate limit in 60 rounds, 1.4 %.
 */
export function planTests(isLimited: boolean): TestPlan {
  const testedAt = new Map<Address, number>()
  const everyNew = isLimited ? EVERY_IF_NEW_AND_LIMITED : EVERY_IF_NEW
  const every = isLimited ? EVERY_IF_LIMITED : EVERY
  return {
    due: (market, round) => {
      const tokens = tokensIn(market)
      const isNew = tokens.some((token) => !testedAt.has(token))
      if (round % (isNew ? everyNew : every) !== 0) return []
      const lastOf = (token: Address) => testedAt.get(token) ?? -1
      const due = tokens.sort((a, b) => lastOf(a) - lastOf(b)).slice(0, TOKENS_AT_ONCE)
      for (const token of testedAt.keys()) if (!tokens.includes(token)) testedAt.delete(token)
      for (const token of due) testedAt.set(token, round)
      return due
    },
  }
}
