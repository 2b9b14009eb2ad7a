import { type Braid, shortAmount } from '@braid-swap/client'
import {
  type Address,
  buildGraph,
  type Order,
  quoteExactOut,
  type Snapshot,
} from '@braid-swap/core'
import { type Command, Option } from 'commander'
import {
  withAmountOut,
  withExample,
  withJson,
  withOrder,
  withRouteLists,
  withSource,
} from '../commandOptions.js'
import { amountText, exactAmountText, nameOf } from '../draw/index.js'
import { UsageError } from '../errors.js'
import { type Comparison, comparePools } from '../markets/comparePools.js'
import { toCsv } from '../markets/csv.js'
import {
  type PartKind,
  partKinds,
  type Ranking,
  rankBeside,
  rankWithout,
} from '../markets/rankParts.js'
import { bpsText, drawTable, fitWidth, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { apiOf } from '../sources/apiClient.js'
import { openMarket, type SourceOptions, sourceOf } from '../sources/marketSource.js'
import { type OrderOptions, readExactOut, readOrder } from '../sources/order.js'
import { readApiTokens, srcAmountOf } from '../sources/quoteSource.js'
import { type RouteListOptions, resolveVenues, routeOptions } from '../sources/routeLists.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

type CompareOptions = SourceOptions &
  OrderOptions &
  RouteListOptions & {
    readonly by?: PartKind
    readonly beside?: string
    readonly limit: string
    readonly csv?: true
    readonly json?: true
  }

/** `braid compare`: the aggregated route against single pools, or against the market with other parts. */
export function addCompare(program: Command, terminal: Terminal): void {
  const command = program
    .command('compare')
    .description(
      'compare the route with single pools, the routes without each part, or those with one venue more',
    )
  withRouteLists(withJson(withSource(withAmountOut(withOrder(command)))))
    .option('--limit <number>', 'maximum number of single pools to show', '10')
    .addOption(
      new Option(
        '--by <part>',
        'quote again without each of these that the best route uses',
      ).choices(partKinds),
    )
    .option(
      '--beside <venues>',
      'quote through these venues, comma-separated, and each other one beside them',
    )
    .option('--csv', 'print CSV')
    .action((options: CompareOptions) => run(options, terminal))
  withExample(
    command,
    'braid compare --snapshot market.json --in native --out USDC --amount 500',
    'braid compare --snapshot market.json --in native --out USDC --amount-out 20000',
    'braid compare --snapshot market.json --in native --out USDC --amount 2500 --by venue',
    'braid compare --snapshot market.json --in native --out USDC --amount 2500 --beside my-v3',
  )
}

async function run(options: CompareOptions, terminal: Terminal): Promise<void> {
  const maxPools = readLimit(options.limit)
  const needsMarket = marketOptions.some((name) => options[name] !== undefined)
  if (sourceOf(options) === 'api' && !needsMarket) {
    const { comparison, tokens } = await askComparison(options, maxPools, terminal)
    writeComparison(comparison, { options, tokens, terminal })
    return
  }
  const { snapshot, tokens } = await openMarket(options, terminal)
  const graph = buildGraph(snapshot)
  const routeLimits = routeOptions({ snapshot, tokens }, options)
  const wanted = readExactOut(options, tokens)
  // For an amount to buy, all sell the least input that the aggregated route needs for it.
  const order = wanted
    ? quoteExactOut(graph, wanted, { ...routeLimits, objective: 'gross' }).order
    : readOrder(options, tokens)
  if (options.by === undefined && options.beside === undefined) {
    const comparison = comparePools(graph, order, { routeLimits, maxPools })
    writeComparison(comparison, { options, tokens, terminal })
    return
  }
  const onPart = trackProgress(terminal.progress, 'quotes compared')
  const input = { graph, order, routeLimits, onPart }
  const beside = readBeside(options, snapshot)
  const kind = options.by ?? 'venue'
  const ranking = beside ? rankBeside(input, beside) : rankWithout(input, kind)
  terminal.progress?.('')
  if (options.json) {
    writeJson(terminal, { order, block: snapshot.block.number, by: kind, ...ranking })
  } else if (options.csv) {
    const rows = ranking.parts.map(({ part, amountOut }) => [part, amountOut])
    terminal.out(toCsv([kind, 'amountOutWei'], rows))
  } else {
    const drawn = drawRanking(ranking, { ...{ order, kind, tokens, snapshot }, beside })
    terminal.out(fitWidth(drawn, terminal))
  }
}

/** The options that an API's comparison does not have: it compares with single pools, through all venues. */
const marketOptions = [
  ...(['by', 'beside', 'includeProtocols', 'excludeProtocols'] as const),
  ...(['maxHops', 'excludePools', 'onlyIntermediates'] as const),
]

function readBeside(
  { by, beside }: CompareOptions,
  snapshot: Snapshot,
): readonly string[] | undefined {
  if (beside === undefined) return undefined
  if (by !== undefined && by !== 'venue') {
    throw new UsageError('--beside adds venues', { got: `--by ${by}` })
  }
  const venues = beside.split(',')
  resolveVenues(snapshot, { includeProtocols: venues })
  return venues
}

async function askComparison(options: CompareOptions, limit: number, terminal: Terminal) {
  const api = apiOf(options, terminal)
  const tokens = await readApiTokens(api, options)
  const order = await readSale(api, options, tokens)
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = order
  // The venues are what `meta` adds to the pools.
  const request = { src, dst, amount, limit, includeMeta: true }
  const { serviceQuote, ...answer } = await api.compare(request)
  const pools = answer.pools.map(
    ({ poolAddress: pool, poolType: family, amountOut, exchange: venue }) => ({
      ...{ pool, family, amountOut, ...(venue !== undefined && { venue }) },
    }),
  )
  return { comparison: { order, amountOut: serviceQuote, pools }, tokens }
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
  const request = { src: tokenIn, dst: tokenOut, dstAmountExact, objective: 'gross' } as const
  return { tokenIn, tokenOut, amountIn: srcAmountOf(await api.quote(request)) }
}

function writeComparison(
  comparison: Comparison,
  {
    options,
    tokens,
    terminal,
  }: {
    readonly options: CompareOptions
    readonly tokens: readonly ListedToken[]
    readonly terminal: Terminal
  },
): void {
  if (options.json) {
    writeJson(terminal, comparison)
    return
  }
  const { order, amountOut, pools } = comparison
  const all = [
    { name: 'braid', kind: 'all pools', amountOut },
    ...pools.map((pool) => ({ ...pool, name: pool.pool, kind: pool.venue ?? pool.family })),
  ]
  if (options.csv) {
    const rows = all.map((row) => [row.name, row.kind, row.amountOut])
    terminal.out(toCsv(['pool', 'kind', 'amountOutWei'], rows))
    return
  }
  const labels = labelsOf(tokens)
  const decimals = labels.get(order.tokenOut)?.decimals ?? 0
  const table = drawTable(
    ['pool', 'kind', nameOf(order.tokenOut, labels), 'against braid'],
    all.map((row) => [
      ...[row.name, row.kind, shortAmount(row.amountOut, decimals, 12)],
      bpsText(row.amountOut, amountOut),
    ]),
    ['left', 'left', 'right', 'right'],
  )
  const sold = exactAmountText(order.amountIn, order.tokenIn, labels)
  terminal.out(fitWidth(`each sells ${sold}\n\n${table}`, terminal))
}

function drawRanking(
  ranking: Ranking,
  {
    order,
    kind,
    tokens,
    snapshot,
    beside,
  }: {
    readonly order: Order
    readonly kind: PartKind
    readonly tokens: readonly ListedToken[]
    readonly snapshot: Snapshot
    readonly beside: readonly string[] | undefined
  },
): string {
  const { tokenIn, tokenOut, amountIn } = order
  const labels = labelsOf(tokens)
  const decimals = labels.get(tokenOut)?.decimals ?? 0
  const venues = new Map<string, string>(snapshot.pools.map(({ id, venue }) => [id, venue]))
  const textOf = (part: string) => {
    if (kind === 'pool') return `${part}  ${venues.get(part)}`
    return kind === 'token' ? nameOf(part as Address, labels) : part
  }
  const rows = ranking.parts.map(({ part, amountOut }) =>
    amountOut === 0n
      ? [textOf(part), 'no quote', '']
      : [textOf(part), shortAmount(amountOut, decimals, 12), bpsText(amountOut, ranking.amountOut)],
  )
  const [through, preposition, change] = beside
    ? [`through ${beside.join()} alone`, 'with', 'gain']
    : ['through all of them', 'without', 'loss']
  const sold = exactAmountText(amountIn, tokenIn, labels)
  const bought = amountText(ranking.amountOut, tokenOut, labels)
  const table = drawTable([kind, `${preposition} it`, change], rows, ['left', 'right', 'right'])
  return `${sold} → ${bought} ${through}, before gas\n\n${table}`
}

function readLimit(text: string): number {
  const limit = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 50) {
    throw new UsageError('--limit is out of range', { got: text, wanted: '1 to 50' })
  }
  return limit
}
