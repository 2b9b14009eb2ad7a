// The gas price of a market: read with the first load, then only when it may have changed.

import type { Head } from '../reads/watchHeads.js'
import type { Client } from '../transport/client.js'
import type { Market } from './market.js'

/** The node's current gas price, in wei. */
export async function readGasPrice(client: Client): Promise<bigint> {
  return BigInt(await client.request({ method: 'eth_gasPrice' }))
}

/** A gas price is read again after this time, and whenever the base fee changed. */
const GAS_PRICE_MS = 10_000

/** The gas price at a head: the last one if it is recent and the base fee is unchanged. */
export async function gasPriceAt(
  client: Client,
  { gasPriceRead: last, snapshot }: Market,
  { header: { baseFee }, receivedAtMs: atMs }: Head,
): Promise<{
  readonly gasPrice: bigint
  readonly gasPriceRead?: { atMs: number; baseFee: bigint }
}> {
  if (last && last.baseFee === baseFee && atMs - last.atMs < GAS_PRICE_MS) {
    return { gasPrice: snapshot.block.gasPrice, gasPriceRead: last }
  }
  const gasPrice = await readGasPrice(client)
  return baseFee === undefined ? { gasPrice } : { gasPrice, gasPriceRead: { atMs, baseFee } }
}
