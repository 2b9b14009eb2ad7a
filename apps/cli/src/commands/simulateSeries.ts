import { formatAmount, shortAmount } from '@braid-swap/client'
import { buildGraph, type Order, type Snapshot } from '@braid-swap/core'
import { exactAmountText, nameOf, priceText } from '../draw/index.js'
import { UnfilledError, UsageError } from '../errors.js'
import { figureCells, figureColumns, toCsv } from '../markets/csv.js'
import { type AmountResult, resultOf, tryQuote } from '../markets/quotedAmount.js'
import { bpsText, drawTable, fitWidth, impactText, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { STANDARD_INPUT } from '../sources/files.js'
import { readMarket } from '../sources/marketSource.js'
import { type OrderOptions, readOrder } from '../sources/order.js'
import { type RouteListOptions, routeOptions } from '../sources/routeLists.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

/** The options of `braid simulate` for one order on several snapshots. */
export type SeriesOptions = OrderOptions &
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
  readonly result: AmountResult
}

/** An order and its quotes, the earliest block first. */
type Series = {
  readonly order: Order
  readonly tokens: readonly ListedToken[]
  readonly moments: readonly Moment[]
}

/**
 * Quotes one order on several snapshots and prints the quotes by the time of their blocks. Throws
 * ORDERS_UNFILLED if none has a quote.
 */
export function simulateSeries(
  files: readonly string[],
  options: SeriesOptions,
  terminal: Terminal,
): void {
  const series = quoteSeries(files, options, terminal)
  const { order, moments } = series
  if (options.json) {
    const points = moments.map(({ file, block, result: { amountIn: _, ...result } }) => ({
      ...{ file, block: block.number, timestamp: block.timestamp, ...result },
    }))
    writeJson(terminal, { order, points })
  } else if (options.csv) terminal.out(seriesCsv(series))
  else terminal.out(fitWidth(drawSeries(series), terminal))
  if (moments.every(({ result }) => 'error' in result)) {
    throw new UnfilledError('the order has a quote on none of the snapshots')
  }
}

function quoteSeries(
  files: readonly string[],
  options: SeriesOptions,
  { progress }: Terminal,
): Series {
  if (files.includes(STANDARD_INPUT)) {
    throw new UsageError('the standard input is one snapshot, and a series needs files')
  }
  const track = trackProgress(progress, 'snapshots quoted')
  let first: { readonly order: Order; readonly tokens: readonly ListedToken[] } | undefined
  // One market at a time: a day of large ones does not fit into memory.
  const moments = files.map((file, i): Moment => {
    const { snapshot, tokens } = readMarket(file, options.tokens, {})
    const order = readOrder(options, tokens)
    first ??= { order, tokens }
    requireSame(first.order, order, file)
    const lists = routeOptions({ snapshot, tokens }, options)
    const objective = options.gross ? 'gross' : 'net'
    const found = tryQuote(buildGraph(snapshot), order, { ...lists, objective })
    track(i + 1, files.length)
    return { file, block: snapshot.block, result: resultOf(found, order) }
  })
  progress?.('')
  const byTime = moments.toSorted((a, b) => Number(a.block.timestamp - b.block.timestamp))
  return { ...first!, moments: byTime }
}

/** Throws USAGE if the symbols mean other tokens in another file. */
function requireSame(first: Order, order: Order, file: string): void {
  for (const name of ['tokenIn', 'tokenOut', 'amountIn'] as const) {
    if (first[name] === order[name]) continue
    throw new UsageError(`${file} has another ${name} than the files before it`, {
      got: `${order[name]}`,
      wanted: `${first[name]}`,
    })
  }
}

function timeOf({ timestamp }: Snapshot['block']): string {
  return new Date(Number(timestamp) * 1_000).toISOString().replace('.000Z', 'Z')
}

function seriesCsv({ order, tokens, moments }: Series): string {
  const decimals = labelsOf(tokens).get(order.tokenOut)?.decimals ?? 0
  const rows = moments.map(({ block, result }) => {
    const bought = 'error' in result ? undefined : result.amountOut
    return [
      ...[timeOf(block), block.number, bought && formatAmount(bought, decimals), bought],
      ...figureCells(result),
    ]
  })
  return toCsv(['time', 'block', 'amountOut', 'amountOutWei', ...figureColumns], rows)
}

function drawSeries({ order, tokens, moments }: Series): string {
  const labels = labelsOf(tokens)
  const decimals = labels.get(order.tokenOut)?.decimals ?? 0
  const outputs = moments.flatMap(({ result }) => ('error' in result ? [] : [result.amountOut]))
  const best = outputs.reduce((most, amount) => (amount > most ? amount : most), 0n)
  const rows = moments.map(({ block, result }) => {
    const when = [timeOf(block), `${block.number}`]
    if ('error' in result) return [...when, result.error, '', '', '', '']
    const { amountOut, priceImpactBps, hops } = result
    const price = priceText({ ...order, ...result }, labels)
    const figures = [bpsText(amountOut, best), impactText(priceImpactBps), `${hops}`]
    return [...when, shortAmount(amountOut, decimals, 12), price, ...figures]
  })
  const bought = `get ${nameOf(order.tokenOut, labels)}`
  const head = ['time', 'block', bought, 'price', 'against best', 'impact', 'hops']
  const align = ['left', ...Array<'right'>(6).fill('right')] as const
  const sold = exactAmountText(order.amountIn, order.tokenIn, labels)
  return `each sells ${sold}\n\n${drawTable(head, rows, align)}`
}
