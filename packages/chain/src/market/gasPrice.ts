// The price of gas in a market: the base fee of the next small block, which follows from its header, and the
// tip that a place costs while blocks are full.

import { BaseError, type Block } from '@braid-swap/core'
import { MAX_TIP_OVER_BASE } from '@braid-swap/core/advanced'
import type { Header } from '../reads/headers.js'
import { steadyMs } from '../reads/steadyClock.js'
import type { Client } from '../transport/client.js'

/** What is known of the price of gas after a small block. Prices are in wei per gas. */
export type GasPrices = {
  /** The newest small block whose base fee is believed. */
  readonly number: bigint
  readonly baseFee: bigint
  /** The base fee of the block after it, by EIP-1559. */
  readonly predicted: bigint
  /** The one that transactions are priced with: above `predicted` where the chain does not follow it. */
  readonly next: bigint
  /** Gas used over gas limit of the newest small blocks, oldest first. */
  readonly fullness: readonly number[]
  /** What the block's producer gets above the base fee; 0 while blocks have room. */
  readonly tip: bigint
  /** When the tip was read, by the process's steady clock. */
  readonly tipReadAtMs: number
  /** Why the newest header was not believed; absent while it is. */
  readonly fault?: GasPriceAbsurdError
}

/** Small blocks that tell whether there is room. */
const ROOM_BLOCKS = 5
/** The mean share of used gas from which they have none. */
const FULL_FROM = 0.9
/** Time after which the tip of full blocks is read again. */
const TIP_MS = 10_000
/** Blocks whose tips are read, and the percentile of their gas that paid at most the tip. */
const TIP_BLOCKS = 10
export const TIP_PERCENTILE = 60
/** Steps of an eighth besides those of the blocks between: for another branch, or a start from a file. */
const SPARE_STEPS = 2n
/** Steps after which any base fee is believed: it may have moved by a factor of a thousand. */
const MAX_STEPS = 60n

/** What the block of a snapshot tells of the price of gas. */
export function gasPricesOf({ number, gasPrice, priorityFee: tip = 0n }: Block): GasPrices {
  const baseFee = gasPrice - tip
  const none = { fullness: [], tipReadAtMs: Number.NEGATIVE_INFINITY }
  return { number, baseFee, predicted: baseFee, next: baseFee, tip, ...none }
}

/** What the price after the next header follows from. */
export function pricesBefore({
  snapshot: { block },
  gasPrices,
}: {
  readonly snapshot: { readonly block: Block }
  readonly gasPrices?: GasPrices
}) {
  return { before: gasPrices ?? gasPricesOf(block), smallGasLimit: block.gasLimit }
}

/**
 * The price of gas after a header. That of a big block changes nothing, because big blocks have a base
 * fee of their own. A base fee that cannot follow from the one before, by an eighth a block (EIP-1559),
 * is the node's mistake: the price stays, with a GasPriceAbsurdError in `fault`.
 */
export async function gasPricesAfter(
  client: Client,
  header: Header,
  { before, smallGasLimit }: { readonly before?: GasPrices; readonly smallGasLimit: bigint },
): Promise<GasPrices> {
  // The limit of small blocks may grow too, but not at once to more than twice.
  if (before && header.gasLimit > 2n * smallGasLimit) return before
  const told = header.baseFee ?? BigInt(await client.request({ method: 'eth_gasPrice' }))
  const fault = before && faultOf(header, told, before)
  if (fault) return { ...before, fault }
  const predicted = nextBaseFee(header, told)
  const isNext = before?.number === header.number - 1n && before.fullness.length > 0
  const isExact = isNext && before.predicted === told
  // A chain may have a floor, which a prediction would fall below.
  const next = isExact || predicted > told ? predicted : told
  const { gasUsed, gasLimit } = header
  const used = gasUsed === undefined ? [] : [Number(gasUsed) / Number(gasLimit)]
  const fullness = [...(before?.fullness ?? []), ...used].slice(-ROOM_BLOCKS)
  const price = { number: header.number, baseFee: told, predicted, next, fullness }
  return { ...price, ...(await tipAfter(client, price, before)) }
}

/**
 * The block of a snapshot. Its gas limit is that of a small block: the lower limit of two
 * neighbouring blocks, because big blocks interleave with small ones.
 */
export function blockOf(
  { number, hash, timestamp, nextSeconds, gasLimit }: Header,
  {
    gasPrices: { next, tip },
    neighbour,
  }: { readonly gasPrices: GasPrices; readonly neighbour: bigint },
): Block {
  return {
    ...{ number, hash, timestamp, gasPrice: next + tip },
    ...(nextSeconds && { nextSeconds }),
    ...(tip > 0n && { priorityFee: tip }),
    gasLimit: gasLimit < neighbour ? gasLimit : neighbour,
  }
}

/** The base fee of the block after a header, by EIP-1559; the same if the node omits the gas used. */
function nextBaseFee({ gasUsed, gasLimit }: Header, baseFee: bigint): bigint {
  const target = gasLimit / 2n
  if (gasUsed === undefined || gasUsed === target || target === 0n) return baseFee
  const step = (baseFee * (gasUsed - target)) / target / 8n
  return gasUsed > target && step === 0n ? baseFee + 1n : baseFee + step
}

/** Why a base fee cannot follow from an earlier one. */
function faultOf(
  { number }: Header,
  told: bigint,
  { number: from, baseFee }: GasPrices,
): GasPriceAbsurdError | undefined {
  const blocks = number > from ? number - from : from - number
  const steps = blocks + SPARE_STEPS
  if (steps > MAX_STEPS) return undefined
  const [eight, seven, nine] = [8n ** steps, 7n ** steps, 9n ** steps]
  // Each block rounds by less than one wei, and rises by at least one.
  const [least, most] = [(baseFee * seven) / eight, (baseFee * nine) / eight + steps]
  return told < least || told > most ? new GasPriceAbsurdError(told, { least, most }) : undefined
}

/** The tip for a place in the next block, and when it was read. */
async function tipAfter(
  client: Client,
  { next, fullness }: Pick<GasPrices, 'next' | 'fullness'>,
  before: GasPrices | undefined,
): Promise<Pick<GasPrices, 'tip' | 'tipReadAtMs'>> {
  const mean = fullness.reduce((sum, share) => sum + share, 0) / fullness.length
  const readAtMs = before?.tipReadAtMs ?? Number.NEGATIVE_INFINITY
  if (!(mean >= FULL_FROM)) return { tip: 0n, tipReadAtMs: Number.NEGATIVE_INFINITY }
  const most = MAX_TIP_OVER_BASE * next
  const isRecent = steadyMs() - readAtMs < TIP_MS
  const tip = isRecent ? before!.tip : await readTip(client).catch(() => before?.tip ?? 0n)
  return { tip: tip < most ? tip : most, tipReadAtMs: isRecent ? readAtMs : steadyMs() }
}

/** The median over the newest blocks of what the stated percentile of their gas paid. */
async function readTip(client: Client): Promise<bigint> {
  const { reward = [] } = await client.request({
    method: 'eth_feeHistory',
    params: [`0x${TIP_BLOCKS.toString(16)}`, 'latest', [TIP_PERCENTILE]],
  })
  const tips = reward.map(([tip = '0x0']) => BigInt(tip)).sort((a, b) => (a < b ? -1 : 1))
  return tips[tips.length >> 1] ?? 0n
}

/** The node tells a base fee that the chain cannot have. */
export class GasPriceAbsurdError extends BaseError {
  readonly code = 'GAS_PRICE_ABSURD'

  constructor(got: bigint, { least, most }: { readonly least: bigint; readonly most: bigint }) {
    super(
      `the node's base fee is ${got} wei, which cannot follow from the blocks before: ${least} to ${most} wei can`,
      { got: `${got}`, least: `${least}`, most: `${most}` },
    )
  }
}
