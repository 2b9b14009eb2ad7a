import { formatAmount } from '@braid-swap/client'
import type { Command } from 'commander'
import { withExample, withJson, withMarket, withRouteLists } from '../commandOptions.js'
import { amountText, nameOf, priceText } from '../draw/index.js'
import { UnfilledError, UsageError } from '../errors.js'
import { figureCells, figureColumns, toCsv } from '../markets/csv.js'
import { type SimulatedOrder, type Simulation, simulateOrders } from '../markets/simulateOrders.js'
import { drawTable, fitWidth, impactText, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { openMarket, type SourceOptions } from '../sources/marketSource.js'
import { readOrders } from '../sources/orderFile.js'
import { type RouteListOptions, routeOptions } from '../sources/routeLists.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import { writeMarket } from '../sources/writeMarket.js'
import type { Terminal } from '../terminal.js'
import { simulateSeries } from './simulateSeries.js'

type SimulateOptions = SourceOptions &
  RouteListOptions & {
    readonly orders?: string
    readonly in?: string
    readonly out?: string
    readonly amount?: string
    readonly amountWei?: string
    readonly alone?: true
    readonly gross?: true
    readonly csv?: true
    readonly json?: true
    readonly save?: string
  }

/** `braid simulate`: a file of orders through one market, or one order on several snapshots. */
export function addSimulate(program: Command, terminal: Terminal): void {
  const command = program
    .command('simulate')
    .description('send a file of orders through a market, or quote one order on several snapshots')
    .argument('[snapshots...]', 'snapshots to quote one order on, by the time of their blocks')
    .option('--orders <file>', 'CSV or NDJSON: in, out, and amount or amountWei')
    .option('--alone', 'each order sees the market as it is, not as the orders before leave it')
    .option('--save <file>', 'write the market after the last order as a snapshot')
    .option('--in <token>', 'token to sell on each of the snapshots')
    .option('--out <token>', 'token to buy')
    .option('--amount <number>', 'amount to sell, in whole tokens, such as 1.5')
    .option('--amount-wei <integer>', 'amount to sell, in the smallest unit')
    .option('--gross', 'maximise the output before gas instead of after gas')
    .option('--csv', 'print a row of CSV for each quote')
    .action((snapshots: readonly string[], options: SimulateOptions) =>
      snapshots.length === 0
        ? simulate(options, terminal)
        : simulateSeries(snapshots, readSeries(options), terminal),
    )
  withJson(withRouteLists(withMarket(command)))
  withExample(
    command,
    'braid simulate --snapshot market.json --orders orders.csv',
    'braid simulate --snapshot market.json --orders orders.ndjson --alone --csv',
    'braid simulate day/*.json --in native --out USDC --amount 50000',
  )
}

/** The options for one order on several snapshots. Throws USAGE if others are given. */
function readSeries(options: SimulateOptions) {
  const { orders, alone, save, snapshot, rpc, venues, ...series } = options
  const others = { orders, alone, save, snapshot, rpc, venues }
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : name))
  const { in: tokenIn, out } = series
  if (given.length === 0 && tokenIn !== undefined && out !== undefined) {
    return { ...series, in: tokenIn, out }
  }
  throw new UsageError('several snapshots take one order', {
    ...(given.length > 0 && { got: given.map((name) => `--${name}`).join(', ') }),
    wanted: '--in TOKEN --out TOKEN --amount NUMBER',
  })
}

async function simulate(options: SimulateOptions, terminal: Terminal): Promise<void> {
  if (options.orders === undefined || options.in !== undefined || options.out !== undefined) {
    throw new UsageError('orders or snapshots are missing', {
      wanted: '--orders FILE, or an order and the snapshots to quote it on',
    })
  }
  if (options.orders === '-' && options.snapshot === '-') {
    throw new UsageError('orders and snapshot cannot both be the standard input')
  }
  const { snapshot, tokens } = await openMarket(options, terminal)
  const orders = readOrders(options.orders, tokens, terminal)
  const lists = routeOptions({ snapshot, tokens }, options)
  const simulation = simulateOrders(snapshot, orders, {
    options: { objective: options.gross ? 'gross' : 'net', ...lists },
    isAlone: options.alone ?? false,
    onOrder: trackProgress(terminal.progress, 'orders'),
  })
  terminal.progress?.('')
  if (options.save !== undefined) writeMarket(options.save, simulation.after, tokens)
  write(simulation, { options, tokens, terminal })
  const { failed, results } = simulation
  if (failed > 0) {
    throw new UnfilledError('not every order has a quote', {
      got: `${failed} of ${results.length} without`,
    })
  }
}

function write(
  { results, totals, failed, gas }: Simulation,
  {
    options,
    tokens,
    terminal,
  }: {
    readonly options: SimulateOptions
    readonly tokens: readonly ListedToken[]
    readonly terminal: Terminal
  },
): void {
  const sums = { orders: results.length, failed, gas, totals }
  if (options.json) writeJson(terminal, { ...sums, results })
  else if (options.csv) terminal.out(resultsCsv(results, tokens))
  else {
    const labels = labelsOf(tokens)
    const lines = totals.map((total) => {
      const sold = amountText(total.amountIn, total.tokenIn, labels)
      const bought = amountText(total.amountOut, total.tokenOut, labels)
      return [`${total.orders}`, sold, `→ ${bought}`, priceText(total, labels)]
    })
    const align = ['right', 'right', 'left', 'left'] as const
    const text = [
      resultsTable(results, tokens),
      drawTable(['orders', 'sold', 'bought', 'mean price'], lines, align),
      `${results.length} orders, ${failed} without a quote, ${gas} gas (estimate)`,
    ]
    terminal.out(fitWidth(text.join('\n\n'), terminal))
  }
}

function resultsTable(results: readonly SimulatedOrder[], tokens: readonly ListedToken[]): string {
  const labels = labelsOf(tokens)
  const rows = results.map((result, i) => {
    const sold = amountText(result.amountIn, result.tokenIn, labels)
    if ('error' in result) {
      return [`${i + 1}`, sold, `→ ${nameOf(result.tokenOut, labels)}`, result.error, '', '']
    }
    const { amountOut, tokenOut, priceImpactBps, hops } = result
    return [
      ...[`${i + 1}`, sold, `→ ${amountText(amountOut, tokenOut, labels)}`],
      ...[priceText(result, labels), impactText(priceImpactBps), `${hops}`],
    ]
  })
  const align = ['right', 'right', 'left', 'left', 'right', 'right'] as const
  return drawTable(['', 'sold', 'bought', 'price', 'impact', 'hops'], rows, align)
}

function resultsCsv(results: readonly SimulatedOrder[], tokens: readonly ListedToken[]): string {
  const decimals = new Map(tokens.map((token) => [token.address, token.decimals]))
  const whole = (wei: bigint, token: ListedToken['address']) =>
    formatAmount(wei, decimals.get(token) ?? 0)
  const head = ['tokenIn', 'tokenOut', 'amountIn', 'amountInWei', 'amountOut', 'amountOutWei']
  const rows = results.map((result) => {
    const { tokenIn, tokenOut, amountIn } = result
    const bought = 'error' in result ? undefined : result.amountOut
    return [
      ...[tokenIn, tokenOut, whole(amountIn, tokenIn), amountIn],
      ...[bought && whole(bought, tokenOut), bought, ...figureCells(result)],
    ]
  })
  return toCsv([...head, ...figureColumns], rows)
}
