import { buildGraph, quote } from '@braid-swap/core'
import { parse } from '@braid-swap/core/advanced'
import type { Command } from 'commander'
import { z } from 'zod'
import { withExample, withJson } from '../commandOptions.js'
import { toDrawnQuote } from '../draw/index.js'
import { writeJson, writeQuote } from '../print/output.js'
import { figuresOf } from '../sources/figures.js'
import { readFileAs } from '../sources/files.js'
import { readMarket } from '../sources/marketSource.js'
import { addressSchema, decimalsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

type ReplayOptions = {
  readonly snapshot: string
  readonly order: string
  readonly tokens?: string
  readonly json?: true
}

/** `braid replay`: quotes an order file on a snapshot, because these two files are a bug report. */
export function addReplay(program: Command, terminal: Terminal): void {
  const command = program
    .command('replay')
    .description('quote an order file on a snapshot, the two files of a bug report')
    .requiredOption(
      '--snapshot <file>',
      'a market saved by `braid snapshot`, or - for standard input',
    )
    .requiredOption('--order <file>', '{ "tokenIn", "tokenOut", "amountIn" } as JSON')
    .option('--tokens <file>', 'token symbols, as JSON (default: tokens.json beside the snapshot)')
    .action((options: ReplayOptions) => {
      const { snapshot, tokens } = readMarket(options.snapshot, options.tokens, terminal)
      const { objective, ...order } = readOrderFile(options.order)
      const graph = buildGraph(snapshot)
      const exact = quote(graph, order, { objective })
      const answer = { ...toDrawnQuote(exact), ...figuresOf(graph, exact, { tokens }) }
      if (options.json) writeJson(terminal, { ...answer, ...decimalsOf(answer, tokens) })
      else writeQuote(terminal, { quote: answer, tokens })
    })
  withJson(command)
  withExample(command, 'braid replay --snapshot market.json --order order.json')
}

const orderFile = z.object({
  tokenIn: addressSchema,
  tokenOut: addressSchema,
  amountIn: z.bigint().positive(),
  objective: z.enum(['net', 'gross']).default('net'),
})

function readOrderFile(path: string): z.output<typeof orderFile> {
  const form = 'an order { "tokenIn", "tokenOut", "amountIn": "digits" }'
  return readFileAs(path, form, (text) => orderFile.parse(parse(text)))
}
