import type { Venue } from '@braid-swap/chain'
import type { Bin } from '@braid-swap/core/families'
import type { Devnet } from '@braid-swap/devnet'
import { type BinsSpec, createBinsDoubles, deployBinsDoubles } from '../../families/doubles/bins.js'

/** A pair: its symbols, token X first, its bin step, and its depth in thousands of US dollars. */
type Planned = readonly [symbols: string, binStep: number, depthKUsd: number]

const PLANS: readonly Planned[] = [
  ['WHYPE/USDC', 20, 900],
  ['USDC/USD₮0', 1, 1_500],
  ['UETH/WHYPE', 25, 600],
]

const MIDDLE_ID = 1 << 23
/** Bins on each side of the active one. */
const BINS = 15

/** Adds pairs of Liquidity Book to a devnet, at the market's initial prices. */
export async function addBins(devnet: Devnet): Promise<Venue> {
  const venue = await deployBinsDoubles(devnet)
  await createBinsDoubles(
    devnet,
    venue,
    PLANS.map((plan) => specOf(devnet, plan)),
  )
  return venue
}

function specOf({ tokens }: Devnet, [symbols, binStep, depthKUsd]: Planned): BinsSpec {
  const [x, y] = symbols.split('/').map((symbol) => tokens.find((t) => t.symbol === symbol)!)
  const scale = 10 ** (y!.decimals - x!.decimals)
  const price = (x!.usdPrice / y!.usdPrice) * scale
  const activeId = MIDDLE_ID + Math.round(Math.log(price) / Math.log1p(binStep / 10_000))
  const eachKUsd = depthKUsd / 2 / (BINS + 1)
  const amount = ({ decimals, usdPrice }: { decimals: number; usdPrice: number }) =>
    (BigInt(Math.round(((eachKUsd * 1_000) / usdPrice) * 1e6)) * 10n ** BigInt(decimals)) /
    1_000_000n
  const bins = Array.from({ length: 2 * BINS + 1 }, (_, k): Bin => {
    const offset = k - BINS
    const reserves = [offset < 0 ? 0n : amount(x!), offset > 0 ? 0n : amount(y!)] as const
    return { id: activeId + offset, reserves }
  })
  return {
    ...{ tokens: [x!.address, y!.address], binStep, activeId, bins },
    staticFee: {
      ...{ baseFactor: binStep === 1 ? 10_000n : 5_000n, filterPeriod: 30n, decayPeriod: 600n },
      ...{ reductionFactor: 5_000n, variableFeeControl: 40_000n, protocolShare: 1_000n },
      maxVolatilityAccumulator: 350_000n,
    },
  }
}
