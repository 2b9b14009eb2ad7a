// The recorded market as the API serves it, and the requests of its clients.

import { type Order, quote, type Snapshot } from '@braid-swap/core'
import { mixedRequests } from '../goals/latency.js'
import { loadEthereum } from '../markets/ethereum.js'

/** The chain that the API serves; the recorded market is of another, which no pool depends on. */
const CHAIN_ID = 999
/** Wei per gas, so that the objective is net of gas. */
const GAS_PRICE = 3_000_000_000n

/** A market, and orders in it that have a route. */
export type ServedMarket = { readonly snapshot: Snapshot; readonly orders: readonly Order[] }

/** The recorded market of 1,350 pools with `count` orders, half stratified and half small. */
export function loadServedMarket(count: number, seed: number): ServedMarket {
  const { clean } = loadEthereum()
  const timestamp = BigInt(Math.floor(Date.now() / 1_000))
  const block = { ...clean.snapshot.block, timestamp, gasPrice: GAS_PRICE }
  const snapshot = { ...clean.snapshot, chainId: CHAIN_ID, block }
  const orders = mixedRequests(clean, count, seed).map(({ order }) => order)
  return { snapshot, orders }
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
