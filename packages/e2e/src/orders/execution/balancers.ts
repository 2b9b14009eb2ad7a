import type { Venue } from '@braid-swap/chain'
import type { Devnet, PricedToken } from '@braid-swap/devnet'
import {
  type BalancerSpec,
  type BalancerVenue,
  createBalancerPools,
  deployBalancer,
} from '../../families/doubles/balancer.js'
import { type BufferSpec, createBuffers } from '../../families/doubles/balancerBuffers.js'

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
  /** With 18 decimals; default 0.1 %. */
  readonly feeE18?: bigint
}

const PLANS: readonly Planned[] = [
  { symbols: ['WHYPE', 'USDC', 'UETH'], depthKUsd: 2_400, form: { percents: [50n, 25n, 25n] } },
  { symbols: ['PURR', 'WHYPE'], depthKUsd: 500, form: { percents: [80n, 20n] } },
  { symbols: ['USDC', 'USD₮0', 'USDH'], depthKUsd: 1_500, form: { amp: 200n } },
  { symbols: ['WHYPE', 'USDC'], depthKUsd: 600, form: { lambda: 10 } },
]

/** A boosted pool: nearly all that trades USOL goes through it, and through a buffer. */
const BOOSTED: Planned = {
  ...{ symbols: ['wUSDC', 'wUETH', 'USOL'], depthKUsd: 3_000 },
  ...{ form: { percents: [30n, 30n, 40n] }, feeE18: 10n ** 14n },
}

/** The wrapped tokens, by their symbol without the first letter. */
const WRAPPED = { USDC: 'OpenZeppelinVault', UETH: 'SolmateVault' } as const
/** Thousands of US dollars in the wrapped token, and in the buffer of each of its two tokens. */
const WRAPPED_K_USD = 3_000
const BUFFER_PERCENT = 30n
const GAIN_PERCENT = 4n

/** Adds pools of Balancer's own vault to a devnet, at the market's prices; one trades wrapped tokens. */
export async function addBalancers(devnet: Devnet): Promise<Venue> {
  const balancer = await deployBalancer(devnet)
  const wrapped = await addBuffers(devnet, balancer)
  const tokens = [...devnet.tokens, ...wrapped]
  const held = wrapped.map(({ address }) => address)
  const specs = [...PLANS, BOOSTED].map((plan) => ({ ...specOf(tokens, plan), held }))
  await createBalancerPools(devnet, balancer, specs)
  return balancer.venue
}

/** Adds wrapped tokens with their buffers; the deployer has the rest of their shares. */
async function addBuffers(devnet: Devnet, balancer: BalancerVenue) {
  const assets = Object.entries(WRAPPED).map(([symbol, name]) => {
    const asset = devnet.tokens.find((token) => token.symbol === symbol)!
    const deposited = weiOf(asset, WRAPPED_K_USD)
    const spec: BufferSpec = {
      ...{ asset: asset.address, name, args: name === 'SolmateVault' ? [] : [0] },
      ...{ deposited, donated: (deposited * GAIN_PERCENT) / 100n },
      ...{ assets: (deposited * BUFFER_PERCENT) / 100n, percent: BUFFER_PERCENT },
    }
    return { asset, spec }
  })
  const specs = assets.map(({ spec }) => spec)
  const created = await createBuffers(devnet, balancer, specs)
  return assets.map(({ asset }, k) => ({
    ...{ ...asset, symbol: `w${asset.symbol}`, address: created[k]! },
    usdPrice: asset.usdPrice * (1 + Number(GAIN_PERCENT) / 100),
  }))
}

function weiOf({ decimals, usdPrice }: PricedToken, kUsd: number): bigint {
  const micros = BigInt(Math.round((kUsd * 1_000 * 1e6) / usdPrice))
  return (micros * 10n ** BigInt(decimals)) / 1_000_000n
}

function specOf(
  tokens: readonly PricedToken[],
  { symbols, depthKUsd, form, feeE18 = 10n ** 15n }: Planned,
): BalancerSpec {
  const parts =
    'percents' in form ? form.percents : symbols.map(() => 100n / BigInt(symbols.length))
  const own = symbols
    .map((symbol, k) => {
      const token = tokens.find((known) => known.symbol === symbol)!
      // Stable tokens are worth a dollar each.
      const price = 'amp' in form ? 1 : token.usdPrice
      const kUsd = (depthKUsd * Number(parts[k]!)) / 100
      const amount = weiOf({ ...token, usdPrice: price }, kUsd)
      return { address: token.address, amount, price, weight: (parts[k]! * E18) / 100n }
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1))
  return {
    tokens: own.map(({ address }) => address),
    amounts: own.map(({ amount }) => amount),
    ...{ fee: feeE18, withRates: [] },
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
