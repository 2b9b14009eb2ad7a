import { readFileSync } from 'node:fs'
import { WHYPE } from '@braid-swap/chain'
import { routerDeployment } from '@braid-swap/contracts'
import { BaseError } from '@braid-swap/core'
import { Command, CommanderError } from 'commander'
import { getAddress } from 'viem'
import { readConfig } from '../config.js'
import { startApi } from '../startApi.js'
import { addKeys } from './keys.js'
import type { Terminal } from './terminal.js'

const FAILED = 1
const USAGE = 2

/**
 * Runs one command line of `braid-api`, without the program name, and returns the exit code: 0 done, 1
 * failed, 2 wrong input. Without arguments it serves until a signal arrives.
 */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync([...words], { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed its message or the requested help.
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
      'Serves quotes and swaps over HTTP, configured by environment variables (see README.md).',
    )
    .version(version())
    .exitOverride()
    .showHelpAfterError('(use --help for usage)')
    .configureOutput({
      writeOut: (text) => terminal.out(withoutEnd(text)),
      writeErr: (text) => terminal.err(withoutEnd(text)),
    })
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong input.')
    .action(() => serve(terminal))
  program
    .command('router')
    .description('print the address of the router, the same on every chain that has it for WHYPE')
    .action(() => terminal.out(getAddress(routerDeployment(WHYPE).router)))
  addKeys(program, terminal)
  return program
}

async function serve({ env }: Terminal): Promise<void> {
  const api = await startApi(readConfig(env))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      // A node that does not answer would keep the process for as long as its requests may take.
      void api.stop().finally(() => process.exit())
    })
  }
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
