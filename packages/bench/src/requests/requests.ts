import type { Address } from '@braid-swap/core'
import { type Market, weiOfDollars } from '../market.js'
import type { EthereumMarket } from '../markets/ethereum.js'
import { createPrng, type Prng } from '../prng.js'
import { type Request, toRequest } from '../request.js'
import { bestPaths } from '../routers/paths.js'

/** Terms shared by all requests of a set. */
export type Terms = {
  readonly gwei: number
  readonly maxLegs?: number
  readonly maxGas?: number
}

/** The size, seed and terms of a set of requests. */
export type Sample = Terms & { readonly count: number; readonly seed: number }

const MIXED_GWEI = 1
const MIXED_LEGS = 24

/** Order sizes in dollars of the stratified set. */
const NOTIONALS = [50, 1_000, 20_000, 500_000, 5_000_000] as const

/** (a) The ten large trades with a known optimum. */
export function referenceRequests(ethereum: EthereumMarket, terms: Terms): readonly Request[] {
  return ethereum.trades.map((trade, i) =>
    toRequest(ethereum.clean, {
      id: `reference-${i}`,
      label: `${amountName(ethereum.clean, trade.from, trade.amountIn)} ${trade.name}`,
      order: { tokenIn: trade.from, tokenOut: trade.to, amountIn: trade.amountIn },
      ...terms,
    }),
  )
}

/** (b) Pairs of every popularity at every notional, in equal numbers. */
export function stratifiedRequests(market: Market, ask: Sample): readonly Request[] {
  const prng = createPrng(ask.seed)
  const tiers = tiersOf(market)
  const requests: Request[] = []
  for (let tries = 0; requests.length < ask.count && tries < 50 * ask.count; tries++) {
    const stratum = STRATA[requests.length % STRATA.length]!
    const dollars = NOTIONALS[Math.floor(requests.length / STRATA.length) % NOTIONALS.length]!
    const request = drawRequest(market, prng, {
      from: tiers[stratum[0]],
      to: tiers[stratum[1]],
      dollars,
      id: `stratified-${requests.length}`,
      label: `${stratum.join('→')} $${dollars.toLocaleString('en')}`,
      terms: ask,
    })
    if (request) requests.push(request)
  }
  return requests
}

/** (c) Small orders between popular tokens, $5 to $3,000 log-uniform. */
export function smallRequests(market: Market, ask: Sample): readonly Request[] {
  const dollars = (prng: Prng) => prng.logBetween(5, 3_000)
  return ordersWorth(market, { ...ask, label: 'small', dollars })
}

/** Half stratified and half small orders, like the traffic of a public endpoint. */
export function mixedRequests(market: Market, count: number, seed: number): readonly Request[] {
  const terms = { count: Math.ceil(count / 2), gwei: MIXED_GWEI, maxLegs: MIXED_LEGS }
  return [
    ...stratifiedRequests(market, { ...terms, seed: seed + 10 }),
    ...smallRequests(market, { ...terms, seed: seed + 11 }),
  ]
}

/** Orders between popular tokens, each worth what `dollars` draws. */
export function ordersWorth(
  market: Market,
  ask: Sample & {
    readonly dollars: number | ((prng: Prng) => number)
    readonly label: string
  },
): readonly Request[] {
  const prng = createPrng(ask.seed)
  const { hub, major } = tiersOf(market)
  const requests: Request[] = []
  for (let tries = 0; requests.length < ask.count && tries < 50 * ask.count; tries++) {
    const request = drawRequest(market, prng, {
      from: [...hub, ...major],
      to: [...hub, ...major],
      dollars: typeof ask.dollars === 'number' ? ask.dollars : ask.dollars(prng),
      id: `${ask.label}-${requests.length}`,
      label: ask.label,
      terms: ask,
    })
    if (request) requests.push(request)
  }
  return requests
}

// $100 to $10 million.
const MIN_PAIR_DOLLARS = 100
const MAX_PAIR_DOLLARS = 1e7

/** Orders between any two tokens, unpriced and untradeable ones included. */
export function pairRequests(market: Market, ask: Sample): readonly Request[] {
  const prng = createPrng(ask.seed)
  const { hub, major, tail } = tiersOf(market)
  const tiers = [hub, major, tail]
  return Array.from({ length: ask.count }, (_, i) => {
    const tokenIn = prng.pick(tiers[i % 3]!)
    const tokenOut = prng.pick(tiers[Math.floor(i / 3) % 3]!)
    const dollars = prng.logBetween(MIN_PAIR_DOLLARS, MAX_PAIR_DOLLARS)
    const amountIn = weiOfDollars(market, tokenIn, dollars) || 1n
    const order = { tokenIn, tokenOut, amountIn }
    return toRequest(market, { ...ask, id: `pair-${i}`, label: 'pair', order })
  }).filter(({ order }) => order.tokenIn !== order.tokenOut)
}

type Tier = 'hub' | 'major' | 'tail'

const STRATA: readonly (readonly [Tier, Tier])[] = [
  ['hub', 'hub'],
  ['hub', 'major'],
  ['major', 'hub'],
  ['major', 'major'],
  ['hub', 'tail'],
  ['tail', 'hub'],
  ['tail', 'major'],
  ['tail', 'tail'],
]
const HUB_COUNT = 8
const MAJOR_COUNT = 60
const PROBE_HOPS = 4

/** Tokens in tiers of popularity, by the depth of their deepest path to native. */
function tiersOf(market: Market): Readonly<Record<Tier, readonly Address[]>> {
  const ranked = [...market.prices.depthOf].sort(([, a], [, b]) => b - a).map(([token]) => token)
  return {
    hub: ranked.slice(0, HUB_COUNT),
    major: ranked.slice(HUB_COUNT, HUB_COUNT + MAJOR_COUNT),
    tail: ranked.slice(HUB_COUNT + MAJOR_COUNT),
  }
}

function drawRequest(
  market: Market,
  prng: Prng,
  ask: {
    readonly from: readonly Address[]
    readonly to: readonly Address[]
    readonly dollars: number
    readonly id: string
    readonly label: string
    readonly terms: Terms
  },
): Request | undefined {
  if (ask.from.length === 0 || ask.to.length === 0) return undefined
  const tokenIn = prng.pick(ask.from)
  const tokenOut = prng.pick(ask.to)
  const amountIn = weiOfDollars(market, tokenIn, ask.dollars)
  if (tokenIn === tokenOut || amountIn === 0n) return undefined
  const order = { tokenIn, tokenOut, amountIn }
  if (!isSolvable(market, order)) return undefined
  const { gwei, maxLegs, maxGas } = ask.terms
  return toRequest(market, {
    id: ask.id,
    label: ask.label,
    order,
    gwei,
    ...(maxLegs === undefined ? {} : { maxLegs }),
    ...(maxGas === undefined ? {} : { maxGas }),
  })
}

// A pair without any single path would measure nothing.
function isSolvable(market: Market, order: Request['order']): boolean {
  const paths = bestPaths(market.edges, {
    from: order.tokenIn,
    to: order.tokenOut,
    amount: Number(order.amountIn),
    maxHops: PROBE_HOPS,
    count: 1,
  })
  return (paths[0]?.amountOut ?? 0) >= 1
}

function amountName(market: Market, token: Address, amountIn: bigint): string {
  const decimals = market.snapshot.tokens.find(({ address }) => address === token)?.decimals ?? 18
  const whole = Number(amountIn) / 10 ** decimals
  return whole >= 1e9 ? whole.toExponential(0).replace('+', '') : whole.toLocaleString('en')
}
