// Checks that the pools of venues can be read, behave as their family does, and pay what core computes for
// them, for `braid doctor`: the venue data is from public registries, and only the chain can confirm it.

import type { Address, Pool } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import { examinePool } from '../loaders/loaders.js'
import { loadSnapshot, NoWrappedNativeError } from '../market/loadMarket.js'
import type { Market } from '../market/market.js'
import type { Finding } from '../pools/check.js'
import type { PoolRef } from '../pools/loader.js'
import type { SetAside } from '../pools/setAside.js'
import type { Venue } from '../pools/venue.js'
import { readHeader } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import { quoting } from '../trust/askDirectly.js'
import { describeRefused, readWorths, type VenueShare, venueShares } from '../trust/venueShares.js'
import { judgesOf } from '../venues/judges.js'
import { findVenuePools, type VenuePools } from './findVenuePools.js'
import { canBeProbed, type ProbedSwap, probePools } from './probePools.js'

/** Pools of a venue that are read, of those found. */
const SAMPLE = 8
/** Of these, pools that are asked what they pay. */
const PROBED = 3
/** The check that holds outputs of pools against core's. */
export const PAYS = 'pays what we quote'
const READ = 'pools read'

/**
 * Finds some pools of each venue, reads them all at one block and asks them what they pay. Returns the findings by
 * venue, and tells of each venue and each step that is done. Throws as the node does.
 */
export async function examineVenues(
  client: Client,
  venues: readonly Venue[],
  {
    wrappedNative,
    hubs = [],
    onStep = () => {},
  }: {
    /** Lower case. */
    readonly wrappedNative: Address
    /** Tokens that venues are asked for pools of. */
    readonly hubs?: readonly Address[]
    readonly onStep?: (done: number, all: number) => void
  },
): Promise<readonly Finding[]> {
  const found: VenuePools[] = []
  const refs: PoolRef[] = []
  for (const [i, venue] of venues.entries()) {
    const one = await findVenuePools(client, venue, { known: refs, hubs })
    found.push(one)
    refs.push(...one.refs.slice(0, SAMPLE))
    onStep(i + 1, venues.length + 1)
  }
  const examined = await examineRefs(client, refs, wrappedNative)
  onStep(venues.length + 1, venues.length + 1)
  return venues.flatMap((venue, i) => [
    ...[...found[i]!.findings, ...examined(venue), ...doubtOf(venue)],
  ])
}

/** Says of a venue that nothing but a contract of ours confirms its formula. */
function doubtOf(venue: Venue): readonly Finding[] {
  const judges = judgesOf(venue)
  if (judges.some(({ kind }) => kind !== 'double')) return []
  const found = `only a double of ours: ${judges.map(({ source }) => source).join('; ')}`
  return [{ subject: venue.id, check: 'judge', assumed: 'deployed code', found }]
}

/** The findings of a venue about its pools. */
type Examined = (venue: Venue) => readonly Finding[]

async function examineRefs(
  client: Client,
  refs: readonly PoolRef[],
  wrappedNative: Address,
): Promise<Examined> {
  const load = (pools: readonly PoolRef[]) => loadSnapshot(client, { pools, wrappedNative })
  const refsOf = ({ id }: Venue) => refs.filter(({ venue }) => venue === id)
  if (refs.length === 0) return () => []
  try {
    const market = await load(refs)
    const ids = [...new Set(refs.map(({ venue }) => venue))].map((id) => ({ id }))
    const worths = await readWorths(client, market.state)
    const shares = venueShares(market.state, { venues: ids, served: market.state.snapshot, worths })
    const chosen = chooseProbed(market)
    const own = await Promise.all(chosen.map((ref) => examinePool(client, ref)))
    const judged = await judge(client, market, { chosen, load })
    return (venue) => {
      const sample = refsOf(venue)
      if (sample.length === 0) return []
      const isOwn = ({ subject }: Finding) => subject === venue.id
      const findings = merge(own.flat().filter(isOwn))
      return [
        readFinding(shares.find((one) => one.venue === venue.id)!, market.state.setAside),
        ...[...findings, verdict(venue, judged)],
      ]
    }
  } catch (error) {
    if (!(error instanceof NoWrappedNativeError)) throw error
    const finding = { check: READ, assumed: 'all', found: error.message, holds: false }
    return (venue) => (refsOf(venue).length > 0 ? [{ subject: venue.id, ...finding }] : [])
  }
}

/** The first pools of each venue that can trade; the first of all where none can. */
function chooseProbed({ state: { snapshot, pools } }: Market): readonly PoolRef[] {
  const tradable = new Set(snapshot.pools.map(({ id }) => id))
  return [...new Set(pools.map(({ venue }) => venue))].flatMap((id) => {
    const own = pools.filter(({ venue }) => venue === id)
    const able = own.filter((ref) => tradable.has(ref.id))
    return (able.length > 0 ? able : own).slice(0, PROBED)
  })
}

/** Reasons that say nothing about the venue: the pool is empty, or a token is broken. */
const isPlain = ({ code }: SetAside) =>
  ['POOL_NOT_INITIALISED', 'POOL_EMPTY'].includes(code) || code.startsWith('TOKEN_')

/** The share of the venue's pools that are served, of those that were read, with the reasons of the others. */
function readFinding(share: VenueShare, all: readonly SetAside[]): Finding {
  const { venue, heldPercent, refused, isRefused } = share
  const telling = all.filter((one) => one.venue === venue && !isPlain(one))
  const held =
    heldPercent === null || heldPercent === 100 ? '' : `, ${heldPercent} % of what they hold`
  const messages = telling.map(({ code, message }) => `${code}: ${message}`)
  const reasons = [describeRefused(refused), ...new Set(messages)].filter((text) => text !== '')
  return {
    ...{ subject: venue, check: READ, assumed: 'all' },
    found: [`${share.served} of ${share.pools}${held}`, ...reasons].join('; '),
    holds: telling.length === 0 && !isRefused,
  }
}

/** Removes duplicate findings, so that a check on which all pools agree is one row. */
function merge(findings: readonly Finding[]): readonly Finding[] {
  const distinct = new Map(findings.map((finding) => [JSON.stringify(finding), finding]))
  return [...distinct.values()].sort((a, b) => (a.check < b.check ? -1 : 1))
}

/** A pool and its swaps; absent swaps: it did not stand still while it was asked. */
type Judged = { readonly pool: Pool; readonly swaps?: readonly ProbedSwap[] }

/** How often pools that traded while they were asked are asked again. */
const TRIES = 4

/**
 * Asks pools what they pay. A node may answer from a later block than that of the state, so a difference counts only
 * at the state's own block, or if the state is still the same when it is read again.
 */
async function judge(
  client: Client,
  market: Market,
  of: {
    readonly chosen: readonly PoolRef[]
    readonly load: (pools: readonly PoolRef[]) => Promise<Market>
  },
): Promise<readonly Judged[]> {
  const judged: Judged[] = []
  let [open, { snapshot }, unsure] = [of.chosen, market.state, [] as readonly Judged[]]
  for (let tries = 0; open.length > 0; tries++) {
    const now = new Map(snapshot.pools.map((pool) => [pool.id, pool]))
    const stood = unsure.filter(({ pool }) => isSameState(pool, now.get(pool.id)))
    judged.push(...stood)
    const rest = open.filter(({ id }) => !stood.some(({ pool }) => pool.id === id))
    const pools = rest.flatMap(({ id }) => now.get(id) ?? [])
    if (tries === TRIES) return [...judged, ...pools.map((pool) => ({ pool }))]
    const header = await readHeader(client, snapshot.block.number)
    const swaps = await probePools(client, pools, { header, lenders: market.state.snapshot.pools })
    const asked = pools.map((pool) => ({ pool, swaps: swaps.filter((one) => isOf(one, pool)) }))
    unsure = asked.filter((one) => one.swaps.some((swap) => !isEqual(swap) && !isAt(swap, header)))
    judged.push(...asked.filter((one) => !unsure.includes(one)))
    open = rest.filter(({ id }) => unsure.some(({ pool }) => pool.id === id))
    if (open.length > 0) ({ snapshot } = (await of.load(open)).state)
  }
  return judged
}

const isOf = ({ pool }: ProbedSwap, { id }: Pool) => pool.id === id
const isAt = ({ seen }: ProbedSwap, { number }: { readonly number: bigint }) =>
  seen.number === number

/** To the wei; some pairs quote one wei more and then refuse to pay it. */
const isEqual = ({ pool, paid, quoted }: ProbedSwap) =>
  paid === quoted || (quoting.has(pool.family) && paid === quoted + 1n)

function isSameState(before: Pool, after: Pool | undefined): boolean {
  const timeless = (pool: Pool) => stringify({ ...pool, quotedAt: undefined })
  return after !== undefined && timeless(before) === timeless(after)
}

function verdict({ id }: Venue, all: readonly Judged[]): Finding {
  const judged = all.filter(({ pool }) => pool.venue === id)
  const finding = { subject: id, check: PAYS, assumed: 'to the wei' }
  const swaps = judged.flatMap((one) => one.swaps ?? [])
  const equal = swaps.filter(isEqual).length
  if (swaps.length === 0) return { ...finding, found: reasonOf(judged) }
  return { ...finding, found: `${equal} of ${swaps.length} swaps`, holds: equal === swaps.length }
}

function reasonOf(judged: readonly Judged[]): string {
  if (judged.length === 0) return 'undecided: no pool that can trade'
  if (judged.some(({ swaps }) => !swaps)) return 'undecided: no pool stood still while it was asked'
  const asked = judged.filter(({ pool }) => canBeProbed(pool))
  if (asked.length === 0) return 'these pools cannot be probed'
  if (asked.some(({ pool }) => pool.family === 'uniswapV2')) {
    return 'undecided: no other known pool lends what these pools take'
  }
  return 'undecided: the node refused the calls'
}
