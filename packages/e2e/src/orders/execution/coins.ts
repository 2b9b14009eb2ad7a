import type { Venue } from '@braid-swap/chain'
import type { Bin } from '@braid-swap/core/families'
import type { Devnet } from '@braid-swap/devnet'
import { type BinsSpec, createBinsDoubles, deployBinsDoubles } from '../../families/doubles/bins.js'
import {
  type CryptoSwapSpec,
  createCryptoSwaps,
  deployCryptoDoubles,
} from '../../families/doubles/cryptoSwaps.js'
import {
  createStableSwaps,
  deployCurveDoubles,
  type StableSwapSpec,
} from '../../families/doubles/stableSwaps.js'
import { tokensOf, weiOf } from './priced.js'

/** Adds pools of Curve and pairs of Liquidity Book to a devnet, at the market's initial prices. */
export async function addCoins(devnet: Devnet): Promise<readonly Venue[]> {
  const stable = await deployCurveDoubles(devnet)
  await createStableSwaps(devnet, stable, STABLE.map(stableSpec(devnet)))
  const crypto = await deployCryptoDoubles(devnet)
  await createCryptoSwaps(devnet, crypto, CRYPTO.map(cryptoSpec(devnet)))
  const bins = await deployBinsDoubles(devnet)
  await createBinsDoubles(devnet, bins, BINS.map(binsSpec(devnet)))
  return [stable, crypto, bins]
}

/** Pools of dollars: their coins, their depth in thousands of US dollars, and their fee off balance. */
const STABLE = [
  ['USDC/USD₮0/USDH', 3_000, { isNg: true, offpegFeeMultiplier: 0n }],
  ['USDe/USDC', 1_200, { isNg: true, offpegFeeMultiplier: 5n * 10n ** 10n }],
  ['USDH/USDe/USD₮0', 900, { isNg: false, offpegFeeMultiplier: 0n }],
] as const

const stableSpec =
  (devnet: Devnet) =>
  ([symbols, depthKUsd, own]: (typeof STABLE)[number]): StableSwapSpec => {
    const coins = tokensOf(devnet, symbols)
    return {
      ...{ ...own, tokens: coins.map(({ address }) => address) },
      // Each coin is worth a dollar, and there is a tenth more of it than of the one before.
      balances: coins.map(({ decimals }, k) =>
        weiOf({ decimals, usdPrice: 1 }, ((depthKUsd / coins.length) * (10 + k)) / 10),
      ),
      rates: coins.map(({ decimals }) => 10n ** BigInt(36 - decimals)),
      ...{ A: own.isNg ? 200_00n : 100n, aPrecision: own.isNg ? 100n : 1n },
      ...{ fee: 4_000_000n, adminFee: 5_000_000_000n },
    }
  }

/** Pools of coins that are not pegged, and their depth. */
const CRYPTO = [
  ['USDC/WHYPE', 2_500],
  ['WHYPE/UETH', 1_500],
  ['USD₮0/UBTC/UETH', 2_000],
] as const

const cryptoSpec =
  (devnet: Devnet) =>
  ([symbols, depthKUsd]: (typeof CRYPTO)[number]): CryptoSwapSpec => {
    const coins = tokensOf(devnet, symbols)
    const prices = coins.slice(1).map(({ usdPrice }) => usdPrice / coins[0].usdPrice)
    return {
      tokens: coins.map(({ address }) => address),
      // Each coin a twentieth above the one before it.
      balances: coins.map((coin, k) => weiOf(coin, (depthKUsd / coins.length) * (1 + k / 20))),
      precisions: coins.map(({ decimals }) => 10n ** BigInt(18 - decimals)),
      priceScales: prices.map((price) => BigInt(Math.round(price * 1e9)) * 10n ** 9n),
      ...(coins.length === 2
        ? { A: 20_000_000n, gamma: 10n ** 15n }
        : { A: 2_700_000n, gamma: 13n * 10n ** 12n }),
      ...{ midFee: 2_600_000n, outFee: 30_000_000n, feeGamma: 5n * 10n ** 15n },
      allowedExtraProfit: 10n ** 12n,
    }
  }

/** Pairs of bins, token X first: their bin step and their depth. */
const BINS = [
  ['WHYPE/USDC', 20, 900],
  ['USDC/USD₮0', 1, 1_500],
  ['UETH/WHYPE', 25, 600],
] as const
const MIDDLE_ID = 1 << 23
/** Bins on each side of the active one. */
const SIDE = 15

const binsSpec =
  (devnet: Devnet) =>
  ([symbols, binStep, depthKUsd]: (typeof BINS)[number]): BinsSpec => {
    const [x, y] = tokensOf(devnet, symbols)
    const price = (x.usdPrice / y.usdPrice) * 10 ** (y.decimals - x.decimals)
    const activeId = MIDDLE_ID + Math.round(Math.log(price) / Math.log1p(binStep / 10_000))
    const eachKUsd = depthKUsd / 2 / (SIDE + 1)
    const bins = Array.from({ length: 2 * SIDE + 1 }, (_, k): Bin => {
      const offset = k - SIDE
      const [left, right] = [offset < 0 ? 0n : weiOf(x, eachKUsd), weiOf(y, eachKUsd)]
      return { id: activeId + offset, reserves: [left, offset > 0 ? 0n : right] }
    })
    return {
      ...{ tokens: [x.address, y.address], binStep, activeId, bins },
      staticFee: {
        ...{ baseFactor: binStep === 1 ? 10_000n : 5_000n, filterPeriod: 30n, decayPeriod: 600n },
        ...{ reductionFactor: 5_000n, variableFeeControl: 40_000n, protocolShare: 1_000n },
        maxVolatilityAccumulator: 350_000n,
      },
    }
  }
