// Guards against prices that somebody moves: of sampled pools, of rates that a contract tells, and of fees that an owner
// sets. A pool is set aside if its source is not on the operator's list, if its rate stepped within the kept blocks, or
// if it is too far from HyperCore's order book or, without a book, from the deepest other route of its pair, which thin
// pools are no part of.

import {
  type Address,
  buildGraph,
  type Direction,
  type Graph,
  type Pool,
  type Snapshot,
  type Token,
} from '@braid-swap/core'
import { pricesOfTokens } from '@braid-swap/core/advanced'
import { getAmountOut, movableOf } from '@braid-swap/core/families'
import type { SetAside } from '../pools/setAside.js'
import type { Header } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import type { PriceGuard } from './book.js'
import { type Prices, readPrices } from './orderBooks.js'
import { KEPT_BLOCKS, type RateHistory, stepOf, withRates } from './rateHistory.js'

export type { PriceGuard } from './book.js'
export type { Prices } from './orderBooks.js'

type Split = { readonly pools: readonly Pool[]; readonly setAside: readonly SetAside[] }

/** Values of raw units of tokens along the deepest routes without pools that have a rate. */
type Values = ReadonlyMap<Address, number>

/** Splits pools into those that are near the book or the other route, or not compared, and the others. */
export function splitByPrice(
  pools: readonly Pool[],
  {
    prices,
    values = new Map(),
    tokens,
    guard,
  }: {
    readonly prices: Prices
    readonly values?: Values
    readonly tokens: readonly Token[]
    readonly guard: PriceGuard
  },
): Split {
  const decimals = new Map(tokens.map((token) => [token.address, token.decimals]))
  const offOf = (pool: Pool) => {
    if (!isRated(pool)) return undefined
    if (pool.tokens.every((token) => prices.has(token))) return offBook(pool, prices, decimals)
    return aboveRoute(pool, values)
  }
  return split(pools, (pool) => {
    const off = offOf(pool)
    if (off === undefined || off <= guard.maxOffBps) return undefined
    const why = Number.isFinite(off)
      ? `is ${(off / 100).toFixed(2)} % off the order book or the deepest other route`
      : 'cannot be compared: the order book of a token has no bid, no offer or no decimals'
    return { code: 'POOL_OFF_MARKET', why }
  })
}

type Reason = { readonly code: SetAside['code']; readonly why: string }

function split(pools: readonly Pool[], reasonOf: (pool: Pool) => Reason | undefined): Split {
  const kept: Pool[] = []
  const setAside: SetAside[] = []
  for (const pool of pools) {
    const { id, venue } = pool
    const reason = reasonOf(pool)
    if (!reason) kept.push(pool)
    else setAside.push({ id, venue, code: reason.code, message: `pool ${id} ${reason.why}` })
  }
  return { pools: kept, setAside }
}

const isRated = (pool: Pool) => movableOf(pool).rates.length > 0

/**
 * Distance of the pool's first price, in the direction that is farther off, from the range between
 * the book's two sides, in basis points. `undefined` if it pays nothing; infinite if a book has no price now.
 */
function offBook(
  pool: Pool,
  prices: Prices,
  decimals: ReadonlyMap<Address, number>,
): number | undefined {
  return farthest(pool, ({ tokenIn, tokenOut, paid }) => {
    const [from, to] = [prices.get(tokenIn), prices.get(tokenOut)]
    if (!from || !to) return Number.POSITIVE_INFINITY
    const whole = paid * 10 ** (decimals.get(tokenIn)! - decimals.get(tokenOut)!)
    return Math.max(whole / (from.offer / to.bid), from.bid / to.offer / whole)
  })
}

/** By how much the pool pays more than the other route, in basis points; less attracts no swap. */
function aboveRoute(pool: Pool, values: Values): number | undefined {
  return farthest(pool, ({ tokenIn, tokenOut, paid }) => {
    const [from, to] = [values.get(tokenIn), values.get(tokenOut)]
    return from && to ? (paid * to) / from : 1
  })
}

type Paid = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Wei out for a wei in. */
  readonly paid: number
}

function farthest(pool: Pool, ratioOf: (paid: Paid) => number): number | undefined {
  const { tokens } = pool
  // Sampled in this block, it is quoted in the next.
  const quoted = pool.sampledAt === undefined ? pool : { ...pool, quotedAt: pool.sampledAt + 1n }
  const directions = tokens.flatMap((_, i) =>
    tokens.flatMap((_, out): Direction[] => (i === out ? [] : [{ in: i, out }])),
  )
  const ratios = directions.flatMap((direction) => {
    const paid = firstPrice(quoted, direction)
    if (paid === undefined) return []
    return [ratioOf({ tokenIn: tokens[direction.in]!, tokenOut: tokens[direction.out]!, paid })]
  })
  return ratios.length === 0 ? undefined : (Math.max(...ratios, 1) - 1) * 10_000
}

/** Wei from which rounding moves a price by less than a basis point. */
const PRECISE = 10_000n
/** Powers of ten that are tried as amounts. */
const DIGITS = 40

/** What the smallest precise swap pays for a wei. */
function firstPrice(pool: Pool, direction: Direction): number | undefined {
  for (let digits = 4; digits < DIGITS; digits++) {
    const amountIn = 10n ** BigInt(digits)
    const amountOut = getAmountOut(pool, direction, amountIn)
    if (amountOut >= PRECISE) return Number(amountOut) / Number(amountIn)
  }
  return undefined
}

/** The graph of the last block, of which the next one's takes what did not change. */
const noGraph = (): { last?: Graph } => ({})

/** Depth from which a route tells a price, in units: anybody makes a pool with less, at any price. */
const TELLING_UNITS = 5_000

function valuesOf(client: Client, snapshot: Snapshot, { units }: PriceGuard): Values {
  const pools = snapshot.pools.filter((pool) => !isRated(pool))
  const known = memoryOf(client, noGraph)
  known.last = buildGraph({ ...snapshot, pools }, known.last)
  const prices = pricesOfTokens(known.last)
  const unit = snapshot.tokens.find(({ address }) => units.includes(address) && prices.has(address))
  if (!unit) return prices
  const wei = 10 ** unit.decimals * prices.get(unit.address)!
  return pricesOfTokens(known.last, TELLING_UNITS * wei)
}

/** The pools to guard, at a block, and what they are held against. */
type Guarding = {
  readonly guard: PriceGuard | undefined
  readonly header: Header
  /** All pools at the block, those to guard too, with their tokens. */
  readonly snapshot: Snapshot
  /** Rates and fees of earlier blocks. */
  readonly rates?: RateHistory | undefined
}

/** The pools to serve, the others with the reason, and the rates for the next block. */
type Guarded = Split & {
  /** True if an order book answered; absent if the guard is off or no pool is sampled. */
  readonly pricesCompared?: boolean
  readonly rates?: RateHistory
}

/** The pools without those of unlisted sources, those that stepped, and those that are off the market at this block. */
export async function withinPrices(
  client: Client,
  pools: readonly Pool[],
  { guard, header, snapshot, rates: before }: Guarding,
): Promise<Guarded> {
  if (!guard) return { pools, setAside: [] }
  const listed = split(pools, unlisted(guard))
  if (guard.maxOffBps === 0) return listed
  const rates = withRates(before, listed.pools, header.number)
  const still = split(listed.pools, stepped(rates))
  const aside = [...listed.setAside, ...still.setAside]
  const rated = still.pools.filter(isRated)
  if (rated.length === 0) return { ...still, setAside: aside, rates }
  const isSampled = rated.some(({ family }) => family === 'ladder')
  const priced = new Set([...guard.units, ...guard.books.map(({ token }) => token)])
  const hasBook = rated.some(({ tokens }) => tokens.every((token) => priced.has(token)))
  const prices = isSampled || hasBook ? await readPrices(client, guard, header) : undefined
  const values = valuesOf(client, snapshot, guard)
  const { tokens } = snapshot
  const near = splitByPrice(still.pools, { prices: prices ?? new Map(), values, tokens, guard })
  return {
    ...{ pools: near.pools, setAside: [...aside, ...near.setAside], rates },
    ...(isSampled && { pricesCompared: prices !== undefined }),
  }
}

const unlisted =
  ({ sources }: PriceGuard) =>
  ({ ratedFrom = [], ratedBy }: Pool): Reason | undefined => {
    const source = [...ratedFrom, ratedBy].find((one) => one && sources && !sources.has(one))
    return (
      source && {
        code: 'POOL_RATE_UNLISTED',
        why: `takes a rate from ${source}, which is not listed`,
      }
    )
  }

const stepped =
  (rates: RateHistory) =>
  (pool: Pool): Reason | undefined => {
    const step = stepOf(pool, rates)
    if (step === undefined) return undefined
    const percent = (step / 10_000).toFixed(2)
    const why = `has a rate or a fee that moved by ${percent} % within ${KEPT_BLOCKS} blocks, without a swap`
    return { code: 'POOL_RATE_STEPPED', why }
  }

/** Codes of pools that may be back in the next block, and are read again in each. */
const BACK_AT_ANY_BLOCK: ReadonlySet<SetAside['code']> = new Set([
  'POOL_OFF_MARKET',
  'POOL_RATE_STEPPED',
])

/** Pools that are read again only for a reason of their own. */
export function staysAside({ code }: SetAside): boolean {
  return !BACK_AT_ANY_BLOCK.has(code)
}
