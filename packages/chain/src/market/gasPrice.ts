// The gas price of a market: the base fee of its block, and above it what the node asks for, which is
// read with the first load and then once a minute.

import { BaseError } from '@braid-swap/core'
import type { Header } from '../reads/headers.js'
import { steadyMs } from '../reads/steadyClock.js'
import type { Client } from '../transport/client.js'

/** What was read of a node's gas price, and what it is held against. Prices are in wei. */
export type GasPrices = {
  /** The node's price above the base fee, and when it was read by the process's steady clock. */
  readonly tip: bigint
  readonly readAtMs: number
  /** Base fees of the newest blocks, oldest first. */
  readonly baseFees: readonly bigint[]
}

/** Time after which the tip is read again. */
const TIP_MS = 60_000
/** Blocks whose base fees are kept. */
const HISTORY = 100
/** A price above this multiple of the median base fee is the node's mistake. */
export const MAX_OVER_MEDIAN = 20n

/**
 * The gas price at a block, in wei, and the record for the next one. A price above
 * {@link MAX_OVER_MEDIAN} times the median of the last hundred base fees is refused with a
 * GasPriceAbsurdError in `fault`; the price is then that median.
 */
export async function gasPriceAt(
  client: Client,
  { baseFee }: Header,
  before?: GasPrices,
): Promise<{
  readonly gasPrice: bigint
  readonly gasPrices: GasPrices
  readonly fault?: GasPriceAbsurdError
}> {
  const isRecent = before && baseFee !== undefined && steadyMs() - before.readAtMs < TIP_MS
  const price = isRecent ? baseFee + before.tip : await readGasPrice(client)
  const earlier = before?.baseFees ?? (await readBaseFees(client))
  const baseFees = [...earlier, ...(baseFee === undefined ? [] : [baseFee])].slice(-HISTORY)
  const tip = baseFee === undefined || price < baseFee ? 0n : price - baseFee
  const readAtMs = isRecent ? before.readAtMs : steadyMs()
  const median = medianOf(baseFees)
  const isAbsurd = median > 0n && price > MAX_OVER_MEDIAN * median
  return {
    gasPrice: isAbsurd ? median : price,
    gasPrices: { tip, readAtMs, baseFees },
    ...(isAbsurd && { fault: new GasPriceAbsurdError(price, median) }),
  }
}

async function readGasPrice(client: Client): Promise<bigint> {
  return BigInt(await client.request({ method: 'eth_gasPrice' }))
}

/** The base fees of the last hundred blocks; none if the node does not keep them. */
async function readBaseFees(client: Client): Promise<readonly bigint[]> {
  try {
    const { baseFeePerGas } = await client.request({
      method: 'eth_feeHistory',
      params: [`0x${HISTORY.toString(16)}`, 'latest', []],
    })
    return baseFeePerGas.slice(0, -1).map(BigInt)
  } catch {
    return []
  }
}

function medianOf(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1))
  return sorted[sorted.length >> 1] ?? 0n
}

/** The node asks for a gas price that no recent block had. */
export class GasPriceAbsurdError extends BaseError {
  readonly code = 'GAS_PRICE_ABSURD'

  constructor(got: bigint, median: bigint) {
    super(
      `the node's gas price is ${got} wei, more than ${MAX_OVER_MEDIAN} times the median base fee of the last blocks, ${median} wei`,
      { got: `${got}`, median: `${median}` },
    )
  }
}
