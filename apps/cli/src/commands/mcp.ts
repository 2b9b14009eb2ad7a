import type { Command } from 'commander'
import { withExample, withSource } from '../commandOptions.js'
import { plain } from '../draw/index.js'
import type { Fixed, RunLine } from '../mcp/server.js'
import { apiOf } from '../sources/apiClient.js'
import type { SourceOptions } from '../sources/marketSource.js'
import { sourceOf } from '../sources/marketSource.js'
import { readAddress, readSlippagePpm } from '../swap/slippage.js'
import type { Terminal } from '../terminal.js'

/** Runs a command line of this program on another terminal. */
export type RunOn = (words: readonly string[], terminal: Terminal) => Promise<number>

/** `braid mcp`: the tools of an agent, over standard input and output. */
export function addMcp(program: Command, terminal: Terminal, runOn: RunOn): void {
  const command = program
    .command('mcp')
    .description('quote, compare, build, approve and verify as tools for an agent')
    .option('--from <address>', 'the wallet of every swap; no tool takes another')
    .option('--receiver <address>', 'who gets every output; no tool takes another')
    .option('--slippage <percent>', 'accepted loss of every swap; no tool takes another')
    .option('--router <address>', 'the router (default: the published one)')
  withSource(command).action((options: SourceOptions & Fixed) =>
    serve(options, terminal, { program, runOn }),
  )
  withExample(
    command,
    'braid mcp --api https://braid.example --key $KEY',
    'braid mcp --snapshot market.json',
  )
}

async function serve(
  { from, receiver, slippage, router, ...options }: SourceOptions & Fixed,
  terminal: Terminal,
  { program, runOn }: { readonly program: Command; readonly runOn: RunOn },
): Promise<void> {
  const fixed = Object.fromEntries(
    Object.entries({ from, receiver, slippage, router }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  // A person starts the server and an agent asks it: a wrong setting has to end it at once.
  for (const [name, text] of Object.entries(fixed)) {
    if (name !== 'slippage') readAddress(`--${name}`, text)
    else if (text !== 'auto') readSlippagePpm(text)
  }
  if (sourceOf(options) === 'api') apiOf(options, terminal)
  // The library takes as long to load as all other commands take to run.
  const [{ createMcpServer }, { StdioServerTransport }] = await Promise.all([
    import('../mcp/server.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ])
  const run: RunLine = async (words) => {
    const written = { out: [] as string[], err: [] as string[] }
    const code = await runOn(words, {
      out: (text) => void written.out.push(text),
      err: (text) => void written.err.push(text),
      ...{ env: terminal.env, paint: plain },
    })
    return { code, out: written.out.join('\n'), err: written.err.join('\n') }
  }
  const server = createMcpServer(program.version() ?? '', { source: { ...options }, fixed }, run)
  await server.connect(new StdioServerTransport())
}
