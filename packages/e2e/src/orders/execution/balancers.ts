import type { Venue } from '@braid-swap/chain'
import type { Devnet, PricedToken } from '@braid-swap/devnet'
import {
  type BalancerSpec,
  type BalancerVenue,
  createBalancerPools,
  deployBalancer,
} from '../../families/doubles/balancer.js'
import { createBuffers } from '../../families/doubles/balancerBuffers.js'
import {
  type BalancerV2Spec,
  createBalancerV2Pools,
  deployBalancerV2,
} from '../../families/doubles/balancerV2.js'
import { tokensOf, weiOf } from './priced.js'

/**
 * A pool: its tokens, its depth in thousands of US dollars, and an amplification, weights, or the stretch
 * of an ellipse of the prices up to a quarter from the market's.
 */
type Planned = readonly [
  symbols: string,
  depthKUsd: number,
  form: { readonly amp: bigint } | { readonly percents: readonly bigint[] } | { lambda: number },
]

/** Of V3. Nearly all that trades USOL goes through the last, a boosted pool, and through a buffer. */
const PLANS: readonly Planned[] = [
  ['WHYPE/USDC/UETH', 2_400, { percents: [50n, 25n, 25n] }],
  ['PURR/WHYPE', 500, { percents: [80n, 20n] }],
  ['USDC/USD₮0/USDH', 1_500, { amp: 200n }],
  ['WHYPE/USDC', 600, { lambda: 10 }],
  ['wUSDC/wUETH/USOL', 3_000, { percents: [30n, 30n, 40n] }],
]
const PLANS_V2: readonly Planned[] = [
  ['WHYPE/USDC/UBTC', 2_100, { percents: [40n, 30n, 30n] }],
  ['PURR/WHYPE', 450, { percents: [80n, 20n] }],
  ['USDC/USD₮0/USDH', 1_300, { amp: 300n }],
]
const FEE = 10n ** 15n
const BOOSTED_FEE = 10n ** 14n

/** Thousands of US dollars in a wrapped token, and in the buffer of each of its two tokens. */
const WRAPPED_K_USD = 3_000
const BUFFER_PERCENT = 30n
const GAIN_PERCENT = 4n

/** Adds pools of both of Balancer's own vaults to a devnet, at the market's prices; one trades wrapped tokens. */
export async function addBalancers(devnet: Devnet): Promise<readonly Venue[]> {
  const v3 = await deployBalancer(devnet)
  const wrapped = await addBuffers(devnet, v3)
  const held = wrapped.map(({ address }) => address)
  const market = { record: devnet.record, tokens: [...devnet.tokens, ...wrapped] }
  const specs = PLANS.map((plan): BalancerSpec => {
    const fee = plan[0].startsWith('w') ? BOOSTED_FEE : FEE
    return { ...specOf(market, plan), fee, withRates: [], held }
  })
  await createBalancerPools(devnet, v3, specs)
  const v2 = await deployBalancerV2(devnet)
  const specsV2 = PLANS_V2.map((plan) => {
    const spec = specOf(market, plan)
    return { ...spec, fee: FEE, rateSeconds: spec.tokens.map(() => undefined) } as BalancerV2Spec
  })
  await createBalancerV2Pools(devnet, v2, specsV2)
  return [v3.venue, v2.venue]
}

/** Adds wrapped tokens with their buffers; the deployer has the rest of their shares. */
async function addBuffers(devnet: Devnet, balancer: BalancerVenue): Promise<PricedToken[]> {
  const assets = tokensOf(devnet, 'USDC/UETH')
  const specs = assets.map((asset, k) => {
    const deposited = weiOf(asset, WRAPPED_K_USD)
    const own = [
      { name: 'OpenZeppelinVault', args: [0] },
      { name: 'SolmateVault', args: [] },
    ] as const
    return {
      ...{ ...own[k as 0 | 1], asset: asset.address, percent: BUFFER_PERCENT },
      ...{ deposited, donated: (deposited * GAIN_PERCENT) / 100n },
      assets: (deposited * BUFFER_PERCENT) / 100n,
    }
  })
  const created = await createBuffers(devnet, balancer, specs)
  return assets.map((asset, k) => ({
    ...{ ...asset, symbol: `w${asset.symbol}`, address: created[k]! },
    usdPrice: asset.usdPrice * (1 + Number(GAIN_PERCENT) / 100),
  }))
}

function specOf(market: Pick<Devnet, 'tokens' | 'record'>, [symbols, depthKUsd, form]: Planned) {
  const named = tokensOf(market, symbols)
  const parts = 'percents' in form ? form.percents : named.map(() => 100n / BigInt(named.length))
  const own = named
    .map(({ address, decimals, usdPrice }, k) => {
      // Stable tokens are worth a dollar each.
      const price = 'amp' in form ? 1 : usdPrice
      const amount = weiOf({ decimals, usdPrice: price }, (depthKUsd * Number(parts[k]!)) / 100)
      return { address, amount, price, weight: parts[k]! * 10n ** 16n }
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1))
  const common = {
    tokens: own.map(({ address }) => address),
    amounts: own.map(({ amount }) => amount),
  }
  if ('amp' in form) return { ...common, amp: form.amp }
  if ('percents' in form) return { ...common, weights: own.map(({ weight }) => weight) }
  const price = own[0]!.price / own[1]!.price
  const ellipse = { alpha: price / 1.25, beta: price * 1.25, price, lambda: form.lambda }
  return { ...common, ellipse }
}
