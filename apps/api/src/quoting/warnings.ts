import type { BlockKind } from '@braid-swap/chain'
import type { Block } from '@braid-swap/core'
import { judgeSlippage, ownValue } from '@braid-swap/core/advanced'
import type { LiveMarket } from '../market/liveMarket.js'
import { isChecksumWrong } from '../wire/addresses.js'
import type { RawParameters } from '../wire/readParameters.js'
import type { Warning } from '../wire/responses.js'

/** A warning for every mixed-case address whose EIP-55 checksum is wrong. */
export function checksumWarnings(
  query: RawParameters,
  names: readonly string[],
): readonly Warning[] {
  return names
    .filter((name) => isChecksumWrong(String(ownValue(query, name) ?? '')))
    .map((name) => ({
      code: 'CHECKSUM_MISMATCH',
      message: `the case of ${name} does not match its EIP-55 checksum`,
    }))
}

/**
 * Warnings while pools are left out because a price or rate that somebody moves is off the market or stepped, while
 * sampled pools are served without a comparison because no book answers, and while states are unproved.
 */
export function guardWarnings({ discovery }: Pick<LiveMarket, 'discovery'>): readonly Warning[] {
  const { setAside, pricesCompared, unproved } = discovery?.() ?? {}
  return [...proofWarnings(unproved), ...priceWarnings(pricesCompared, setAside)]
}

/** A warning while a log of some pools may be missing. */
function proofWarnings(unproved: number | undefined): readonly Warning[] {
  if (unproved === undefined) return []
  const message = `the states of ${unproved} pools are unproved: the node may have left out logs, so they are read again`
  return [{ code: 'STATE_UNPROVED', message }]
}

function priceWarnings(
  pricesCompared: boolean | undefined,
  setAside: Readonly<Record<string, number>> | undefined,
): readonly Warning[] {
  if (pricesCompared === false) {
    const message = 'sampled pools are not compared with the order book, because no book answers'
    return [{ code: 'PRICES_NOT_COMPARED', message }]
  }
  const count = (setAside?.['POOL_OFF_MARKET'] ?? 0) + (setAside?.['POOL_RATE_STEPPED'] ?? 0)
  if (count === 0) return []
  const message = `${count} pools are left out: a price or rate that somebody moves is off the market, or stepped`
  return [{ code: 'POOLS_OFF_MARKET', message }]
}

/** A warning for a transaction that reverts unless the calls before it are sent. */
export function approvalWarnings(approvals: readonly unknown[]): readonly Warning[] {
  if (approvals.length === 0) return []
  const message =
    'tx alone reverts, because the allowance is short: send calls, all of them in order'
  return [{ code: 'APPROVAL_NEEDED', message }]
}

const FRACTION_BELOW_PPM = 100

/** A warning for a slippage that looks like a mistake. */
export function slippageWarnings(ppm: number, isPurchase: boolean): readonly Warning[] {
  if (ppm > 0 && ppm < FRACTION_BELOW_PPM) {
    const message = 'slippage is in percent: 0.5 means half a percent'
    return [{ code: 'SLIPPAGE_LOOKS_LIKE_FRACTION', message }]
  }
  return judgeSlippage(ppm, isPurchase)
}

/**
 * Warnings for a gas limit above that of the wallet's blocks or below the estimate, and for a wallet
 * whose swaps wait for big blocks.
 */
export function gasWarnings(of: {
  gas: bigint
  gasLimit: bigint
  blockGasLimit: bigint
  /** Absent or null if unknown. */
  usingBigBlocks: boolean | null | undefined
  /** The kinds of blocks of the chain. */
  blocks: readonly BlockKind[]
}): readonly Warning[] {
  const warnings: Warning[] = []
  const [usual, rare] = of.blocks
  if (of.usingBigBlocks) {
    const every = rare?.everyMs === 60_000 ? 'minute' : `${(rare?.everyMs ?? 0) / 1_000} s`
    const message = `this wallet uses ${rare?.name ?? 'big'} blocks, one per ${every}: prices may move before the swap lands`
    warnings.push({ code: 'WALLET_USES_BIG_BLOCKS', message })
  } else if (of.gasLimit > of.blockGasLimit) {
    const limit = `the gas limit exceeds the ${usual!.name} block limit of ${of.blockGasLimit}`
    const message = rare
      ? `${limit}: only a wallet that uses ${rare.name} blocks can send it${rare.choice ? ` (${rare.choice})` : ''}`
      : `${limit}: no block has room for it`
    warnings.push({ code: 'BIG_BLOCK_REQUIRED', message })
  }
  if (of.gasLimit < of.gas) {
    const message = `the gas limit is below the estimate of ${of.gas}`
    warnings.push({ code: 'GAS_LIMIT_BELOW_ESTIMATE', message })
  }
  return warnings
}

/** A deadline this many times the block's time is in milliseconds: in seconds it is thousands of years away. */
const MILLISECONDS_FROM = 100n
/** Twice the price after six full blocks and more. */
const GAS_PRICE_HIGH_FROM = 20n

/** Warnings for a deadline and a gas price that look like another unit than seconds and wei. */
export function unitWarnings(
  {
    deadline,
    gasPrice,
  }: { readonly deadline?: bigint | undefined; readonly gasPrice?: bigint | undefined },
  block: Pick<Block, 'timestamp' | 'gasPrice'>,
): readonly Warning[] {
  const warnings: Warning[] = []
  if (deadline !== undefined && deadline > MILLISECONDS_FROM * block.timestamp) {
    const message = 'deadline looks like milliseconds and never ends the swap: it is in seconds'
    warnings.push({ code: 'DEADLINE_LOOKS_LIKE_MILLISECONDS', message })
  }
  if (gasPrice !== undefined && gasPrice < block.gasPrice) {
    const message = `gasPrice is below the ${block.gasPrice} wei of the next block: the swap waits, or is dropped`
    warnings.push({ code: 'GAS_PRICE_BELOW_BASE_FEE', message })
  }
  if (gasPrice !== undefined && gasPrice > GAS_PRICE_HIGH_FROM * block.gasPrice) {
    const message = `gasPrice is more than ${GAS_PRICE_HIGH_FROM} times the ${block.gasPrice} wei of the next block: it is in wei`
    warnings.push({ code: 'GAS_PRICE_ABSURD', message })
  }
  return warnings
}
