import { BaseError } from '@braid-swap/core'
import { type Command, InvalidArgumentError } from 'commander'
import { ownChain } from '../config/config.js'
import { ConfigError } from '../config/configError.js'
import { settings } from '../config/settings.js'
import { type KeyPlace, keysInFile, keysInRedis } from '../keys/keyPlace.js'
import type { NewKey, StoredKey } from '../keys/keys.js'
import type { Terminal } from './terminal.js'

/** `braid-api keys`: commands to manage the keys in a file, or in Redis. */
export function addKeys(program: Command, terminal: Terminal): void {
  const keys = program
    .command('keys')
    .description('manage the API keys, in the keys file or in Redis')
  const add = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .option(
        '--file <file>',
        'the keys file; by default BRAID_KEYS_FILE, else the Redis of BRAID_REDIS_URL',
      )
  const show = ({ key, id }: NewKey, note: string) => {
    terminal.out(key)
    terminal.err(`key ${id} (${note}): store it now, it cannot be shown again`)
  }
  add('create', 'create a key and print it once; the file is created if absent')
    .requiredOption('--label <text>', 'name of the owner, shown in the list', readLabel)
    .option('--expires <time>', 'expiry time, such as 2027-01-31 or 2027-01-31T12:00Z', readTime)
    .option('--rate <n>', 'requests per second; by default the API’s limit', readLimit)
    .option('--burst <n>', 'requests at once; by default the API’s limit', readLimit)
    .option('--origin <origin...>', 'allowed origins, such as https://app.example', readOrigin)
    .action(async ({ file, expires, origin, label, rate, burst }: CreateOptions) => {
      const terms = {
        label,
        ...(expires && { expiresAt: expires }),
        ...(rate !== undefined && { rate }),
        ...(burst !== undefined && { burst }),
        ...(origin && { origins: [...origin] }),
      }
      const made = await inPlace(file, terminal, ({ create }) => create(terms))
      show(made, label)
    })
  add('list', 'list the keys, oldest first').action(async ({ file }: FileOptions) => {
    const { keys, unreadable } = await inPlace(file, terminal, ({ list }) => list())
    for (const key of keys) terminal.out(describeKey(key))
    for (const id of unreadable) terminal.out(`${id}  cannot be read, and is not accepted`)
  })
  add('rotate', 'replace a key by a new one with the same terms')
    .argument('<id>', 'id of the key to replace, from the list')
    .option(
      '--overlap <time>',
      'how long both keys work, such as 90s, 30m, 24h or 7d',
      readSpan,
      DAY_MS,
    )
    .action(async (id: string, { file, overlap }: RotateOptions) => {
      const made = await inPlace(file, terminal, ({ rotate }) => rotate(id, overlap))
      if (!made) throw new UnknownKeyError(id)
      show(made, `replaces ${id}`)
    })
  add('revoke', 'revoke a key; a running API refuses it within seconds')
    .argument('<id>', 'id of the key, from the list or between the underscores of the key')
    .action(async (id: string, { file }: FileOptions) => {
      const done = await inPlace(file, terminal, ({ revoke }) => revoke(id))
      if (done === 'unknown') throw new UnknownKeyError(id)
      const note = done === 'unreadable' ? '; its record could not be read' : ''
      terminal.err(`key ${id} is revoked${note}`)
    })
}

type FileOptions = { readonly file?: string }
type RotateOptions = FileOptions & { readonly overlap: number }
type CreateOptions = FileOptions & {
  readonly label: string
  readonly expires?: Date
  readonly rate?: number
  readonly burst?: number
  readonly origin?: readonly string[]
}

/** Does something with the keys of a file or, if none is named, of Redis. */
async function inPlace<T>(
  file: string | undefined,
  terminal: Terminal,
  work: (place: KeyPlace) => Promise<T>,
): Promise<T> {
  const place = placeOf(file, terminal)
  try {
    return await work(place)
  } finally {
    place.close()
  }
}

function placeOf(file: string | undefined, { env }: Terminal): KeyPlace {
  const [named, url] = [file || env['BRAID_KEYS_FILE'], env['BRAID_REDIS_URL']]
  if (named) return keysInFile(named)
  if (url) return keysInRedis(readRedisUrl(url), ownChain(env).id)
  throw new NoKeysFileError()
}

/** Throws a {@link ConfigError}: Redis is not to blame for an address that is none. */
function readRedisUrl(text: string): string {
  const { error } = settings.BRAID_REDIS_URL.safeParse(text)
  if (error) throw new ConfigError([`BRAID_REDIS_URL: ${error.issues[0]!.message}`])
  return text
}

function readLabel(text: string): string {
  // The label is printed to terminals and logs.
  if (/^[^\p{Cc}]{1,100}$/u.test(text)) return text
  throw new InvalidArgumentError('It must have 1 to 100 characters, without control characters.')
}

function readTime(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('It must be an ISO 8601 time.')
  if (time.getTime() <= Date.now()) throw new InvalidArgumentError('It must be in the future.')
  return time
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be an integer from 1 to 999999.')
}

function readOrigin(text: string, before: readonly string[] = []): readonly string[] {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null'
  if (origin === text && origin !== 'null') return [...before, origin]
  throw new InvalidArgumentError('It must be an origin, such as https://app.example.')
}

const DAY_MS = 86_400_000
const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', DAY_MS],
])

function readSpan(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([smhd])$/.exec(text) ?? []
  if (unit !== '') return Number(count) * UNITS_MS.get(unit)!
  throw new InvalidArgumentError('It must be a number followed by s, m, h or d.')
}

function describeKey({ id, label, rate, burst, origins, ...times }: StoredKey): string {
  const terms = [
    ...(rate === undefined ? [] : [`${rate} a second`]),
    ...(burst === undefined ? [] : [`${burst} at once`]),
    ...(origins ? [`from ${origins.join(' ')}`] : []),
  ]
  return [id, stateOf(times), label, ...terms].join('  ')
}

function stateOf({
  createdAt,
  expiresAt,
  revokedAt,
}: Pick<StoredKey, 'createdAt' | 'expiresAt' | 'revokedAt'>): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt}`
  if (expiresAt === undefined) return `since ${createdAt}`
  return Date.parse(expiresAt) <= Date.now()
    ? `expired ${expiresAt}`
    : `since ${createdAt}, until ${expiresAt}`
}

/** No key in the file has this id. */
export class UnknownKeyError extends BaseError {
  readonly code = 'UNKNOWN_KEY'

  constructor(id: string) {
    super(`no key has the id ${id}`, { got: id })
  }
}

/** Neither the command line nor the environment names a keys file. */
export class NoKeysFileError extends BaseError {
  readonly code = 'NO_KEYS_FILE'

  constructor() {
    super('no keys file: use --file FILE, or set BRAID_KEYS_FILE or BRAID_REDIS_URL')
  }
}
