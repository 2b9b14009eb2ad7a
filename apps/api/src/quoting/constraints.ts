import type { Ledger } from '@braid-swap/chain'
import type { KnownExecutor } from '@braid-swap/contracts'
import {
  type Address,
  type Hex,
  type Options,
  type Order,
  priceImpactBps,
  type Snapshot,
} from '@braid-swap/core'
import { judge, wrappedOf } from '@braid-swap/core/advanced'
import { calledContract } from '@braid-swap/core/families'
import type { AppConfig } from '../config/appConfig.js'
import { ApiError, type Issue, messageOf, refusal } from '../errors.js'
import type { RouterCode } from '../node/deployment.js'
import type { Warning } from '../wire/responses.js'
import { type GasWishes, gasPriceOf } from './gasPrice.js'
import type { QuoteAnswer } from './quoting.js'

/** Constraints on a route in addition to the order. */
export type RouteConstraints = {
  readonly includeProtocols?: ReadonlySet<string> | undefined
  readonly excludeProtocols?: ReadonlySet<string> | undefined
  /** Ids of pools, or contracts whose pools are all meant; lower case. */
  readonly excludePools?: ReadonlySet<Hex> | undefined
  readonly onlyIntermediates?: ReadonlySet<Address> | undefined
  readonly maxHops?: bigint | undefined
  /** Parts per million. */
  readonly maxPriceImpact?: number | undefined
  readonly objective?: 'net' | 'gross' | undefined
} & GasWishes

/**
 * The solver options for these constraints, without the suspended pools and those that no deployed executor
 * performs. A caller that names no intermediates gets the operator's.
 * Throws INVALID_ENUM for an unknown venue, and INVALID_ADDRESS if the wrapped native token is excluded
 * as a pool.
 */
export function optionsOf(
  snapshot: Snapshot,
  wishes: RouteConstraints,
  {
    intermediates,
    ledger,
    routerCode,
    config,
  }: {
    /** The tokens that a route may pass unless its caller names others; all if absent. */
    readonly intermediates: () => ReadonlySet<Address> | undefined
    readonly ledger: Ledger
    readonly routerCode: RouterCode
    readonly config: Pick<AppConfig, 'venues'>
  },
): Options {
  const { includeProtocols, excludeProtocols, excludePools, maxHops } = wishes
  const onlyIntermediates = wishes.onlyIntermediates ?? intermediates()
  const excluded = [
    ...poolsOfVenues(snapshot, { includeProtocols, excludeProtocols }, config),
    ...namedPools(snapshot, excludePools),
    ...ledger.pools(snapshot),
    ...poolsBeyond(snapshot, routerCode.executors()),
  ]
  const wrapped = (token: Address) => wrappedOf(token, snapshot.wrappedNative)
  return {
    objective: wishes.objective ?? 'net',
    gasPrice: gasPriceOf(snapshot.block, wishes),
    ...(excluded.length > 0 && { excludedPools: new Set(excluded) }),
    ...(onlyIntermediates && { onlyIntermediates: new Set([...onlyIntermediates].map(wrapped)) }),
    ...(maxHops !== undefined && { maxHops: Number(maxHops) }),
  }
}

/**
 * The pools that the newest of these executors, which knows all families of the others, does not know: a route
 * through one could be quoted, but not sent until a newer executor is deployed. None without executors.
 */
function poolsBeyond({ pools }: Snapshot, [newest]: readonly KnownExecutor[]): readonly Hex[] {
  if (!newest) return []
  // The router itself wraps and unwraps.
  const known = new Set([...newest.families, 'wrap'])
  return pools.filter(({ family }) => !known.has(family)).map(({ id }) => id)
}

/** The pools that a list names by their id or by the contract that keeps them. */
function namedPools(snapshot: Snapshot, named: ReadonlySet<Hex> | undefined): readonly Hex[] {
  if (!named) return []
  if (named.has(snapshot.wrappedNative)) {
    throw refusal({
      ...{ path: 'excludePools', code: 'INVALID_ADDRESS' },
      message: 'must not be the wrapped native token: wrapping is not a pool',
      ...{ received: snapshot.wrappedNative, expected: 'pools' },
    })
  }
  return snapshot.pools
    .filter((pool) => named.has(pool.id) || named.has(calledContract(pool)))
    .map(({ id }) => id)
}

/**
 * Warnings for members of lists that the market does not have. A pool can leave the market between two
 * requests, so they are no errors; but a typing error must not pass in silence either.
 */
export function constraintWarnings(
  snapshot: Snapshot,
  { includeProtocols, excludePools, onlyIntermediates }: RouteConstraints,
): readonly Warning[] {
  const warnings: Warning[] = []
  const warn = (code: string, name: string, unknown: readonly string[]) => {
    if (unknown.length === 0) return
    const message = `${name} names ${unknown.length} that the market does not have: ${unknown.slice(0, 3).join(', ')}`
    warnings.push({ code, message })
  }
  if (includeProtocols) {
    const venues = new Set(snapshot.pools.map(({ venue }) => venue))
    const unknown = [...includeProtocols].filter((id) => !venues.has(id))
    warn('VENUES_WITHOUT_POOLS', 'includeProtocols', unknown)
  }
  if (excludePools) {
    const pools = new Set(snapshot.pools.flatMap((pool) => [pool.id, calledContract(pool)]))
    warn(
      'POOLS_UNKNOWN',
      'excludePools',
      [...excludePools].filter((id) => !pools.has(id)),
    )
  }
  if (onlyIntermediates) {
    const tokens = new Set(snapshot.tokens.map(({ address }) => address))
    const unknown = [...onlyIntermediates].filter((token) => !tokens.has(token))
    warn('TOKENS_UNKNOWN', 'onlyIntermediates', unknown)
  }
  return warnings
}

/** Most requests name no venue; then no pool is looked at. */
function poolsOfVenues(
  snapshot: Snapshot,
  named: Pick<RouteConstraints, 'includeProtocols' | 'excludeProtocols'>,
  { venues }: Pick<AppConfig, 'venues'>,
): readonly Hex[] {
  const { includeProtocols, excludeProtocols } = named
  if (!includeProtocols && !excludeProtocols) return []
  // A venue may have no pool now, or be on trial: a caller need not follow that.
  const known = new Set([
    ...venues.map(({ id }) => id),
    ...snapshot.pools.map(({ venue }) => venue),
  ])
  refuseUnknown(known, { includeProtocols, excludeProtocols })
  const isUsed = (venue: string) =>
    (includeProtocols?.has(venue) ?? true) && !excludeProtocols?.has(venue)
  return snapshot.pools.filter(({ venue }) => !isUsed(venue)).map(({ id }) => id)
}

function refuseUnknown(
  venues: ReadonlySet<string>,
  asked: Readonly<Record<string, ReadonlySet<string> | undefined>>,
): void {
  const code = 'INVALID_ENUM'
  const issues = Object.entries(asked).flatMap(([path, names]): Issue[] => {
    const unknown = [...(names ?? [])].filter((name) => !venues.has(name))
    if (unknown.length === 0) return []
    const received = unknown.join(',').slice(0, 100)
    const message = 'must be venue ids of the market'
    return [{ in: 'query', path, code, message, received, expected: 'ids from liquidity-sources' }]
  })
  if (issues.length === 0) return
  throw new ApiError(code, messageOf(issues), { issues })
}

/** Throws PRICE_IMPACT_TOO_HIGH for an answer whose impact is unknown or exceeds the limit. */
export function requireImpact(
  answer: QuoteAnswer,
  order: Order,
  { maxPriceImpact }: RouteConstraints,
): void {
  if (maxPriceImpact === undefined) return
  const quote = { amountOut: answer.amountOut, impactBps: priceImpactBps(answer, order) }
  const own = { maxPriceImpactBps: maxPriceImpact / 100 }
  const refused = judge(order, quote, {}, own).find(({ level }) => level === 'refuse')
  if (!refused) return
  const { measure, limit, message } = refused
  throw new ApiError('PRICE_IMPACT_TOO_HIGH', message, {
    details: { priceImpactBps: `${measure ?? 'unknown'}`, limitBps: `${limit}` },
  })
}
