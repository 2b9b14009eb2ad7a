import type { Braid } from '@braid-swap/client'
import {
  type Address,
  buildGraph,
  type Graph,
  type Order,
  quote,
  quoteExactOut,
  quoteHops,
  wrappedOf,
} from '@braid-swap/core'
import { exactAmountText, nameOf, shortAmount } from '@braid-swap/draw'
import type { Command } from 'commander'
import { withAmountOut, withExample, withJson, withOrder, withSource } from '../commandOptions.js'
import { UsageError } from '../errors.js'
import { type OrderOptions, readExactOut, readOrder } from '../order.js'
import { bpsText, drawTable, fitWidth, writeJson } from '../output.js'
import { apiOf } from '../sources/apiClient.js'
import { openMarket, type SourceOptions, sourceOf } from '../sources/marketSource.js'
import { readApiTokens, srcAmountOf } from '../sources/quoteSource.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

/** The output of one pool alone for an order. */
export type SinglePool = {
  readonly pool: Address
  readonly family: string
  /** Absent if the source is an API, which does not report it. */
  readonly venue?: string
  readonly amountOut: bigint
}

/** The outputs of single pools, best first, and of the aggregated route, at one block, before gas. */
export type Comparison = {
  readonly order: Order
  readonly amountOut: bigint
  readonly pools: readonly SinglePool[]
}

type CompareOptions = SourceOptions &
  OrderOptions & { readonly json?: true; readonly limit: string }

/** `braid compare`: single pools against the aggregated route. */
export function addCompare(program: Command, terminal: Terminal): void {
  const command = program
    .command('compare')
    .description('compare single pools with the aggregated route')
  withJson(withSource(withAmountOut(withOrder(command))))
    .option('--limit <number>', 'maximum number of pools to show', '10')
    .action(async (options: CompareOptions) => {
      const { comparison, tokens } = await compare(options, terminal)
      if (options.json) writeJson(terminal, comparison)
      else terminal.out(fitWidth(drawComparison(comparison, tokens), terminal))
    })
  withExample(
    command,
    'braid compare --snapshot market.json --in HYPE --out USDC --amount 500',
    'braid compare --snapshot market.json --in HYPE --out USDC --amount-out 20000',
  )
}

async function compare(options: CompareOptions, terminal: Terminal) {
  const limit = readLimit(options.limit)
  if (sourceOf(options) !== 'api') {
    const { snapshot, tokens } = await openMarket(options, terminal)
    const graph = buildGraph(snapshot)
    const wanted = readExactOut(options, tokens)
    // For an amount to buy, all sell the least input that the aggregated route needs for it.
    const order = wanted
      ? quoteExactOut(graph, wanted, { objective: 'gross' }).order
      : readOrder(options, tokens)
    return { comparison: comparePools(graph, order, limit), tokens }
  }
  const api = apiOf(options, terminal)
  const tokens = await readApiTokens(api, options)
  const order = await readSale(api, options, tokens)
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = order
  const answer = await api.compare({ src, dst, amount, limit })
  const pools = answer.pools.map(({ poolAddress: pool, poolType: family, amountOut }) => ({
    ...{ pool, family, amountOut },
  }))
  return { comparison: { order, amountOut: answer.serviceQuote, pools }, tokens }
}

/** The amount to sell; for an amount to buy, the least input that the API finds for it. */
async function readSale(
  api: Braid,
  options: OrderOptions,
  tokens: readonly ListedToken[],
): Promise<Order> {
  const wanted = readExactOut(options, tokens)
  if (!wanted) return readOrder(options, tokens)
  const { tokenIn, tokenOut, amountOut: dstAmountExact } = wanted
  const asked = { src: tokenIn, dst: tokenOut, dstAmountExact, objective: 'gross' } as const
  return { tokenIn, tokenOut, amountIn: srcAmountOf(await api.quote(asked)) }
}

/** Quotes each pool of the pair that can take the whole amount, best first, and the aggregated route. */
export function comparePools(graph: Graph, order: Order, limit: number): Comparison {
  const { pools, wrappedNative } = graph.snapshot
  const tokenIn = wrappedOf(order.tokenIn, wrappedNative)
  const tokenOut = wrappedOf(order.tokenOut, wrappedNative)
  const alone = pools.flatMap((pool): SinglePool[] => {
    const tokens: readonly Address[] = pool.tokens
    const direction = { in: tokens.indexOf(tokenIn), out: tokens.indexOf(tokenOut) }
    if (direction.in < 0 || direction.out < 0) return []
    const answer = quoteHops(graph, order, [{ pool, direction, share: 0 }])
    const { id, family, venue } = pool
    return answer ? [{ pool: id, family, venue, amountOut: answer.amountOut }] : []
  })
  const best = alone.sort((a, b) => (a.amountOut < b.amountOut ? 1 : -1)).slice(0, limit)
  return { order, amountOut: quote(graph, order, { objective: 'gross' }).amountOut, pools: best }
}

function drawComparison(comparison: Comparison, tokens: readonly ListedToken[]): string {
  const { order, amountOut, pools } = comparison
  const labels = labelsOf(tokens)
  const sold = exactAmountText(order.amountIn, order.tokenIn, labels)
  const decimals = labels.get(order.tokenOut)?.decimals ?? 0
  const row = (name: string, kind: string, out: bigint) => [
    ...[name, kind, shortAmount(out, decimals, 12), bpsText(out, amountOut)],
  ]
  const table = drawTable(
    ['pool', 'kind', nameOf(order.tokenOut, labels), 'against braid'],
    [
      row('braid', 'all pools', amountOut),
      ...pools.map((pool) => row(pool.pool, pool.venue ?? pool.family, pool.amountOut)),
    ],
    ['left', 'left', 'right', 'right'],
  )
  return `each sells ${sold}\n\n${table}`
}

function readLimit(text: string): number {
  const limit = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 50) {
    throw new UsageError('--limit is out of range', { got: text, wanted: '1 to 50' })
  }
  return limit
}
