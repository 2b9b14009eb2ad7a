// The follow loop: refreshes a market at every new head, adds new pools, audits a few pools in turn
// and watches whether the endpoints agree.

import type { Address, Hex } from '@braid-swap/core'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import { type Disagreement, watchAgreement } from '../reads/compareEndpoints.js'
import { type Head, type HeadsOptions, watchHeads } from '../reads/watchHeads.js'
import { type Client, hasRateLimit } from '../transport/client.js'
import type { Terms } from '../trust/measure.js'
import type { PriceGuard } from '../trust/priceGuard.js'
import { planTests } from '../trust/tokenTestPlan.js'
import { checkVenues } from '../venues/checkVenues.js'
import { advanceMarket } from './advanceMarket.js'
import { type Audit, auditPools } from './auditPools.js'
import type { Market } from './market.js'
import { retestTokens } from './retestTokens.js'
import { planAudits, planChecks, planSigns } from './rounds.js'
import { tokensIn } from './tradablePools.js'
import { asksTraded, findTraded } from './tradedPools.js'
import { tryDue } from './tryDue.js'

/** The options of {@link followMarket}. */
export type FollowOptions = Pick<HeadsOptions, 'pollMs' | 'signal'> & {
  readonly client: Client
  /** Venues whose new pools join the market. */
  readonly venues: readonly Venue[]
  /** As in `loadSnapshot`. */
  readonly guard?: PriceGuard | undefined
  /** The market to start from, as returned by `loadSnapshot`. */
  readonly start: Market
  /** Returns the pools found since its last call; they join the market with the next head. */
  readonly newPools?: () => readonly PoolRef[]
  /** Receives each new market, in order; never a partial one. */
  readonly onSnapshot: (market: Market) => void
  /**
   * Rounds between two audits. An audit reads pools as a load does, those that changed of late sooner,
   * and compares them with the state derived from their logs. On a difference the chain's state is
   * taken and `onError` receives a DriftError. Default 30, or 120 with a rate limit; 0: never.
   */
  readonly auditEvery?: number
  /**
   * Pools per audit; default 4, or 1 with a rate limit, because a pool with ticks needs many reads.
   */
  readonly auditedPools?: number
  /**
   * The account that token tests send to and take from beside the pools: the executor, which a token may
   * refuse. By default an address that nobody uses.
   */
  readonly counterparty?: Address | undefined
  /**
   * Asks venues on trial what they pay, with one request a round while some are new. The start's `trials` say which
   * are, and `servedSnapshot` leaves out those that have not earned their place. Absent: none is asked.
   */
  readonly trials?: Terms | undefined
  /** Returns the pools that a swap failed at since its last call: their venues are asked at once. */
  readonly doubted?: (() => readonly Hex[]) | undefined
  /** Receives the result of each audit. */
  readonly onAudit?: (audit: Pick<Audit, 'compared' | 'drifts'>) => void
  /**
   * The client's endpoints have different blocks at one height or, with undefined, agree again. In
   * between, a quote belongs to only one of the forks.
   */
  readonly onDisagreement?: (disagreement: Disagreement | undefined) => void
  /** Receives the error of a failed round: the market is unchanged, and the next round retries. */
  readonly onError: (error: unknown) => void
}

/** Keeps a market at the chain's head until the signal aborts. Throws a BadVenuesError. */
export async function followMarket(given: FollowOptions): Promise<void> {
  const options = { ...given, venues: checkVenues(given.venues) }
  const { client, signal, onDisagreement } = options
  const watched =
    onDisagreement &&
    watchAgreement(client, { onChange: onDisagreement, ...(signal && { signal }) })
  await Promise.all([followHeads(options), watched])
}

async function followHeads(options: FollowOptions): Promise<void> {
  const { client, venues, guard, onError, trials: terms } = options
  const { signal, counterparty, newPools = () => [], doubted = () => [] } = options
  const isLimited = hasRateLimit(client)
  let market = options.start
  let past: readonly Market[] = []
  let done: string | undefined
  let round = 0
  const [checks, tests, signs] = [planChecks(onError), planTests(isLimited), planSigns()]
  const audits = planAudits(options, isLimited)
  const take = (next: Market) => {
    if (next === market || signal?.aborted) return
    const onTrail = new Set(next.cursor.trail.map(({ hash }) => hash))
    past = [...past, market].filter(({ state }) => onTrail.has(state.snapshot.block.hash))
    market = next
    options.onSnapshot(market)
  }
  const isDone = ({ header }: Head) => header.hash === done
  for await (const head of watchHeads(client, { ...options, isDone })) {
    const { header } = head
    const retest = (of: Market, tokens: readonly Address[]) =>
      tokens.length === 0 ? of : retestTokens(client, of, { tokens, header, counterparty })
    try {
      const found = newPools()
      market = withPools(market, found)
      past = past.map((earlier) => withPools(earlier, found))
      const check = checks.next(market, round, header.number)
      const advanced = await advanceMarket(client, market, { head, venues, past, guard, check })
      // What a log names is tested before anybody quotes from this block.
      const named = tests.named(advanced.trust.toTest ?? [], terms?.trusted)
      const sound = await retest(advanced, named)
      take(sound)
      done = header.hash
      round += 1
      const suspects = doubted()
      const due = [
        ...tests.due(tokensIn(market), round, returningTo(market)),
        ...tokensOf(market, suspects),
      ].filter((token) => !named.includes(token))
      const tested = await retest(market, [...new Set(due)])
      take(tested)
      // Earlier markets contain the pools that were set aside.
      if (sound.state !== advanced.state || tested.state !== sound.state) past = []
      if (asksTraded(market.state, round, isLimited)) {
        market = await findTraded(client, market, { venues, header })
      }
      if (terms) {
        const signed = signs.after([...(advanced.trust.toTry ?? []), ...suspects], round)
        const place = { venues, guard, isLimited, round, header }
        take(await tryDue(client, market, { ...terms, ...place, signs: signed }))
      }
      const ids = audits.due(market, round)
      if (ids.length === 0) continue
      const audit = await auditPools(client, market, { ids, venues, guard })
      take(audit.market)
      options.onAudit?.(audit)
      // Earlier markets contain the same wrong state.
      if (audit.drifts.length > 0) past = []
      for (const drift of audit.drifts) onError(drift)
    } catch (error) {
      onError(error)
    }
  }
}

/** Tokens that passed their last test, and not yet often enough. */
function returningTo({ trust }: Market): ReadonlySet<Address> {
  return new Set(trust.flawed.flatMap(({ address, passedAt }) => (passedAt ? address : [])))
}

/** The tokens of pools that can be tested. */
function tokensOf(market: Market, ids: readonly Hex[]): readonly Address[] {
  const own = market.state.snapshot.pools.filter(({ id }) => ids.includes(id))
  const tokens = new Set(own.flatMap((pool) => pool.tokens))
  return tokensIn(market).filter((token) => tokens.has(token))
}

function withPools(market: Market, refs: readonly PoolRef[]): Market {
  const { pools } = market.state
  const known = new Set(pools.map(({ id }) => id))
  const added = refs.filter(({ id }) => !known.has(id))
  if (added.length === 0) return market
  return { ...market, state: { ...market.state, pools: [...pools, ...added] } }
}
