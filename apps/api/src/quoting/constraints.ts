import type { Hex, Options, Order, Snapshot } from '@braid-swap/core'
import { ApiError, type Issue, messageOf } from '../errors.js'
import { type Answer, priceImpactBps } from './quoting.js'

/** Constraints on a route in addition to the order. */
export type RouteConstraints = {
  readonly includeProtocols?: ReadonlySet<string> | undefined
  readonly excludeProtocols?: ReadonlySet<string> | undefined
  readonly maxHops?: bigint | undefined
  /** Parts per million. */
  readonly maxPriceImpact?: number | undefined
  readonly objective?: 'net' | 'gross' | undefined
}

/** The solver options for these constraints. Throws INVALID_ENUM for an unknown venue. */
export function optionsOf(snapshot: Snapshot, wishes: RouteConstraints): Options {
  const { includeProtocols, excludeProtocols, maxHops } = wishes
  const excluded = excludedPools(snapshot, { includeProtocols, excludeProtocols })
  return {
    objective: wishes.objective ?? 'net',
    ...(excluded.length > 0 && { excludedPools: new Set(excluded) }),
    ...(maxHops !== undefined && { maxHops: Number(maxHops) }),
  }
}

/** Most requests name no venue; then no pool is looked at. */
function excludedPools(
  snapshot: Snapshot,
  named: Pick<RouteConstraints, 'includeProtocols' | 'excludeProtocols'>,
): readonly Hex[] {
  const { includeProtocols, excludeProtocols } = named
  if (!includeProtocols && !excludeProtocols) return []
  refuseUnknown(snapshot, { includeProtocols, excludeProtocols })
  const isUsed = (venue: string) =>
    (includeProtocols?.has(venue) ?? true) && !excludeProtocols?.has(venue)
  return snapshot.pools.filter(({ venue }) => !isUsed(venue)).map(({ id }) => id)
}

function refuseUnknown(
  snapshot: Snapshot,
  asked: Readonly<Record<string, ReadonlySet<string> | undefined>>,
): void {
  const venues = new Set(snapshot.pools.map(({ venue }) => venue))
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
  answer: Answer,
  order: Order,
  { maxPriceImpact }: RouteConstraints,
): void {
  if (maxPriceImpact === undefined) return
  const impactBps = priceImpactBps(answer, order)
  const limitBps = maxPriceImpact / 100
  if (impactBps !== null && impactBps <= limitBps) return
  const message =
    impactBps === null
      ? 'the price impact is unknown'
      : `the price impact is ${impactBps / 100} %; the limit is ${limitBps / 100} %`
  throw new ApiError('PRICE_IMPACT_TOO_HIGH', message, {
    details: {
      priceImpactBps: impactBps === null ? 'unknown' : `${impactBps}`,
      limitBps: `${limitBps}`,
    },
  })
}
