// The limits on venues, pools and tokens of a route. Input: options of the command line, which have the names
// of the API's parameters. Output: the same limits for core and for an API, so that both quote the same route.

import { type Address, type Hex, NATIVE, type Options, type Snapshot } from '@braid-swap/core'
import { wrappedOf } from '@braid-swap/core/advanced'
import { calledContract } from '@braid-swap/core/families'
import { UsageError } from '../errors.js'
import type { OpenMarket } from './marketSource.js'
import { type ListedToken, resolveToken } from './tokens.js'

/** The options as typed. */
export type RouteListOptions = {
  readonly includeProtocols?: string
  readonly excludeProtocols?: string
  readonly maxHops?: string
  readonly excludePools?: string
  readonly onlyIntermediates?: string
  readonly intermediates?: string
}

/** The lists, pools and tokens in lower case, and the most hops of a path; absent if not given. */
export type RouteLists = {
  readonly includeProtocols?: readonly string[]
  readonly excludeProtocols?: readonly string[]
  readonly maxHops?: number
  readonly excludePools?: readonly Hex[]
  readonly onlyIntermediates?: readonly Address[]
}

const POOL = /^0x([0-9a-f]{40}|[0-9a-f]{64})$/
const ADDRESS = /^0x[0-9a-f]{40}$/

/** Reads the lists. Throws USAGE, UNKNOWN_TOKEN, AMBIGUOUS_TOKEN. */
export function readRouteLists(
  options: RouteListOptions,
  tokens: readonly ListedToken[],
): RouteLists {
  const { includeProtocols, excludeProtocols, excludePools, onlyIntermediates, maxHops } = options
  return {
    ...(includeProtocols !== undefined && { includeProtocols: includeProtocols.split(',') }),
    ...(excludeProtocols !== undefined && { excludeProtocols: excludeProtocols.split(',') }),
    ...(maxHops !== undefined && { maxHops: readHops(maxHops) }),
    ...(excludePools !== undefined && { excludePools: excludePools.split(',').map(readPool) }),
    ...(onlyIntermediates !== undefined && {
      onlyIntermediates: readTokens(onlyIntermediates, tokens),
    }),
  }
}

function readTokens(text: string, tokens: readonly ListedToken[]): readonly Address[] {
  return text.split(',').map((one) => {
    const lower = one.toLowerCase()
    return ADDRESS.test(lower) ? (lower as Address) : resolveToken(one, tokens).address
  })
}

/**
 * The lists as options of core, and the tokens that a route may pass: as an API does by its setting, those of the
 * token file and of `--intermediates`; all without a file, or for `all`. Throws as {@link readRouteLists}, and USAGE
 * for a pool or a venue that the market does not have.
 */
export function routeOptions(
  { snapshot, tokens }: Pick<OpenMarket, 'snapshot' | 'tokens'>,
  options: RouteListOptions,
): Options {
  const { pools, wrappedNative } = snapshot
  const lists = readRouteLists(options, tokens)
  const { excludePools = [], maxHops } = lists
  const onlyIntermediates = lists.onlyIntermediates ?? readIntermediates(options, tokens)
  const isOfVenue = resolveVenues(snapshot, lists)
  const named = excludePools.flatMap((wanted) => {
    const found = pools.filter((pool) => pool.id === wanted || calledContract(pool) === wanted)
    if (found.length > 0 && wanted !== wrappedNative) return found.map(({ id }) => id)
    throw new UsageError('--exclude-pools names no pool of this market', { got: wanted })
  })
  // A wrap is no pool of a venue that could be chosen.
  const others = pools.filter(({ id, venue }) => id !== wrappedNative && !isOfVenue(venue))
  const excluded = [...named, ...others.map(({ id }) => id)]
  const between = onlyIntermediates?.map((token) => wrappedOf(token, wrappedNative))
  return {
    ...(excluded.length > 0 && { excludedPools: new Set(excluded) }),
    ...(between && { onlyIntermediates: new Set(between) }),
    ...(maxHops !== undefined && { maxHops }),
  }
}

function readIntermediates(
  { intermediates }: RouteListOptions,
  tokens: readonly ListedToken[],
): readonly Address[] | undefined {
  const listed = tokens.flatMap(({ address, isListed }) => (isListed ? [address] : []))
  const hasList = listed.some((token) => token !== NATIVE)
  if (intermediates === 'all' || (intermediates === undefined && !hasList)) return undefined
  return [NATIVE, ...listed, ...(intermediates ? readTokens(intermediates, tokens) : [])]
}

/** A test of a venue against the lists. Throws USAGE for a venue that the market does not have. */
export function resolveVenues(
  { pools }: Snapshot,
  { includeProtocols, excludeProtocols }: Pick<RouteLists, 'includeProtocols' | 'excludeProtocols'>,
): (venue: string) => boolean {
  if (!includeProtocols && !excludeProtocols) return () => true
  const venues = new Set(pools.map(({ venue }) => venue))
  const unknown = [...(includeProtocols ?? []), ...(excludeProtocols ?? [])].filter(
    (venue) => !venues.has(venue),
  )
  if (unknown.length > 0) {
    throw new UsageError('the market has no such venue', {
      got: unknown.join(', '),
      wanted: [...venues].sort().join(', '),
    })
  }
  return (venue) =>
    (includeProtocols?.includes(venue) ?? true) && !excludeProtocols?.includes(venue)
}

function readHops(text: string): number {
  if (/^([1-9]|10)$/.test(text)) return Number(text)
  throw new UsageError('--max-hops is out of range', { got: text, wanted: '1 to 10' })
}

function readPool(text: string): Hex {
  const id = text.toLowerCase()
  if (POOL.test(id)) return id as Hex
  const wanted = 'addresses or 32-byte ids, comma-separated'
  throw new UsageError('--exclude-pools has something else than pools', { got: text, wanted })
}
