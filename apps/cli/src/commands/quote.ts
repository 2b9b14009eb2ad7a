import { type QuoteOptions as CoreOptions, floorAt } from '@braid-swap/core'
import { floorOf } from '@braid-swap/core/advanced'
import type { Command } from 'commander'
import {
  MAX_PRICE_IMPACT,
  withAmountOut,
  withExample,
  withFee,
  withJson,
  withOrder,
  withRouteLists,
  withSource,
} from '../commandOptions.js'
import type { DrawnQuote, TreeOptions } from '../draw/index.js'
import { requireImpact, UsageError } from '../errors.js'
import { writeJson, writeQuote } from '../print/output.js'
import type { SourceOptions } from '../sources/marketSource.js'
import type { OrderOptions } from '../sources/order.js'
import { askQuote, type LocalQuote, type SourcedQuote } from '../sources/quoteSource.js'
import type { RouteListOptions } from '../sources/routeLists.js'
import { decimalsOf } from '../sources/tokens.js'
import { type FeeOptions, readFee } from '../swap/fee.js'
import { readAddress, readImpactLimit, readSlippagePpm } from '../swap/slippage.js'
import { withSuggestedSlippage } from '../swap/suggestedSlippage.js'
import { withWholeBalance } from '../swap/wholeBalance.js'
import type { Terminal } from '../terminal.js'

type QuoteOptions = SourceOptions &
  OrderOptions &
  RouteListOptions &
  FeeOptions & {
    readonly json?: true
    readonly gross?: true
    readonly slippage?: string
    readonly from?: string
    readonly maxPriceImpact?: string
  }

/** `braid quote`: the output and the route of an order. */
export function addQuote(program: Command, terminal: Terminal): void {
  const command = program.command('quote').description('show the output of a swap, and its route')
  withOptions(command).action((options: QuoteOptions) => run(options, terminal))
  withExample(
    command,
    'braid quote --snapshot market.json --in native --out USDC --amount 1.5',
    'braid quote --snapshot market.json --in native --out USDC --amount-out 50',
  )
}

/** `braid explain`: the same with the price of every hop and every pool's full address. */
export function addExplain(program: Command, terminal: Terminal): void {
  const command = program.command('explain').description('show a quote with the price of every hop')
  withOptions(command).action((options: QuoteOptions) => run(options, terminal, 'prices'))
  withExample(command, 'braid explain --snapshot market.json --in UBTC --out USDC --amount 0.2')
}

function withOptions(command: Command): Command {
  withJson(withFee(withRouteLists(withSource(withAmountOut(withOrder(command))))))
  return command
    .option('--gross', 'maximise the output before gas instead of after gas')
    .option(
      '--slippage <percent>',
      'also show the floor of a swap with this slippage, 0 to 50, or `auto` with --api',
    )
    .option('--from <address>', 'with --amount all: the wallet whose balance is sold')
    .option(...MAX_PRICE_IMPACT)
}

async function run(
  given: QuoteOptions,
  terminal: Terminal,
  details?: TreeOptions['details'],
): Promise<void> {
  const owner = given.from === undefined ? undefined : readAddress('--from', given.from)
  const sold = await withWholeBalance(given, owner, terminal)
  const options = await withSuggestedSlippage(sold, terminal)
  const coreOptions: CoreOptions = {
    objective: options.gross ? 'gross' : 'net',
    ...readFee(options),
  }
  if (options.slippage !== undefined && options.amountOut !== undefined) {
    throw new UsageError('--amount-out has no floor below it', { wanted: 'no --slippage' })
  }
  const limitBps = readImpactLimit(options.maxPriceImpact)
  const slippage = options.slippage === undefined ? undefined : readSlippagePpm(options.slippage)
  const answer = await askQuote(options, terminal, coreOptions)
  if (options.api === undefined) requireImpact(answer.quote.priceImpactBps, limitBps)
  const quote = slippage === undefined ? answer.quote : withFloor(answer, slippage)
  const { tokens } = answer
  if (options.json) writeJson(terminal, { ...quote, ...decimalsOf(quote, tokens) })
  else writeQuote(terminal, { quote, tokens }, details)
}

/** The quote with the floor that `braid swap` would set. */
function withFloor(answer: SourcedQuote | LocalQuote, slippagePpm: bigint): DrawnQuote {
  const { quote } = answer
  const minAmountOut =
    'exact' in answer ? floorOf(answer.exact, slippagePpm) : floorAt(quote.amountOut, slippagePpm)
  return { ...quote, minAmountOut }
}
