import { buildGraph, type Order, type Snapshot } from '@braid-swap/core'
import { exactAmountText, formatAmount, nameOf, priceText, shortAmount } from '@braid-swap/draw'
import type { Command } from 'commander'
import { withExample, withJson, withOrder, withRouteLists } from '../commandOptions.js'
import { toCsv } from '../csv.js'
import { UnfilledError, UsageError } from '../errors.js'
import { type CurvePoint, priceCurve } from '../markets/priceCurve.js'
import { type OrderOptions, readOrder } from '../order.js'
import { bpsText, drawTable, fitWidth, writeJson } from '../output.js'
import { trackProgress } from '../progress.js'
import { type RouteListOptions, readRouteLists, routeOptions } from '../routeLists.js'
import { STANDARD_INPUT } from '../sources/files.js'
import { readMarket } from '../sources/marketSource.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

type SeriesOptions = OrderOptions &
  RouteListOptions & {
    readonly tokens?: string
    readonly gross?: true
    readonly csv?: true
    readonly json?: true
  }

/** The order's quote at one block, or the code of the reason why there is none. */
type Moment = {
  readonly file: string
  readonly block: Snapshot['block']
  readonly point: CurvePoint
}

/** `braid series`: one order on several snapshots, by the time of their blocks. */
export function addSeries(program: Command, terminal: Terminal): void {
  const command = program
    .command('series')
    .description('one order on several snapshots, by the time of their blocks')
    .argument('<files...>', 'snapshots')
    .option('--tokens <file>', 'token symbols, as JSON (default: tokens.json beside a snapshot)')
    .option('--gross', 'maximise the output before gas instead of after gas')
    .option('--csv', 'print CSV')
    .action((files: readonly string[], options: SeriesOptions) => run(files, options, terminal))
  withJson(withRouteLists(withOrder(command)))
  withExample(
    command,
    'braid series day/*.json --in HYPE --out USDC --amount 50000',
    'braid series day/*.json --in HYPE --out USDC --amount 50000 --csv > day.csv',
  )
}

function run(files: readonly string[], options: SeriesOptions, terminal: Terminal): void {
  if (files.includes(STANDARD_INPUT)) {
    throw new UsageError('the standard input is one snapshot, and a series needs files')
  }
  let order: Order | undefined
  let tokens: readonly ListedToken[] = []
  const track = trackProgress(terminal.progress, 'snapshots quoted')
  // One market at a time: a day of large ones does not fit into memory.
  const moments = files.map((file, i): Moment => {
    const market = readMarket(file, options.tokens, {
      ...(terminal.input && { input: terminal.input }),
    })
    const asked = readOrder(options, market.tokens)
    requireSame(order, asked, file)
    order = asked
    tokens = market.tokens
    const lists = routeOptions(market.snapshot, readRouteLists(options, market.tokens))
    const terms = { ...lists, objective: options.gross ? 'gross' : 'net' } as const
    const [point] = priceCurve(buildGraph(market.snapshot), asked, {
      ...{ amounts: [asked.amountIn], terms, isPartial: true },
    })
    track?.(i + 1, files.length)
    return { file, block: market.snapshot.block, point: point! }
  })
  terminal.progress?.('')
  const sorted = moments.toSorted((a, b) => Number(a.block.timestamp - b.block.timestamp))
  write(sorted, { options, order: order!, tokens, terminal })
  if (sorted.every(({ point }) => 'error' in point)) {
    throw new UnfilledError('the order has a quote on none of the snapshots')
  }
}

/** Throws USAGE if the symbols mean other tokens in another file. */
function requireSame(before: Order | undefined, asked: Order, file: string): void {
  if (!before) return
  for (const name of ['tokenIn', 'tokenOut', 'amountIn'] as const) {
    if (before[name] === asked[name]) continue
    throw new UsageError(`${file} has another ${name} than the files before it`, {
      got: `${asked[name]}`,
      wanted: `${before[name]}`,
    })
  }
}

function write(
  moments: readonly Moment[],
  {
    options,
    order,
    tokens,
    terminal,
  }: {
    readonly options: SeriesOptions
    readonly order: Order
    readonly tokens: readonly ListedToken[]
    readonly terminal: Terminal
  },
): void {
  if (options.json) {
    const points = moments.map(({ file, block, point }) => {
      const { amountIn: _, ...quoted } = point
      return { file, block: block.number, timestamp: block.timestamp, ...quoted }
    })
    writeJson(terminal, { order, points })
  } else if (options.csv) terminal.out(seriesCsv(moments, order, tokens))
  else terminal.out(fitWidth(drawSeries(moments, order, tokens), terminal))
}

function timeOf({ timestamp }: Snapshot['block']): string {
  return new Date(Number(timestamp) * 1_000).toISOString().replace('.000Z', 'Z')
}

function seriesCsv(
  moments: readonly Moment[],
  { tokenOut }: Order,
  tokens: readonly ListedToken[],
): string {
  const decimals = labelsOf(tokens).get(tokenOut)?.decimals ?? 0
  const head = ['time', 'block', 'amountOut', 'amountOutWei', 'priceImpactBps']
  const rows = moments.map(({ block, point }) => {
    const when = [timeOf(block), block.number]
    if ('error' in point) return [...when, ...Array<undefined>(5), point.error]
    const { amountOut, priceImpactBps, gas, hops } = point
    const amounts = [formatAmount(amountOut, decimals), amountOut]
    return [...when, ...amounts, priceImpactBps ?? undefined, gas, hops, undefined]
  })
  return toCsv([...head, 'gas', 'hops', 'error'], rows)
}

function drawSeries(
  moments: readonly Moment[],
  order: Order,
  tokens: readonly ListedToken[],
): string {
  const labels = labelsOf(tokens)
  const decimals = labels.get(order.tokenOut)?.decimals ?? 0
  const outputs = moments.flatMap(({ point }) => ('error' in point ? [] : [point.amountOut]))
  const best = outputs.reduce((most, amount) => (amount > most ? amount : most), 0n)
  const rows = moments.map(({ block, point }) => {
    const when = [timeOf(block), `${block.number}`]
    if ('error' in point) return [...when, point.error, '', '', '', '']
    const { amountOut, priceImpactBps, hops } = point
    return [
      ...[...when, shortAmount(amountOut, decimals, 12), priceText({ ...order, ...point }, labels)],
      ...[bpsText(amountOut, best)],
      ...[priceImpactBps === null ? 'unknown' : `${(priceImpactBps / 100).toFixed(2)} %`],
      `${hops}`,
    ]
  })
  const bought = `get ${nameOf(order.tokenOut, labels)}`
  const head = ['time', 'block', bought, 'price', 'against best', 'impact', 'hops']
  const align = ['left', ...Array<'right'>(6).fill('right')] as const
  const sold = exactAmountText(order.amountIn, order.tokenIn, labels)
  return `each sells ${sold}\n\n${drawTable(head, rows, align)}`
}
