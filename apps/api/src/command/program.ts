import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { WHYPE } from '@braid-swap/chain'
import { routerDeployment } from '@braid-swap/contracts'
import { BaseError } from '@braid-swap/core'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { getAddress } from 'viem'
import { type ApiConfig, readConfig } from '../config/config.js'
import { ConfigError } from '../config/configError.js'
import { unknownSettings } from '../config/unknownSettings.js'
import { checkPlaces } from '../start/places.js'
import { startApi } from '../start/startApi.js'
import { bootstrapOnly } from '../workers/bootstrap.js'
import { isWorker, startWorker, startWorkers } from '../workers/workers.js'
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
    .option('--workers <n>', 'answer in this many processes behind one port', readCount)
    .option('--bootstrap-only', 'load and keep the market for later starts, then end')
    .action((options: ServeOptions) => serve(terminal, options))
  program
    .command('router')
    .description('print the address of the router, the same on every chain that has it for WHYPE')
    .action(() => terminal.out(getAddress(routerDeployment(WHYPE).router)))
  addKeys(program, terminal)
  return program
}

type ServeOptions = { readonly workers?: number; readonly bootstrapOnly?: true }

/** More processes than any machine has processors would only compete. */
const MAX_WORKERS = 256

function readCount(text: string): number {
  const count = Number(text)
  if (/^[1-9]\d{0,2}$/.test(text) && count <= MAX_WORKERS) return count
  throw new InvalidArgumentError(`It must be an integer from 1 to ${MAX_WORKERS}.`)
}

async function serve({ env, err }: Terminal, { workers, bootstrapOnly: isOnce }: ServeOptions) {
  const config = readConfig(env)
  if (!isWorker()) for (const line of unknownSettings(env)) err(`warning: ${line}`)
  if (isOnce && workers !== undefined) {
    throw new ConfigError(['--bootstrap-only ends before workers could answer: omit --workers'])
  }
  if (workers !== undefined && config.role === 'indexer') {
    throw new ConfigError(['--workers is for processes that answer: BRAID_ROLE is indexer'])
  }
  if (!isWorker()) await checkPlaces(config)
  try {
    await (isOnce ? bootstrapOnly(config) : untilEnd(config, workers))
  } catch (error) {
    const variable = error instanceof BaseError && VARIABLES.get(error.code)
    throw variable ? new ConfigError([`${variable}: ${(error as Error).message}`], error) : error
  }
}

/** Serves, and ends at a signal. */
async function untilEnd(config: ApiConfig, workers: number | undefined): Promise<void> {
  const starting = start(config, workers)
  let [isStarting, isEnding] = [true, false]
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A terminal sends SIGINT to workers too, which their parent ends.
      if (isWorker() && signal === 'SIGINT') return
      if (isEnding) process.exit(FAILED)
      isEnding = true
      // The first workers answer before the last has started, so the start comes to its end first,
      // unless what it waits for is gone.
      const stopped = starting.then((running) => running.stop())
      const late = isStarting ? [sleep(config.drainMs)] : []
      // A node that does not answer would keep the process for as long as its requests may take.
      void Promise.race([stopped, ...late]).finally(() => process.exit())
    })
  }
  await starting
  isStarting = false
}

function start(config: ApiConfig, workers: number | undefined) {
  if (isWorker()) return startWorker(config)
  return workers === undefined ? startApi(config) : startWorkers(config, workers)
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
