// The recorded market as the API serves it, and the requests of its clients.

import { type Order, quote, type Snapshot } from '@braid-swap/core'
import { mixedRequests } from '../goals/latency.js'
import { loadEthereum } from '../markets/ethereum.js'
import { createPrng } from '../prng.js'

/** The chain that the API serves; the recorded market is of another, which no pool depends on. */
export const CHAIN_ID = 999
/** An address: the quotes need no router. */
export const ROUTER = '0x00000000000000000000000000000000000b4a1d'
/** Wei per gas, so that the objective is net of gas. */
const GAS_PRICE = 3_000_000_000n

/** A market, and orders in it that have a route. */
export type ServedMarket = {
  readonly snapshot: Snapshot
  readonly orders: readonly Order[]
  /** Of each order, whether it is one of the small ones. */
  readonly isSmall: readonly boolean[]
}

/**
 * The recorded market of 1,350 pools with `count` orders, half stratified and half small, shuffled:
 * any part of the sequence is the same mix as the whole.
 */
export function loadServedMarket(count: number, seed: number): ServedMarket {
  const { clean } = loadEthereum()
  const timestamp = BigInt(Math.floor(Date.now() / 1_000))
  const block = { ...clean.snapshot.block, timestamp, gasPrice: GAS_PRICE }
  const snapshot = { ...clean.snapshot, chainId: CHAIN_ID, block }
  const drawn = mixedRequests(clean, count, seed)
  const half = drawn.length / 2
  const mixed = drawn.map(({ order }, i) => ({ order, isSmall: i >= half }))
  const prng = createPrng(seed)
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = prng.below(i + 1)
    const [a, b] = [mixed[i]!, mixed[j]!]
    mixed[i] = b
    mixed[j] = a
  }
  return {
    snapshot,
    orders: mixed.map(({ order }) => order),
    isSmall: mixed.map(({ isSmall }) => isSmall),
  }
}

/** The path that asks for an order. */
export function pathOf({ tokenIn, tokenOut, amountIn }: Order): string {
  return `/swap/v1/${CHAIN_ID}/quote?src=${tokenIn}&dst=${tokenOut}&amount=${amountIn}`
}

/** The answer of the solver alone; false if the market has none. */
export function solve(...[graph, order, options]: Parameters<typeof quote>): boolean {
  try {
    quote(graph, order, options)
    return true
  } catch {
    return false
  }
}
