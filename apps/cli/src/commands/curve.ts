import { formatAmount, parseAmount, shortAmount } from '@braid-swap/client'
import { buildGraph } from '@braid-swap/core'
import type { Command } from 'commander'
import { withEnds, withExample, withJson, withRouteLists, withSource } from '../commandOptions.js'
import { nameOf, priceText } from '../draw/index.js'
import { MismatchError, NoQuotesError, UsageError } from '../errors.js'
import { figureCells, figureColumns, toCsv } from '../markets/csv.js'
import { priceCurve } from '../markets/priceCurve.js'
import type { AmountResult } from '../markets/quotedAmount.js'
import { drawTable, fitWidth, impactText, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { apiOf } from '../sources/apiClient.js'
import { openMarket, type SourceOptions, sourceOf } from '../sources/marketSource.js'
import { readEnds } from '../sources/order.js'
import { readApiTokens } from '../sources/quoteSource.js'
import { type RouteListOptions, readRouteLists, routeOptions } from '../sources/routeLists.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

type CurveOptions = SourceOptions &
  RouteListOptions & {
    readonly in: string
    readonly out: string
    readonly amounts: string
    readonly gross?: true
    readonly csv?: true
    readonly json?: true
  }

/** The most amounts that an API answers at once. */
const MAX_API_AMOUNTS = 20

type Ends = { readonly tokenIn: ListedToken; readonly tokenOut: ListedToken }

/** `braid curve`: output, price and impact over a ladder of amounts. */
export function addCurve(program: Command, terminal: Terminal): void {
  const command = program
    .command('curve')
    .description('show output, price and price impact over a ladder of amounts')
  withEnds(command)
    .requiredOption('--amounts <numbers>', 'amounts to sell, in whole tokens, comma-separated')
    .option('--gross', 'maximise the output before gas instead of after gas')
    .option('--csv', 'print CSV')
    .action((options: CurveOptions) => run(options, terminal))
  withJson(withRouteLists(withSource(command)))
  withExample(
    command,
    'braid curve --snapshot market.json --in native --out USDC --amounts 10,100,1000',
    'braid curve --snapshot market.json --in native --out USDC --amounts 10,100,1000 --csv',
    'braid curve --api $API --in native --out USDC --amounts 10,100,1000',
  )
}

async function run(options: CurveOptions, terminal: Terminal): Promise<void> {
  const read = sourceOf(options) === 'api' ? askCurve : computeCurve
  const { ends, block, points } = await read(options, terminal)
  const pair = { tokenIn: ends.tokenIn.address, tokenOut: ends.tokenOut.address }
  if (options.json) writeJson(terminal, { ...pair, block, points })
  else if (options.csv) terminal.out(curveCsv(points, ends))
  else terminal.out(fitWidth(curveTable(points, ends), terminal))
}

/** A curve, all from one block. */
type Curve = {
  readonly ends: Ends
  readonly block: bigint | undefined
  readonly points: readonly AmountResult[]
}

async function computeCurve(options: CurveOptions, terminal: Terminal): Promise<Curve> {
  const { snapshot, tokens } = await openMarket(options, terminal)
  const ends = readEnds(options, tokens)
  const lists = routeOptions({ snapshot, tokens }, options)
  const pair = { tokenIn: ends.tokenIn.address, tokenOut: ends.tokenOut.address }
  const points = priceCurve(buildGraph(snapshot), pair, {
    amounts: readAmounts(options, ends.tokenIn.decimals),
    options: { objective: options.gross ? 'gross' : 'net', ...lists },
    onPoint: trackProgress(terminal.progress, 'amounts quoted'),
  })
  terminal.progress?.('')
  return { ends, block: snapshot.block.number, points }
}

/** The amounts in one request, because an API answers those from one block. */
async function askCurve(options: CurveOptions, terminal: Terminal): Promise<Curve> {
  const api = apiOf(options, terminal)
  const tokens = await readApiTokens(api, options)
  const ends = readEnds(options, tokens)
  const amounts = readAmounts(options, ends.tokenIn.decimals)
  if (amounts.length > MAX_API_AMOUNTS) {
    throw new UsageError('an API answers fewer amounts from one block', {
      ...{ got: `${amounts.length} amounts`, wanted: `at most ${MAX_API_AMOUNTS}` },
    })
  }
  const { quotes, served } = await api.quotes({
    ...{ src: ends.tokenIn.address, dst: ends.tokenOut.address, amounts },
    ...readRouteLists(options, tokens),
    ...(options.gross && { objective: 'gross' as const }),
    ...{ includeGas: true, includeGraph: true, includeMeta: true },
  })
  const points = quotes.map((answer): AmountResult => {
    if ('error' in answer) return { amountIn: answer.amount, error: answer.error.code }
    const { amount, dstAmount, gas, graph, meta } = answer
    if (gas === undefined || !graph || !meta) {
      throw new MismatchError('the API left out what was asked for', { wanted: 'gas, graph, meta' })
    }
    const { priceImpactBps } = meta
    return { amountIn: amount, amountOut: dstAmount, priceImpactBps, gas, hops: graph.length }
  })
  const [first] = quotes
  if (first && 'error' in first && points.every((point) => 'error' in point)) {
    throw new NoQuotesError(first.error)
  }
  return { ends, block: served.blockNumber, points }
}

/** Throws USAGE, BAD_AMOUNT. */
function readAmounts({ amounts }: CurveOptions, decimals: number): readonly bigint[] {
  return amounts.split(',').map((text) => {
    const wei = parseAmount(text, decimals)
    if (wei === 0n) throw new UsageError('an amount is zero', { got: text })
    return wei
  })
}

function curveTable(points: readonly AmountResult[], { tokenIn, tokenOut }: Ends): string {
  const labels = labelsOf([tokenIn, tokenOut])
  const rows = points.map((point) => {
    const sold = formatAmount(point.amountIn, tokenIn.decimals)
    if ('error' in point) return [sold, point.error, '', '', '', '']
    const swap = { ...point, tokenIn: tokenIn.address, tokenOut: tokenOut.address }
    return [
      ...[sold, shortAmount(point.amountOut, tokenOut.decimals, 12), priceText(swap, labels)],
      ...[impactText(point.priceImpactBps), `${point.gas}`, `${point.hops}`],
    ]
  })
  const [sold, bought] = [tokenIn, tokenOut].map(({ address }) => nameOf(address, labels))
  const head = [`sell ${sold}`, `get ${bought}`, 'price', 'impact', 'gas', 'hops']
  return drawTable(head, rows, ['right', 'right', 'right', 'right', 'right', 'right'])
}

function curveCsv(points: readonly AmountResult[], { tokenIn, tokenOut }: Ends): string {
  const rows = points.map((point) => {
    const sold = formatAmount(point.amountIn, tokenIn.decimals)
    const bought = 'error' in point ? undefined : point.amountOut
    return [
      ...[sold, bought && formatAmount(bought, tokenOut.decimals), point.amountIn, bought],
      ...figureCells(point),
    ]
  })
  const head = ['amountIn', 'amountOut', 'amountInWei', 'amountOutWei', ...figureColumns]
  return toCsv(head, rows)
}
