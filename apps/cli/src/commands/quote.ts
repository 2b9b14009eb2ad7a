import type { Options } from '@braid-swap/core'
import type { TreeOptions } from '@braid-swap/draw'
import type { Command } from 'commander'
import { withAmountOut, withExample, withJson, withOrder, withSource } from '../commandOptions.js'
import type { OrderOptions } from '../order.js'
import { writeJson, writeQuote } from '../output.js'
import type { SourceOptions } from '../sources/marketSource.js'
import { askQuote } from '../sources/quoteSource.js'
import type { Terminal } from '../terminal.js'

type QuoteOptions = SourceOptions & OrderOptions & { readonly json?: true; readonly gross?: true }

/** `braid quote`: the output and the route of an order. */
export function addQuote(program: Command, terminal: Terminal): void {
  const command = program.command('quote').description('the output of a swap, and its route')
  withOptions(command).action((options: QuoteOptions) => run(options, terminal))
  withExample(
    command,
    'braid quote --snapshot market.json --in HYPE --out USDC --amount 1.5',
    'braid quote --snapshot market.json --in HYPE --out USDC --amount-out 50',
  )
}

/** `braid explain`: the same with the price of every hop and every pool's full address. */
export function addExplain(program: Command, terminal: Terminal): void {
  const command = program.command('explain').description('a quote with the price of every hop')
  withOptions(command).action((options: QuoteOptions) => run(options, terminal, 'prices'))
  withExample(command, 'braid explain --snapshot market.json --in UBTC --out USDC --amount 0.2')
}

function withOptions(command: Command): Command {
  withJson(withSource(withAmountOut(withOrder(command))))
  return command.option('--gross', 'maximise the output before gas instead of after gas')
}

async function run(
  options: QuoteOptions,
  terminal: Terminal,
  details?: TreeOptions['details'],
): Promise<void> {
  const terms: Options = { objective: options.gross ? 'gross' : 'net' }
  const answer = await askQuote(options, terminal, terms)
  if (options.json) writeJson(terminal, answer.quote)
  else writeQuote(terminal, answer, details)
}
