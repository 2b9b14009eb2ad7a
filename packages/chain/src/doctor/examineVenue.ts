// Checks that the pools of a venue can be read, behave as their family does, and pay what core computes for
// them, for `braid doctor`: the venue data is from public registries, and only the chain can confirm it.

import { type Address, getAmountOut, type Pool, type Snapshot, stringify } from '@braid-swap/core'
import { loadSnapshot, NoWrappedNativeError } from '../market/loadMarket.js'
import type { Market, SetAside } from '../market/market.js'
import type { Finding } from '../pools/check.js'
import { examinePool } from '../pools/index.js'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import type { Client } from '../transport/client.js'
import { probePool } from './probePool.js'

/** Pools of a venue that are read and checked, of those found. */
const SAMPLE = 3
/** Samples that are read until one has a pool that can trade. */
const SAMPLES = 4

/** What is examined, and where. */
export type Examination = {
  /** Pools of the venue, by {@link findVenuePools}. */
  readonly refs: readonly PoolRef[]
  /** Pools of any venue, which may lend tokens. */
  readonly lenders: readonly PoolRef[]
  /** Lower case. */
  readonly wrappedNative: Address
}

/**
 * The findings about some pools of a venue; none without pools. Throws what the node throws.
 */
export async function examineVenue(
  client: Client,
  venue: Venue,
  { refs, lenders, wrappedNative }: Examination,
): Promise<readonly Finding[]> {
  const subject = venue.id
  const load = (pools: readonly PoolRef[]) => loadSnapshot(client, { pools, wrappedNative })
  try {
    for (let i = 0; i < SAMPLES; i++) {
      const sample = refs.slice(i * SAMPLE, (i + 1) * SAMPLE)
      if (sample.length === 0) break
      const market = await load(sample)
      const isLast = i === SAMPLES - 1 || refs.length <= (i + 1) * SAMPLE
      if (tradable(market.snapshot).length === 0 && !isLast && market.setAside.every(isPlain))
        continue
      const examined = await Promise.all(sample.map((ref) => examinePool(client, ref)))
      const pays = await paysFinding(client, venue, { market, lenders, load })
      return [readFinding(subject, sample, market.setAside), ...merge(examined), pays]
    }
    return []
  } catch (error) {
    if (!(error instanceof NoWrappedNativeError)) throw error
    return [{ subject, check: READ, assumed: 'all', found: error.message, holds: false }]
  }
}

const READ = 'pools read'

const tradable = ({ pools }: Snapshot): readonly Pool[] =>
  pools.filter(({ family }) => family !== 'wrap')

/** Reasons that say nothing about the venue: the pool is empty, or a token is broken. */
const isPlain = ({ code }: SetAside) =>
  ['POOL_NOT_INITIALISED', 'POOL_EMPTY'].includes(code) || code.startsWith('TOKEN_')

function readFinding(
  subject: string,
  sample: readonly PoolRef[],
  setAside: readonly SetAside[],
): Finding {
  const reasons = setAside.map((one) => (isPlain(one) ? one.code : `${one.code}: ${one.message}`))
  const read = `${sample.length - setAside.length} of ${sample.length}`
  return {
    ...{ subject, check: READ, assumed: 'all' },
    found: [read, ...new Set(reasons)].join('; '),
    holds: setAside.every(isPlain),
  }
}

/** Removes duplicate findings, so that a check on which all pools agree is one row. */
function merge(lists: readonly (readonly Finding[])[]): readonly Finding[] {
  const distinct = new Map(lists.flat().map((finding) => [JSON.stringify(finding), finding]))
  return [...distinct.values()].sort((a, b) => (a.check < b.check ? -1 : 1))
}

/** How often pools that traded while they were asked are asked again. */
const TRIES = 4

/**
 * Checks that pools pay exactly what core computes for them. A node may answer from a later block than that of
 * the state, so a difference counts only at the state's own block, or if the state is still the same
 * afterwards.
 */
async function paysFinding(
  client: Client,
  venue: Venue,
  {
    market,
    lenders,
    load,
  }: {
    readonly market: Market
    readonly lenders: readonly PoolRef[]
    readonly load: (pools: readonly PoolRef[]) => Promise<Market>
  },
): Promise<Finding> {
  const refs = new Map(market.pools.map((ref) => [ref.id, ref]))
  const decided: Compared[] = []
  let open = tradable(market.snapshot)
  let { block } = market.snapshot
  for (let i = 0; i < TRIES && open.length > 0; i++) {
    const compared = await Promise.all(
      open.map((pool) => compare(client, pool, { block, lenders })),
    )
    const unsure = compared.filter(({ equal, swaps, isSure }) => equal < swaps && !isSure)
    decided.push(...compared.filter((one) => !unsure.includes(one)))
    open = []
    if (unsure.length === 0) break
    const { snapshot } = await load(unsure.map(({ pool }) => refs.get(pool.id)!))
    const now = new Map(snapshot.pools.map((pool) => [pool.id, pool]))
    for (const one of unsure) {
      const after = now.get(one.pool.id)
      if (after && isSameState(one.pool, after)) decided.push(one)
      else if (after) open = [...open, after]
    }
    block = snapshot.block
  }
  return verdict(venue, decided)
}

/** A pool, its swaps that were compared, and those that came out equal. */
type Compared = {
  readonly pool: Pool
  /** Absent: pools of this family cannot be asked. */
  readonly isAsked: boolean
  readonly swaps: number
  readonly equal: number
  /** The swaps ran at the block of the state. */
  readonly isSure: boolean
}

async function compare(
  client: Client,
  pool: Pool,
  options: { readonly block: Snapshot['block']; readonly lenders: readonly PoolRef[] },
): Promise<Compared> {
  const probed = await probePool(client, pool, options)
  const swaps = probed?.swaps ?? []
  const equal = swaps.filter(({ direction, amountIn, amountOut, seen }) => {
    const then = 'quotedAt' in pool ? { ...pool, quotedAt: seen.timestamp } : pool
    return getAmountOut(then, direction, amountIn) === amountOut
  })
  return {
    ...{ pool, isAsked: probed !== undefined, swaps: swaps.length, equal: equal.length },
    isSure: swaps.every(({ seen }) => seen.number === options.block.number),
  }
}

function isSameState(before: Pool, after: Pool): boolean {
  const timeless = (pool: Pool) => stringify({ ...pool, quotedAt: undefined })
  return timeless(before) === timeless(after)
}

/** The check that holds outputs of pools against core's. */
export const PAYS = 'pays what we quote'

function verdict({ id }: Venue, decided: readonly Compared[]): Finding {
  const finding = { subject: id, check: PAYS, assumed: 'to the wei' }
  const swaps = decided.reduce((sum, one) => sum + one.swaps, 0)
  const equal = decided.reduce((sum, one) => sum + one.equal, 0)
  if (swaps > 0) return { ...finding, found: `${equal} of ${swaps} swaps`, holds: equal === swaps }
  return { ...finding, found: reasonOf(decided) }
}

function reasonOf(decided: readonly Compared[]): string {
  const asked = decided.filter(({ isAsked }) => isAsked)
  if (decided.length === 0) return 'undecided: no pool stood still while it was asked'
  if (asked.length === 0) return 'these pools cannot be probed'
  if (asked.some(({ pool }) => pool.family === 'uniswapV2')) {
    return 'undecided: no other known pool lends what these pools take'
  }
  return 'undecided: the node refused the calls'
}
