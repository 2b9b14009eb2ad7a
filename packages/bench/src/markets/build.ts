import type { Address, Hex, Pool, Snapshot, Token } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { getTickAtSqrtPrice } from '@braid-swap/core/families'

/** A synthetic token; `price` is in whole native tokens per whole token. */
export type MadeToken = Token & { readonly price: number }

/** The n-th synthetic address of a kind; equal arguments give equal addresses. */
export function madeAddress(kind: 'token' | 'pool', n: number): Address {
  // Spread over the address space, so that token order within pools differs from creation order.
  const spread = (BigInt(n + 1) * 0x9e3779b97f4a7c15f39cc0605cedc835n) % (1n << 152n)
  return `0x${kind === 'token' ? 'aa' : 'bb'}${toHex(spread, 19).slice(2)}`
}

/**
 * A snapshot of synthetic pools at a synthetic block; the first token is the wrapped native one.
 */
export function toSnapshot(tokens: readonly Token[], pools: readonly Pool[]): Snapshot {
  const wrappedNative = tokens[0]?.address
  if (!wrappedNative) throw new RangeError('a market needs at least its wrapped native token')
  return {
    chainId: 999,
    block: {
      number: 1n,
      hash: toHex(1, 32),
      timestamp: 0n,
      gasPrice: 1_000_000_000n,
      gasLimit: 30_000_000n,
    },
    wrappedNative,
    tokens: tokens.map(({ address, decimals }) => ({ address, decimals })),
    pools,
  }
}

/** Parameters of a synthetic pool between two tokens. */
export type MadePool = {
  readonly n: number
  readonly ends: readonly [MadeToken, MadeToken]
  /** Value of the (virtual) reserves on each side, in whole native tokens. */
  readonly depth: number
  readonly feePpm: number
  /** Factor on the price of the first token in this pool. */
  readonly skew?: number
}

/** A constant-product pair at the tokens' prices. */
export function makePair(ask: MadePool): Pool {
  const [a, b] = sortEnds(ask)
  return {
    family: 'uniswapV2',
    id: madeAddress('pool', ask.n) as Hex,
    tokens: [a.token.address, b.token.address],
    venue: 'made-v2',
    reserves: [weiOf(ask.depth / a.price, a.token), weiOf(ask.depth / b.price, b.token)],
    feePpm: ask.feePpm,
  }
}

/** One range of a concentrated pool: half its width in ticks, and its part of the liquidity. */
export type Range = { readonly halfWidth: number; readonly part: number; readonly shift?: number }

/** A concentrated pool at the tokens' prices, with ranges around the current tick. */
export function makeRanges(
  ask: MadePool & { readonly tickSpacing: number; readonly ranges: readonly Range[] },
): Pool {
  const [a, b] = sortEnds(ask)
  const reserve0 = Number(weiOf(ask.depth / a.price, a.token))
  const reserve1 = Number(weiOf(ask.depth / b.price, b.token))
  const sqrtPriceX96 = BigInt(Math.floor(Math.sqrt(reserve1 / reserve0) * 2 ** 96))
  const tick = getTickAtSqrtPrice(sqrtPriceX96)
  const depthLiquidity = Math.sqrt(reserve0 * reserve1)
  const nets = new Map<number, bigint>()
  let liquidity = 0n
  for (const range of ask.ranges) {
    const [low, high] = alignedRange(tick + (range.shift ?? 0), range.halfWidth, ask.tickSpacing)
    const amount = BigInt(Math.floor(depthLiquidity * range.part))
    if (amount === 0n || low >= high) continue
    nets.set(low, (nets.get(low) ?? 0n) + amount)
    nets.set(high, (nets.get(high) ?? 0n) - amount)
    if (low <= tick && tick < high) liquidity += amount
  }
  const ticks = [...nets]
    .filter(([, liquidityNet]) => liquidityNet !== 0n)
    .sort(([x], [y]) => x - y)
    .map(([index, liquidityNet]) => ({ index, liquidityNet }))
  return {
    family: 'uniswapV3',
    id: madeAddress('pool', ask.n) as Hex,
    tokens: [a.token.address, b.token.address],
    venue: 'made-v3',
    feePpm: ask.feePpm,
    tickSpacing: ask.tickSpacing,
    sqrtPriceX96,
    tick,
    liquidity,
    ticks,
  }
}

const MAX_ALIGNED_TICK = 887_000

function alignedRange(at: number, halfWidth: number, spacing: number): readonly [number, number] {
  const limit = Math.floor(MAX_ALIGNED_TICK / spacing) * spacing
  const low = Math.floor((at - halfWidth) / spacing) * spacing
  const high = Math.ceil((at + halfWidth) / spacing) * spacing
  return [Math.max(-limit, low), Math.min(limit, Math.max(high, low + spacing))]
}

function sortEnds({ ends: [x, y], skew = 1 }: MadePool) {
  const first = { token: x, price: x.price * skew }
  const second = { token: y, price: y.price }
  return x.address < y.address ? ([first, second] as const) : ([second, first] as const)
}

/**
 * Wei of an amount of whole tokens; at least one, because a pool without reserves trades nothing.
 */
function weiOf(amount: number, token: Token): bigint {
  const wei = amount * 10 ** token.decimals
  return wei < 1 ? 1n : BigInt(Math.floor(wei))
}
