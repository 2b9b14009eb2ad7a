import { buildGraph, type Graph, NATIVE, type Quote, quote, type Snapshot } from '@braid-swap/core'
import { quoteHops } from '@braid-swap/core/advanced'
import { type Market, weiOfDollars } from '../market.js'
import { generateMarket } from '../markets/generated.js'
import { createPrng } from '../prng.js'
import { ordersWorth } from '../requests/requests.js'
import { hyperEvmMarket, SMALL_BLOCK_GAS } from '../requests/terms.js'
import type { Goal, Lab, Measured } from './goal.js'

const NOTIONALS = [30, 300, 3_000, 30_000, 300_000]
const GENERATED_POOLS = 1_000
// Wei per gas at the block of the Ethereum market.
const ETHEREUM_GAS_PRICE = 133_794_975n

type Options = NonNullable<Parameters<typeof quote>[2]>

/** Options from the tightest to the loosest: each may use whatever the one before it may. */
const LOOSER: Readonly<Record<string, readonly Options[]>> = {
  gas: [1e6, 2e6, 3e6, 6e6, 12e6, 30e6].map((maxGas) => ({ maxGas })),
  legs: [4, 8, 16, 24, 40].map((maxLegs) => ({ maxLegs })),
  hops: [3, 4, 6, 10].map((maxHops) => ({ maxHops })),
}
const NEIGHBOURS = [70n, 85n, 95n, 98n, 102n, 105n, 115n, 130n]
// The rounding of shares, and what a neighbour may know better, both in basis points.
const ROUNDING = 0.01
const MAX_NEIGHBOUR_LOSS = 1
const MAX_NEIGHBOURS_LOST = 0.001
// What small pools between the market's own tokens may cost in basis points: noise, and to how many orders how much.
const DUST_NOISE = 1
const MAX_DUSTY_LOST = 0.01
const MAX_DUSTY_LOSS = 10

/** A loss that no reason but the search explains, in basis points. */
type Loss = { readonly kind: string; readonly market: string; readonly bps: number }

/** An order pays no less where more is allowed, or beside pools that it does not need. */
export const monotone: Goal = {
  name: 'monotone',
  question: 'Does an order ever pay less where more is allowed?',
  target:
    'more pools, looser gas (1M to 30M), legs and hops, any certificate: no loss beyond rounding; beside 20 and 200 pairs of $50 to $200 between its tokens, at the market’s price or far from it: at most 1 % of orders lose 1 bp, none 10; the route of 0.7 to 1.3 times the amount: better for at most 0.1 % of orders, by at most 1 bp',
  measure,
}

function measure(lab: Lab): Measured {
  const hyperEvm = hyperEvmMarket()
  const markets: readonly Market[] = [
    withBlock(hyperEvm, { gasLimit: BigInt(SMALL_BLOCK_GAS) }),
    withBlock(lab.ethereum.clean, { gasPrice: ETHEREUM_GAS_PRICE }),
    generateMarket(GENERATED_POOLS, lab.seed),
  ]
  const losses: Loss[] = []
  let orders = 0
  for (const market of markets) {
    const graph = buildGraph(market.snapshot)
    const larger = {
      pools: [buildGraph(withStrangers(market.snapshot))],
      dust: dustOf(market, lab).map((one) => buildGraph(one)),
    }
    for (const dollars of NOTIONALS) {
      const label = `$${dollars}`
      const count = lab.isQuick ? 2 : 60
      for (const { order } of ordersWorth(market, {
        count,
        seed: lab.seed,
        label,
        dollars,
        gwei: 0,
      })) {
        orders++
        losses.push(
          ...lossesOf(graph, larger, order).map((loss) => ({ ...loss, market: market.name })),
        )
      }
    }
  }
  return toMeasured(losses, orders)
}

function toMeasured(losses: readonly Loss[], orders: number): Measured {
  const kinds = [...Object.keys(LOOSER), 'certificate', 'pools', 'dust', 'neighbour']
  const rows = kinds.map((kind) => {
    const of = losses.filter((loss) => loss.kind === kind)
    return [kind, of.length, Math.max(0, ...of.map(({ bps }) => bps))] as const
  })
  const dusty = losses.filter(({ kind }) => kind === 'dust')
  const strict = losses.filter(({ kind }) => kind !== 'neighbour' && kind !== 'dust')
  const near = losses.filter(({ kind }) => kind === 'neighbour')
  return {
    measured: `${orders} orders: ${strict.length} pay less where more is allowed, ${dusty.length} beside small pools; ${near.length} have a better neighbour`,
    isReached:
      strict.length === 0 &&
      dusty.length <= MAX_DUSTY_LOST * orders &&
      dusty.every(({ bps }) => bps <= MAX_DUSTY_LOSS) &&
      near.length <= MAX_NEIGHBOURS_LOST * orders &&
      near.every(({ bps }) => bps <= MAX_NEIGHBOUR_LOSS),
    tables: [{ title: 'losses', columns: ['kind', 'orders', 'worst bp'], rows }],
    figures: rows.map(([kind, count]) => ({
      name: `monotone ${kind}`,
      value: count,
      better: 'low',
    })),
  }
}

function lossesOf(
  graph: Graph,
  larger: { readonly pools: readonly Graph[]; readonly dust: readonly Graph[] },
  order: Quote['order'],
): readonly Omit<Loss, 'market'>[] {
  const losses: Omit<Loss, 'market'>[] = []
  const plain = tryQuote(graph, order)
  if (!plain) return []
  const gasCost = plain.bound?.gasCost ?? 0
  const netOf = ({ amountOut, gas }: Pick<Quote, 'amountOut' | 'gas'>) =>
    Number(amountOut) - gasCost * gas
  const compare = (kind: string, before: number, after: number, allowed = ROUNDING) => {
    const bps = (1 - after / before) * 1e4
    if (before > 0 && bps > allowed) losses.push({ kind, bps })
  }
  const netBy = (options: Options, by = graph) => {
    const found = tryQuote(by, order, options)
    return found ? netOf(found) : 0
  }
  for (const [kind, options] of Object.entries(LOOSER)) {
    const nets = options.map((one) => netBy(one))
    for (const [n, net] of nets.slice(1).entries()) compare(kind, nets[n]!, net)
  }
  const [fast, paths] = [netBy({ certificate: 'fast' }), netBy({ certificate: 'paths' })]
  compare('certificate', Math.max(fast, paths), Math.min(fast, paths))
  for (const wider of larger.pools) compare('pools', netOf(plain), netBy({}, wider))
  const besideDust = larger.dust.map((wider) => netBy({}, wider))
  compare('dust', netOf(plain), Math.min(...besideDust), DUST_NOISE)
  const others = NEIGHBOURS.map((percent) => {
    const near = tryQuote(graph, { ...order, amountIn: (order.amountIn * percent) / 100n })
    const same = near && quoteHops(graph, order, near.route)
    return same ? netOf(same) : 0
  })
  compare('neighbour', Math.max(...others), netOf(plain))
  return losses
}

function tryQuote(graph: Graph, order: Quote['order'], options: Options = {}): Quote | undefined {
  try {
    return quote(graph, order, options)
  } catch {
    // An order that a tighter limit refuses has nothing to lose.
    return undefined
  }
}

function withBlock(market: Market, block: Partial<Snapshot['block']>): Market {
  const { snapshot } = market
  return { ...market, snapshot: { ...snapshot, block: { ...snapshot.block, ...block } } }
}

/** The market with 200 pools between two tokens of their own. */
function withStrangers(snapshot: Snapshot): Snapshot {
  const [one, other] = ['1', '2'].map((digit) => `0x${'e'.repeat(39)}${digit}` as const)
  const tokens = [one!, other!] as const
  const reserves = [10n ** 20n, 10n ** 20n] as const
  const strangers = Array.from({ length: 200 }, (_, n) => ({
    family: 'uniswapV2' as const,
    id: `0x${(0xe0000000 + n).toString(16).padStart(40, '0')}` as const,
    ...{ venue: 'strangers', tokens, reserves, feePpm: 3_000 },
  }))
  return {
    ...snapshot,
    tokens: [...snapshot.tokens, ...tokens.map((address) => ({ address, decimals: 18 }))],
    pools: [...snapshot.pools, ...strangers],
  }
}

/** The market with small pairs between its own tokens: few and many, at its price and up to ten times off. */
function dustOf(market: Market, { seed }: Lab): readonly Snapshot[] {
  const { snapshot } = market
  const tokens = snapshot.tokens
    .map(({ address }) => address)
    .filter((one) => one !== NATIVE && weiOfDollars(market, one, 1) > 0n)
  return [
    { count: 20, dollars: 50, most: 1 },
    { count: 200, dollars: 200, most: 1 },
    { count: 20, dollars: 100, most: 10 },
  ].map(({ count, dollars, most }, kind) => {
    const prng = createPrng(seed + kind)
    const pools = Array.from({ length: count }, (_, n) => {
      const one = prng.pick(tokens)
      const other = prng.pick(tokens.filter((token) => token !== one))
      const [a, b] = one < other ? [one, other] : [other, one]
      const off = prng.logBetween(1 / most, most)
      const reserves = [weiOfDollars(market, a, dollars), weiOfDollars(market, b, dollars * off)]
      return {
        family: 'uniswapV2' as const,
        id: `0x${(0xd0000000 + n).toString(16).padStart(40, '0')}` as const,
        ...{ venue: 'dust', tokens: [a, b] as const, feePpm: 3_000 },
        reserves: [reserves[0]! || 1n, reserves[1]! || 1n] as const,
      }
    })
    return { ...snapshot, pools: [...snapshot.pools, ...pools] }
  })
}
