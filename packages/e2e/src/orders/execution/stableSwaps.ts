import type { Venue } from '@braid-swap/chain'
import type { Devnet } from '@braid-swap/devnet'
import {
  createStableSwaps,
  deployCurveDoubles,
  type StableSwapSpec,
} from '../../families/doubles/stableSwaps.js'

const E10 = 10n ** 10n

/** A pool of dollars: its coins, its depth in thousands of US dollars, and its fee off balance. */
type Planned = {
  readonly symbols: readonly string[]
  readonly depthKUsd: number
  readonly isNg: boolean
  readonly offpeg: bigint
}

const PLANS: readonly Planned[] = [
  { symbols: ['USDC', 'USD₮0', 'USDH'], depthKUsd: 3_000, isNg: true, offpeg: 0n },
  { symbols: ['USDe', 'USDC'], depthKUsd: 1_200, isNg: true, offpeg: 5n * E10 },
  { symbols: ['USDH', 'USDe', 'USD₮0'], depthKUsd: 900, isNg: false, offpeg: 0n },
]

/** Adds StableSwap pools to a devnet, each coin worth a dollar. */
export async function addStableSwaps(devnet: Devnet): Promise<Venue> {
  const venue = await deployCurveDoubles(devnet)
  await createStableSwaps(
    devnet,
    venue,
    PLANS.map((plan) => specOf(devnet, plan)),
  )
  return venue
}

function specOf({ tokens }: Devnet, { symbols, depthKUsd, isNg, offpeg }: Planned): StableSwapSpec {
  const coins = symbols.map((symbol) => tokens.find((token) => token.symbol === symbol)!)
  const whole = BigInt(Math.round((depthKUsd * 1_000) / coins.length))
  return {
    ...{ tokens: coins.map(({ address }) => address), isNg },
    // Each coin a tenth above the one before it.
    balances: coins.map(
      ({ decimals }, k) => (whole * BigInt(10 + k) * 10n ** BigInt(decimals)) / 10n,
    ),
    rates: coins.map(({ decimals }) => 10n ** BigInt(36 - decimals)),
    ...{ A: isNg ? 200_00n : 100n, aPrecision: isNg ? 100n : 1n },
    ...{ fee: 4_000_000n, offpegFeeMultiplier: offpeg, adminFee: 5_000_000_000n },
  }
}
