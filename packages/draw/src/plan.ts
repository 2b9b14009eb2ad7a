import { type Address, feeRate, type Hop, type Quote } from '@braid-swap/core'

/** What people call a token, and its decimals. */
export type TokenLabel = { readonly symbol: string; readonly decimals: number }

/** Labels by lower-case address; what is absent is shown by its address, in wei. */
export type TokenLabels = ReadonlyMap<Address, TokenLabel>

/** One hop as far as drawing goes; amounts in wei. */
export type DrawnHop = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly pool: Address
  readonly venue: string
  readonly family: string
  /** Parts per million of the input, where the pool has a fee. */
  readonly feePpm?: number
  /** Whether `amountOut` is the least that the pool pays; only where it is. */
  readonly sampled?: true
  /** The executor's integer: a part of what remains in 0xFFFFFFths, 0 for all of it. */
  readonly share?: number
}

/** A quote as far as drawing goes, whether computed here or answered by an API. */
export type DrawnQuote = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** In execution order: a token's hops out come after every hop into it. */
  readonly hops: readonly DrawnHop[]
  readonly gas?: bigint
  readonly block?: bigint
  /** How far the answer, less its gas where that counts, is at most below the best, in basis points. */
  readonly gapBps?: number
}

/** A quote of the core as drawn. */
export function drawnQuote(quote: Quote): DrawnQuote {
  return {
    ...quote.order,
    amountOut: quote.amountOut,
    hops: quote.route.map(drawnHop),
    gas: BigInt(quote.gas),
    block: quote.block.number,
    ...gapOf(quote),
  }
}

function drawnHop({ pool, direction, share, amountIn, amountOut }: Hop): DrawnHop {
  const feePpm = Math.round((feeRate(pool, direction, amountIn) ?? 0) * 1e6)
  return {
    tokenIn: pool.tokens[direction.in]!,
    tokenOut: pool.tokens[direction.out]!,
    ...{ amountIn, amountOut, share, pool: pool.id, venue: pool.venue, family: pool.family },
    ...(feePpm > 0 && { feePpm }),
    ...(pool.sampledAt !== undefined && { sampled: true as const }),
  }
}

// What the bound limits: the output, less its gas where gas was counted. An opinion, hence floats.
function gapOf({ amountOut, gas, bound }: Quote): Pick<DrawnQuote, 'gapBps'> {
  if (!bound || bound.amount <= 0n) return {}
  const worth = Number(amountOut) - gas * bound.gasCost
  return { gapBps: Math.max(0, 1 - worth / Number(bound.amount)) * 10_000 }
}

/** An entry of the API's `graph` as sent or as its client reads it; `fee` is in percent. */
export type GraphEntry = {
  readonly from: string
  readonly to: string
  readonly pool: string
  readonly exchange: string
  readonly poolType: string
  readonly amountIn: string | bigint
  readonly amountOut: string | bigint
  readonly fee?: number | null | undefined
  readonly share?: string | bigint | undefined
  readonly sampled?: boolean | undefined
}

/** The hops of an API's `graph`. */
export function drawnHops(graph: readonly GraphEntry[]): readonly DrawnHop[] {
  const lower = (address: string) => address.toLowerCase() as Address
  return graph.map(({ from, to, pool, exchange, poolType, amountIn, amountOut, ...entry }) => ({
    ...{ tokenIn: lower(from), tokenOut: lower(to), pool: lower(pool) },
    ...{ amountIn: BigInt(amountIn), amountOut: BigInt(amountOut) },
    ...{ venue: exchange, family: poolType },
    ...(entry.share === undefined ? {} : { share: Number(entry.share) }),
    ...(entry.fee ? { feePpm: Math.round(entry.fee * 10_000) } : {}),
    ...(entry.sampled ? { sampled: true as const } : {}),
  }))
}
