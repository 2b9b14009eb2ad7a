import { readFileSync } from 'node:fs'
import { WHYPE } from '@braid-swap/chain'
import { routerDeployment } from '@braid-swap/contracts'
import { BaseError } from '@braid-swap/core'
import { Command, CommanderError } from 'commander'
import { getAddress } from 'viem'
import { readConfig } from './config.js'
import { addKeys } from './keysCommand.js'
import { startApi } from './startApi.js'

/** Where the program writes and what it may read: a process, or a test. */
export type Terminal = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
}

const FAILED = 1
const USAGE = 2

/**
 * Runs one command line of `braid-api`, without the program's own name, and gives the exit code: 0
 * done, 1 failed, 2 wrong input. Without words it serves until a signal comes.
 */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync([...words], { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed its message, or the help it was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    if (!(error instanceof BaseError)) throw error
    terminal.err(`error: ${error.message} (${error.code})`)
    return FAILED
  }
}

function createProgram(terminal: Terminal): Command {
  const withoutEnd = (text: string) => text.replace(/\n$/, '')
  const program = new Command('braid-api')
    .description(
      'Serves quotes and swaps over HTTP, configured by its environment (see README.md).',
    )
    .version(version())
    .exitOverride()
    .showHelpAfterError('(add --help for what is accepted)')
    .configureOutput({
      writeOut: (text) => terminal.out(withoutEnd(text)),
      writeErr: (text) => terminal.err(withoutEnd(text)),
    })
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong input.')
    .action(() => serve(terminal))
  program
    .command('router')
    .description('where the router is, on every chain where somebody deployed it for WHYPE')
    .action(() => terminal.out(getAddress(routerDeployment(WHYPE).router)))
  addKeys(program, terminal)
  return program
}

async function serve({ env }: Terminal): Promise<void> {
  const api = await startApi(readConfig(env))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void api.stop()
    })
  }
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
