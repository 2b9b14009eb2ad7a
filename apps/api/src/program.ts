import { readFileSync } from 'node:fs'
import { WHYPE } from '@braid-swap/chain'
import { routerDeployment } from '@braid-swap/contracts'
import { BaseError } from '@braid-swap/core'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { getAddress } from 'viem'
import { readConfig } from './config.js'
import { createKey, listKeys, revokeKey, type StoredKey } from './keys.js'
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

function addKeys(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('the API keys in the keys file')
  const add = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .option('--file <file>', 'the keys file; BRAID_KEYS_FILE if absent')
  add('create', 'make a key and print it, this once; the file is created if absent')
    .requiredOption('--label <text>', 'whose it is, for the list', readLabel)
    .option('--expires <time>', 'when it ends, such as 2027-01-31 or 2027-01-31T12:00Z', readTime)
    .action(async ({ label, expires, file }: CreateOptions) => {
      const more = expires && { expiresAt: expires }
      const { key, id } = await createKey(fileOf(file, terminal), { label, ...more })
      terminal.out(key)
      terminal.err(`key ${id} of ${label}: keep it, it cannot be shown again`)
    })
  add('list', 'what is kept of every key, oldest first').action(async ({ file }: FileOptions) => {
    for (const key of await listKeys(fileOf(file, terminal))) terminal.out(describeKey(key))
  })
  add('revoke', 'end a key; a running API refuses it within seconds')
    .argument('<id>', 'its id, from the list or between the underscores of the key')
    .action(async (id: string, { file }: FileOptions) => {
      if (!(await revokeKey(fileOf(file, terminal), id))) throw new UnknownKeyError(id)
      terminal.err(`key ${id} is revoked`)
    })
}

type FileOptions = { readonly file?: string }
type CreateOptions = FileOptions & { readonly label: string; readonly expires?: Date }

function fileOf(file: string | undefined, { env }: Terminal): string {
  const named = file || env['BRAID_KEYS_FILE']
  if (!named) throw new NoKeysFileError()
  return named
}

function readLabel(text: string): string {
  // It is written to terminals and logs.
  if (/^[^\p{Cc}]{1,100}$/u.test(text)) return text
  throw new InvalidArgumentError('It must have 1 to 100 characters, none of them a control.')
}

function readTime(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('It must be an ISO 8601 time.')
  return time
}

function describeKey({ id, label, createdAt, expiresAt, revokedAt }: StoredKey): string {
  const end = expiresAt === undefined ? '' : `, until ${expiresAt}`
  const state = revokedAt === undefined ? `since ${createdAt}${end}` : `revoked ${revokedAt}`
  return `${id}  ${state}  ${label}`
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

/** No key in the file has this id. */
export class UnknownKeyError extends BaseError {
  readonly code = 'UNKNOWN_KEY'

  constructor(id: string) {
    super(`no key has the id ${id}`, { got: id })
  }
}

/** Neither the command line nor the environment says which keys file is meant. */
export class NoKeysFileError extends BaseError {
  readonly code = 'NO_KEYS_FILE'

  constructor() {
    super('say which keys file: --file FILE or BRAID_KEYS_FILE')
  }
}
