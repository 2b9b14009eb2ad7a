import type { Venue } from '@braid-swap/chain'
import type { Devnet } from '@braid-swap/devnet'
import {
  type BalancerSpec,
  createBalancerPools,
  deployBalancer,
} from '../../families/doubles/balancer.js'

const E18 = 10n ** 18n

/**
 * A pool: its tokens, its depth in thousands of US dollars, and an amplification, weights, or the stretch
 * of an ellipse of the prices up to a quarter from the market's.
 */
type Planned = {
  readonly symbols: readonly string[]
  readonly depthKUsd: number
  readonly form:
    | { readonly amp: bigint }
    | { readonly percents: readonly bigint[] }
    | { readonly lambda: number }
}

const PLANS: readonly Planned[] = [
  { symbols: ['WHYPE', 'USDC', 'UETH'], depthKUsd: 2_400, form: { percents: [50n, 25n, 25n] } },
  { symbols: ['PURR', 'WHYPE'], depthKUsd: 500, form: { percents: [80n, 20n] } },
  { symbols: ['USDC', 'USD₮0', 'USDH'], depthKUsd: 1_500, form: { amp: 200n } },
  { symbols: ['WHYPE', 'USDC'], depthKUsd: 600, form: { lambda: 10 } },
]

/** Adds pools of Balancer's own vault to a devnet, at the market's prices. */
export async function addBalancers(devnet: Devnet): Promise<Venue> {
  const balancer = await deployBalancer(devnet)
  await createBalancerPools(
    devnet,
    balancer,
    PLANS.map((plan) => specOf(devnet, plan)),
  )
  return balancer.venue
}

function specOf(devnet: Devnet, { symbols, depthKUsd, form }: Planned): BalancerSpec {
  const parts =
    'percents' in form ? form.percents : symbols.map(() => 100n / BigInt(symbols.length))
  const own = symbols
    .map((symbol, k) => {
      const token = devnet.tokens.find((known) => known.symbol === symbol)!
      // Stable tokens are worth a dollar each.
      const price = 'amp' in form ? 1 : token.usdPrice
      const usd = (depthKUsd * 1_000 * Number(parts[k]!)) / 100
      const micros = BigInt(Math.round((usd / price) * 1e6))
      const amount = (micros * 10n ** BigInt(token.decimals)) / 1_000_000n
      return { address: token.address, amount, price, weight: (parts[k]! * E18) / 100n }
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1))
  return {
    tokens: own.map(({ address }) => address),
    amounts: own.map(({ amount }) => amount),
    ...{ fee: 10n ** 15n, withRates: [] },
    ...formOf(form, own),
  }
}

function formOf(
  form: Planned['form'],
  own: readonly { readonly price: number; readonly weight: bigint }[],
) {
  if ('amp' in form) return { amp: form.amp }
  if ('percents' in form) return { weights: own.map(({ weight }) => weight) }
  const price = own[0]!.price / own[1]!.price
  return { ellipse: { alpha: price / 1.25, beta: price * 1.25, price, lambda: form.lambda } }
}
