import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { routerDeployment } from '@braid-swap/contracts'
import { BaseError } from '@braid-swap/core'
import { Command, CommanderError } from 'commander'
import { getAddress } from 'viem'
import { type ApiConfig, ownChain, readConfig } from '../config/config.js'
import { ConfigError } from '../config/configError.js'
import { unknownSettings } from '../config/unknownSettings.js'
import { bootstrapOnly } from '../start/bootstrapOnly.js'
import { checkPlaces } from '../start/places.js'
import { startApi } from '../start/startApi.js'
import { addKeys } from './keys.js'
import type { Terminal } from './terminal.js'

const FAILED = 1
const USAGE = 2

/** The setting behind an error of the start, which names only what it found there. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['KEYS_FILE_UNREADABLE', 'BRAID_KEYS_FILE'],
  ['REDIS_AWAY', 'BRAID_REDIS_URL'],
  ['ROUTER_UNCONFIRMED', 'BRAID_ROUTER'],
  ['TOKEN_LIST_UNREADABLE', 'BRAID_TOKEN_LIST'],
])

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
    .option('--bootstrap-only', 'load and keep the market for later starts, then end')
    .action((options: ServeOptions) => serve(terminal, options))
  program
    .command('router')
    .description(
      'print where the router of the chain is deployed: the same on every chain with the same wrapped token',
    )
    .action(() => {
      const { wrapped } = ownChain(terminal.env)
      terminal.out(getAddress(routerDeployment(wrapped.address).router))
    })
  addKeys(program, terminal)
  return program
}

type ServeOptions = { readonly bootstrapOnly?: true }

async function serve({ env, err }: Terminal, { bootstrapOnly: isOnce }: ServeOptions) {
  const config = readConfig(env)
  for (const line of unknownSettings(env)) err(`warning: ${line}`)
  await checkPlaces(config)
  try {
    await (isOnce ? bootstrapOnly(config) : untilEnd(config))
  } catch (error) {
    const variable = error instanceof BaseError && VARIABLES.get(error.code)
    throw variable ? new ConfigError([`${variable}: ${(error as Error).message}`], error) : error
  }
}

/** Serves, and ends at a signal. */
async function untilEnd(config: ApiConfig): Promise<void> {
  const starting = startApi(config)
  let [isStarting, isEnding] = [true, false]
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isEnding) process.exit(FAILED)
      isEnding = true
      // The start comes to its end first, so that all that it opened is closed, unless what it waits for is gone.
      const stopped = starting.then((running) => running.stop())
      const late = isStarting ? [sleep(config.drainMs)] : []
      // A node that does not answer would keep the process for as long as its requests may take.
      void Promise.race([stopped, ...late]).finally(() => process.exit())
    })
  }
  await starting
  isStarting = false
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
