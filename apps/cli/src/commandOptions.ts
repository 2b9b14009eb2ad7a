import type { Command } from 'commander'
import { UsageError } from './errors.js'

/** Adds the options that name the source of the market: a snapshot, a node or an API. */
export function withSource(command: Command): Command {
  return withMarket(command)
    .option('--api <url>', 'an API that computes the quote instead of this program')
    .option('--key <key>', 'key of the API (default: BRAID_API_KEY)')
}

/** Adds the options that name a whole market: a snapshot or a node. */
export function withMarket(command: Command): Command {
  const saved = 'a market saved by `braid snapshot`, or - for standard input; works offline'
  return withNode(
    command.option('--snapshot <file>', saved),
    'a node to read the market from',
  ).option(
    '--tokens <file>',
    'token symbols, as JSON (default: read from the source, or tokens.json beside the snapshot)',
  )
}

/** Adds the options that name a node and the venues to read there. */
export function withNode(command: Command, node = 'the node to read'): Command {
  return command
    .option('--rpc <url>', node)
    .option(
      '--requests-per-minute <number>',
      'most requests to the node in any minute (public endpoints allow 100 or so)',
    )
    .option('--venues <file>', 'venues to read from the node, as JSON (default: the chain’s)')
}

/** The option that refuses a quote by its price impact. */
export const MAX_PRICE_IMPACT = [
  '--max-price-impact <percent>',
  'refuse a quote with a higher price impact, 0 to 50; accepts one up to it',
] as const

/** Adds the options that define the order. */
export function withOrder(command: Command): Command {
  return withEnds(command)
    .option(
      '--amount <number>',
      'amount to sell, in whole tokens, such as 1.5; `all` sells a balance (quote and swap, with --rpc)',
    )
    .option('--amount-wei <integer>', 'amount to sell, in the smallest unit')
}

/** Adds the options that name the two tokens of an order. */
export function withEnds(command: Command): Command {
  return command
    .requiredOption('--in <token>', 'token to sell: a symbol, an address or `native`')
    .requiredOption('--out <token>', 'token to buy: a symbol, an address or `native`')
}

/** Adds the option that gives the amount to buy instead of the one to sell. */
export function withAmountOut(command: Command): Command {
  return command.option(
    '--amount-out <number>',
    'amount to buy, in whole tokens, instead of an amount to sell',
  )
}

/** Adds the options that keep a route to venues, off pools and to tokens. */
export function withRouteLists(command: Command): Command {
  return command
    .option('--include-protocols <ids>', 'use only these venues, comma-separated')
    .option('--exclude-protocols <ids>', 'exclude these venues, comma-separated')
    .option('--max-hops <number>', 'maximum number of pools on any path')
    .option('--exclude-pools <ids>', 'pools that the route must not use, comma-separated')
    .option(
      '--only-intermediates <tokens>',
      'the only tokens that the route may pass between the two, comma-separated: symbols or addresses',
    )
    .option(
      '--intermediates <tokens>',
      'tokens that the route may pass besides those of the token file, or `all` (without an API; default: all if there is no file)',
    )
}

/** Adds the options of an integrator's fee. */
export function withFee(command: Command): Command {
  return command
    .option('--fee-bps <number>', 'fee of an integrator, in basis points of the output, up to 100')
    .option('--fee-recipient <address>', 'who gets that fee')
}

/** The value of an option that counts something. Throws USAGE. */
export function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`${name} is not a whole number`, { got: text, wanted: '1 to 999999' })
}

/** Adds `--json`. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON, with integers as strings')
}

/** Adds an example at the end of a command's help. */
export function withExample(command: Command, ...lines: readonly string[]): Command {
  const text = lines.map((line) => `  $ ${line}`).join('\n')
  return command.addHelpText('after', `\nExample:\n${text}`)
}

/** Makes a command and those below it refuse two values for one option: nobody can know which one is meant. */
export function refuseRepeats(command: Command): void {
  for (const option of command.options.filter(({ required }) => required)) {
    let isGiven = false
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw new UsageError(`${option.long} is given twice`, { wanted: 'one value' })
      isGiven = true
    })
  }
  for (const below of command.commands) refuseRepeats(below)
}
