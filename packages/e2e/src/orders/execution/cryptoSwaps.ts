import type { Venue } from '@braid-swap/chain'
import type { Devnet } from '@braid-swap/devnet'
import {
  type CryptoSwapSpec,
  createCryptoSwaps,
  deployCryptoDoubles,
} from '../../families/doubles/cryptoSwaps.js'

/** A pool of coins that are not pegged, and its depth in thousands of US dollars. */
type Planned = {
  readonly symbols: readonly string[]
  readonly depthKUsd: number
}

const PLANS: readonly Planned[] = [
  { symbols: ['USDC', 'WHYPE'], depthKUsd: 2_500 },
  { symbols: ['WHYPE', 'UETH'], depthKUsd: 1_500 },
  { symbols: ['USD₮0', 'UBTC', 'UETH'], depthKUsd: 2_000 },
]

/** Adds Twocrypto and Tricrypto pools to a devnet, at the market's prices. */
export async function addCryptoSwaps(devnet: Devnet): Promise<Venue> {
  const venue = await deployCryptoDoubles(devnet)
  await createCryptoSwaps(
    devnet,
    venue,
    PLANS.map((plan) => specOf(devnet, plan)),
  )
  return venue
}

function specOf({ tokens }: Devnet, { symbols, depthKUsd }: Planned): CryptoSwapSpec {
  const coins = symbols.map((symbol) => tokens.find((token) => token.symbol === symbol)!)
  const usd = (depthKUsd * 1_000) / coins.length
  const prices = coins.slice(1).map(({ usdPrice }) => usdPrice / coins[0]!.usdPrice)
  return {
    tokens: coins.map(({ address }) => address),
    // Each coin a twentieth above the one before it.
    balances: coins.map(({ decimals, usdPrice }, k) => {
      const whole = BigInt(Math.round((usd / usdPrice) * (1 + k / 20) * 1e6))
      return (whole * 10n ** BigInt(decimals)) / 1_000_000n
    }),
    precisions: coins.map(({ decimals }) => 10n ** BigInt(18 - decimals)),
    priceScales: prices.map((price) => BigInt(Math.round(price * 1e9)) * 10n ** 9n),
    ...(coins.length === 2
      ? { A: 20_000_000n, gamma: 10n ** 15n }
      : { A: 2_700_000n, gamma: 13n * 10n ** 12n }),
    ...{ midFee: 2_600_000n, outFee: 30_000_000n, feeGamma: 5n * 10n ** 15n },
    allowedExtraProfit: 10n ** 12n,
  }
}
