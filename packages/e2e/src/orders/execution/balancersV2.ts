import type { Venue } from '@braid-swap/chain'
import type { Devnet } from '@braid-swap/devnet'
import {
  type BalancerV2Spec,
  createBalancerV2Pools,
  deployBalancerV2,
} from '../../families/doubles/balancerV2.js'

const E18 = 10n ** 18n

/** A pool: its tokens, its depth in thousands of US dollars, and an amplification or weights. */
type Planned = {
  readonly symbols: readonly string[]
  readonly depthKUsd: number
  readonly form: { readonly amp: bigint } | { readonly percents: readonly bigint[] }
}

const PLANS: readonly Planned[] = [
  { symbols: ['WHYPE', 'USDC', 'UBTC'], depthKUsd: 2_100, form: { percents: [40n, 30n, 30n] } },
  { symbols: ['PURR', 'WHYPE'], depthKUsd: 450, form: { percents: [80n, 20n] } },
  { symbols: ['USDC', 'USD₮0', 'USDH'], depthKUsd: 1_300, form: { amp: 300n } },
]

/** Adds pools of Balancer's own V2 vault to a devnet, at the market's prices. */
export async function addBalancersV2(devnet: Devnet): Promise<Venue> {
  const balancer = await deployBalancerV2(devnet)
  await createBalancerV2Pools(
    devnet,
    balancer,
    PLANS.map((plan) => specOf(devnet, plan)),
  )
  return balancer.venue
}

function specOf(devnet: Devnet, { symbols, depthKUsd, form }: Planned): BalancerV2Spec {
  const parts = 'percents' in form ? form.percents : symbols.map(() => 100n / 3n)
  const own = symbols
    .map((symbol, k) => {
      const token = devnet.tokens.find((known) => known.symbol === symbol)!
      // Stable tokens are worth a dollar each.
      const price = 'amp' in form ? 1 : token.usdPrice
      const usd = (depthKUsd * 1_000 * Number(parts[k]!)) / 100
      const micros = BigInt(Math.round((usd / price) * 1e6))
      const amount = (micros * 10n ** BigInt(token.decimals)) / 1_000_000n
      return { address: token.address, amount, weight: (parts[k]! * E18) / 100n }
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1))
  const common = {
    tokens: own.map(({ address }) => address),
    amounts: own.map(({ amount }) => amount),
    fee: 10n ** 15n,
  }
  return 'amp' in form
    ? { ...common, amp: form.amp, rateSeconds: own.map(() => undefined) }
    : { ...common, weights: own.map(({ weight }) => weight) }
}
