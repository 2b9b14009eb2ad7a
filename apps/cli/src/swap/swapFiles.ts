/**
 * Keeps each swap that was sent in a file of its own until its end is known, so that a later command neither
 * sells the same order again nor forgets it. The folder is `braid/swaps` of the user's state.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseSentSwap, type SentSwap, type SwapMemory } from '@braid-swap/client'
import { FileError, UsageError } from '../errors.js'
import type { Terminal } from '../terminal.js'

/** The memory of all commands of a user. */
export type SwapFiles = Omit<SwapMemory, 'find'> & {
  readonly find: (terms: string) => SentSwap | undefined
  readonly all: () => readonly SentSwap[]
  /** The file of an order. */
  readonly pathOf: (terms: string) => string
}

/**
 * Opens the folder of `XDG_STATE_HOME`, or `.local/state` of the home. Throws USAGE without either: nothing is
 * sent that could not be kept. A file that is damaged is FILE_UNREADABLE.
 */
export function openSwapFiles({ env }: Pick<Terminal, 'env'>): SwapFiles {
  const home = env['HOME'] ?? env['USERPROFILE']
  const state = env['XDG_STATE_HOME'] || (home && join(home, '.local', 'state'))
  if (!state) {
    throw new UsageError('--send keeps what it sends, and there is no folder for it', {
      wanted: 'HOME or XDG_STATE_HOME',
    })
  }
  const folder = join(state, 'braid', 'swaps')
  orUnkept(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  const pathOf = (terms: string) =>
    join(folder, `${createHash('sha256').update(terms).digest('hex').slice(0, 32)}.json`)
  const find = (terms: string) => read(pathOf(terms))
  return {
    ...{ find, pathOf },
    all: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => read(join(folder, name)) ?? []),
    keep: (sent) => orUnkept(folder, () => keepAt(pathOf(sent.terms), sent)),
    forget: ({ id, terms }) => {
      if (find(terms)?.id === id) rmSync(pathOf(terms))
    },
  }
}

/** False if the file is another swap's. */
function keepAt(path: string, sent: SentSwap): boolean {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, `${JSON.stringify(sent)}\n`, { mode: 0o600, flush: true })
  try {
    if (read(path)?.id === sent.id) renameSync(draft, path)
    // Of two commands at once, one makes the name.
    else linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Throws FILE_UNREADABLE: what cannot be kept is not sent. */
function orUnkept<T>(folder: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (error instanceof FileError) throw error
    throw new FileError(folder, 'what is sent cannot be kept here', error)
  }
}

function read(path: string): SentSwap | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new FileError(path, 'a swap that was sent cannot be read', error)
  }
  const sent = parseSentSwap(parseJson(text))
  if (sent) return sent
  throw new FileError(
    path,
    'the record of a swap that was sent is damaged; look at your account, then remove it',
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
