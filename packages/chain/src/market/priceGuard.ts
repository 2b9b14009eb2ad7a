// Compares sampled pools with the best bid and offer of HyperCore's order book, and sets aside those
// that are too far from it: their quotes come from an oracle, which may be stale or manipulated.

import type { Address, Pool, Token } from '@braid-swap/core'
import type { Header } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import type { SetAside } from './market.js'
import { type Book, type Prices, readPrices } from './orderBooks.js'

export type { Book, Prices } from './orderBooks.js'

/** The books that sampled pools are compared with, and how far from them a pool may be. */
export type PriceGuard = {
  readonly books: readonly Book[]
  /** Tokens that are the unit of the books' prices. */
  readonly units: readonly Address[]
  /** Largest distance of a pool's price from the book, in basis points; 0: no comparison. */
  readonly maxOffBps: number
}

/** Splits pools into those that are near the book or not compared with it, and the others. */
export function splitByPrice(
  pools: readonly Pool[],
  {
    prices,
    tokens,
    guard,
  }: {
    readonly prices: Prices
    readonly tokens: readonly Token[]
    readonly guard: PriceGuard
  },
): { readonly pools: readonly Pool[]; readonly setAside: readonly SetAside[] } {
  const decimals = new Map(tokens.map((token) => [token.address, token.decimals]))
  const kept: Pool[] = []
  const setAside: SetAside[] = []
  for (const pool of pools) {
    const off = pool.family === 'ladder' ? offBps(pool, prices, decimals) : undefined
    if (off === undefined || off <= guard.maxOffBps) kept.push(pool)
    else setAside.push(asideOf(pool, off))
  }
  return { pools: kept, setAside }
}

function asideOf({ id, venue }: Pool, off: number): SetAside {
  const why = Number.isFinite(off)
    ? `pays ${(off / 100).toFixed(2)} % more or less than the order book`
    : 'cannot be compared: the order book of a token has no bid, no offer or no decimals'
  return { id, venue, code: 'POOL_OFF_MARKET', message: `pool ${id} ${why}` }
}

type Ladders = Extract<Pool, { family: 'ladder' }>

/**
 * Distance of the pool's first price, in the direction that is farther off, from the range between
 * the book's two sides, in basis points. `undefined` if a token has no book, or nothing is sampled;
 * infinite if a book has no price now.
 */
function offBps(
  { tokens, ladders }: Ladders,
  prices: Prices,
  decimals: ReadonlyMap<Address, number>,
): number | undefined {
  if (!tokens.every((token) => prices.has(token))) return undefined
  const offs = ladders.flatMap((ladder, i) => {
    const [tokenIn, tokenOut] = [tokens[i]!, tokens[1 - i]!]
    const rung = ladder.find(([x, y]) => x >= PRECISE && y >= PRECISE) ?? ladder.at(-1)
    const [from, to] = [prices.get(tokenIn), prices.get(tokenOut)]
    if (!rung) return []
    if (!from || !to) return [Number.POSITIVE_INFINITY]
    const scale = 10 ** ((decimals.get(tokenIn) ?? 18) - (decimals.get(tokenOut) ?? 18))
    const paid = (Number(rung[1]) / Number(rung[0])) * scale
    return [Math.max(paid / (from.offer / to.bid), from.bid / to.offer / paid, 1)]
  })
  return offs.length === 0 ? undefined : (Math.max(...offs) - 1) * 10_000
}

/** Wei from which rounding moves a price by less than a basis point. */
const PRECISE = 10_000n

/**
 * The pools without those that are off the market at this block; all of them without a guard, or if no
 * book answers. `pricesCompared` says which; it is absent if the guard is off or no pool is sampled.
 */
export async function withinPrices(
  client: Client,
  pools: readonly Pool[],
  at: {
    readonly guard: PriceGuard | undefined
    readonly header: Header
    readonly tokens: readonly Token[]
  },
): Promise<ReturnType<typeof splitByPrice> & { readonly pricesCompared?: boolean }> {
  const { guard, header, tokens } = at
  const isOff = guard === undefined || guard.maxOffBps === 0
  if (isOff || !pools.some(({ family }) => family === 'ladder')) return { pools, setAside: [] }
  const prices = await readPrices(client, guard, header)
  if (!prices) return { pools, setAside: [], pricesCompared: false }
  return { ...splitByPrice(pools, { prices, tokens, guard }), pricesCompared: true }
}
