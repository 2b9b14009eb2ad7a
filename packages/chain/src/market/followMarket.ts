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
import { DriftError } from './syncErrors.js'
import type { Comparison } from './syncedPools.js'
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
  const { client, venues, guard, onSnapshot, onError, onAudit } = options
  const { signal, counterparty } = options
  const isLimited = hasRateLimit(client)
  const { auditEvery = isLimited ? 120 : 30, auditedPools = isLimited ? 1 : 4 } = options
  let market = options.start
  let past: readonly Market[] = []
  let done: string | undefined
  let [rounds, checks, checkedAt] = [0, 0, 0]
  let undecided: Undecided | undefined
  const audited = new Map<Address, number>()
  const tests = planTests(isLimited)
  const signs = new Map<Hex, number>()
  const take = (next: Market) => {
    if (next === market || signal?.aborted) return
    const onTrail = new Set(next.trail.map(({ hash }) => hash))
    past = [...past, market].filter(({ snapshot }) => onTrail.has(snapshot.block.hash))
    market = next
    onSnapshot(market)
  }
  const retest = (of: Market, tokens: readonly Address[], { header }: Head) =>
    tokens.length === 0 ? of : retestTokens(client, of, { tokens, header, counterparty })
  const watch = watchHeads(client, {
    ...options,
    isDone: ({ header }) => header.hash === done,
  })
  for await (const head of watch) {
    try {
      const found = options.newPools?.() ?? []
      market = withPools(market, found)
      past = past.map((earlier) => withPools(earlier, found))
      const isDue = rounds - checkedAt >= CHECK_EVERY
      const again = isDue ? undefined : unchanged(market, undecided, rounds)
      const check = { ids: again ?? checkedIn(market, checks), isDue: isDue || again !== undefined }
      const onChecked = (found: Comparison) => {
        if (!again) [checkedAt, checks] = [rounds, checks + 1]
        const { number } = head.header
        // Those of an earlier round come first.
        const isOpen = undecided?.ids.length && rounds < undecided.round + AGAIN_AFTER
        if (!isOpen) undecided = { ids: found.undecided, since: number, round: rounds }
        for (const id of found.drifted) onError(new DriftError(id, number))
      }
      const { trials, traded } = market
      const plan = { head, venues, past, guard, check, onChecked }
      const followed = await advanceMarket(client, market, plan)
      // An earlier market, or one loaded afresh, does not know what the venues have earned since.
      const kept = { ...(trials && { trials }), ...(traded && { traded }) }
      const advanced = followed.trials === trials ? followed : { ...followed, ...kept }
      // What a log names is tested before anybody quotes from this block.
      const sound = await retest(advanced, advanced.toTest ?? [], head)
      take(sound)
      done = head.header.hash
      rounds += 1
      const doubted = options.doubted?.() ?? []
      const due = [...tests.due(market, rounds), ...tokensOf(market, doubted)]
      const tested = await retest(market, [...new Set(due)], head)
      take(tested)
      // Earlier markets contain the pools that were set aside.
      if (sound !== advanced || tested !== sound) past = []
      if (asksTraded(market, rounds, isLimited)) {
        market = await findTraded(client, market, { venues, header: head.header })
      }
      if (options.trials) {
        for (const id of [...(advanced.toTry ?? []), ...doubted]) {
          signs.set(id, rounds + ROUNDS_OF_SIGNS)
        }
        for (const [id, until] of signs) if (until <= rounds) signs.delete(id)
        const place = { venues, guard, isLimited, round: rounds, header: head.header }
        const named = { ...options.trials, ...place, signs: new Set(signs.keys()) }
        take(await tryDue(client, market, named))
      }
      if (auditEvery === 0 || rounds % auditEvery !== 0 || market.pools.length === 0) continue
      const ids = dueForAudit(market, audited).slice(0, auditedPools)
      for (const id of ids) audited.set(id, rounds)
      const audit = await auditPools(client, market, { ids, venues, guard })
      take(audit.market)
      onAudit?.(audit)
      // Earlier markets contain the same wrong state.
      if (audit.drifts.length > 0) past = []
      for (const drift of audit.drifts) onError(drift)
    } catch (error) {
      onError(error)
    }
  }
}

/** The tokens of pools that can be tested. */
function tokensOf(market: Market, ids: readonly Hex[]): readonly Address[] {
  const own = market.snapshot.pools.filter(({ id }) => ids.includes(id))
  const tokens = new Set(own.flatMap((pool) => pool.tokens))
  return tokensIn(market).filter((token) => tokens.has(token))
}

/** Rounds in which the venue of a pool is asked after a sign that its code changed. */
const ROUNDS_OF_SIGNS = 3

function withPools(market: Market, refs: readonly PoolRef[]): Market {
  const known = new Set(market.pools.map(({ id }) => id))
  const added = refs.filter(({ id }) => !known.has(id))
  return added.length === 0 ? market : { ...market, pools: [...market.pools, ...added] }
}

/** Rounds between two comparisons of pools with cheap reads, in one request. */
const CHECK_EVERY = 8
/** Pools in one comparison: their calls fit into one multicall. */
const MAX_CHECKED = 400

/** The pools of a comparison, round robin. */
function checkedIn({ pools }: Market, turn: number): readonly Address[] {
  const first = turn * MAX_CHECKED
  const count = Math.min(MAX_CHECKED, pools.length)
  return Array.from({ length: count }, (_, i) => pools[(first + i) % pools.length]!.id)
}

/** Rounds until they are compared again. */
const AGAIN_AFTER = 2

/** Pools that differed from the chain at a later block than that of their states. */
type Undecided = {
  readonly ids: readonly Address[]
  readonly since: bigint
  readonly round: number
}

/** Those of them that no log has changed a round later: they are compared again. */
function unchanged(
  { trail }: Market,
  undecided: Undecided | undefined,
  round: number,
): readonly Address[] | undefined {
  if (round !== (undecided?.round ?? round) + AGAIN_AFTER) return undefined
  const { ids, since } = undecided!
  const changed = new Set(trail.flatMap(({ number, touched }) => (number > since ? touched : [])))
  const rest = ids.filter((id) => !changed.has(id))
  return rest.length === 0 ? undefined : rest
}

/** Rounds by which the audit of a pool that changed comes before that of one that did not. */
const CHANGED_FIRST = 600

/** The pools by the round of their last audit; those in the trail come sooner. */
function dueForAudit(
  { pools, trail }: Market,
  audited: ReadonlyMap<Address, number>,
): readonly Address[] {
  const changed = new Set(trail.flatMap(({ touched }) => touched))
  const dueAt = (id: Address) => (audited.get(id) ?? 0) - (changed.has(id) ? CHANGED_FIRST : 0)
  return pools.map(({ id }) => id).sort((a, b) => dueAt(a) - dueAt(b))
}
