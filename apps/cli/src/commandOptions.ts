import { type Command, Option } from 'commander'

/** Adds the options that say where the market comes from. */
export function withSource(command: Command): Command {
  return command
    .addOption(new Option('--snapshot <file>', 'a market saved by `braid snapshot`; works offline'))
    .addOption(new Option('--rpc <url>', 'a node to read the market from'))
    .addOption(new Option('--api <url>', 'an API to ask instead of computing here'))
    .addOption(new Option('--key <key>', 'the API’s key; BRAID_API_KEY if absent'))
    .addOption(
      new Option('--venues <file>', 'venues to read from the node, as JSON; HyperEVM’s if absent'),
    )
    .addOption(
      new Option('--tokens <file>', 'what tokens are called, as JSON; by default asked or beside'),
    )
}

/** Adds the options that say what is swapped. */
export function withOrder(command: Command): Command {
  return command
    .requiredOption('--in <token>', 'token to sell: a symbol, an address or `native`')
    .requiredOption('--out <token>', 'token to buy: a symbol, an address or `native`')
    .option('--amount <number>', 'how much goes in, in whole tokens, such as 1.5')
    .option('--amount-wei <integer>', 'how much goes in, in the smallest unit')
}

/** Adds `--json`. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON for machines, integers as strings')
}

/** Adds an example at the end of a command's help. */
export function withExample(command: Command, ...lines: readonly string[]): Command {
  const text = lines.map((line) => `  $ ${line}`).join('\n')
  return command.addHelpText('after', `\nExample:\n${text}`)
}
