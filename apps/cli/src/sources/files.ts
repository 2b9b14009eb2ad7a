import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readFileText } from '@braid-swap/chain'
import { parseSnapshot, type Snapshot } from '@braid-swap/core'
import { BadSnapshotError } from '@braid-swap/core/advanced'
import { FileError, UsageError } from '../errors.js'
import { trackProgress } from '../progress.js'
import type { Terminal } from '../terminal.js'

/** Files with this ending are compressed with gzip: a market becomes a quarter of its size. */
const COMPRESSED = '.gz'

/** The text of a file, unpacked if it is compressed, whatever its name; throws FILE_UNREADABLE. */
function readText(path: string): string {
  try {
    return readFileText(path)
  } catch (cause) {
    throw new FileError(path, 'cannot be read', cause)
  }
}

/** Writes a file, compressed if its name ends with `.gz`, and its folder if there is none; throws FILE_UNREADABLE. */
export function writeText(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, path.endsWith(COMPRESSED) ? gzipSync(text) : text)
  } catch (cause) {
    throw new FileError(path, 'cannot be written', cause)
  }
}

/** The value that `parse` makes of a file's text. `form` says what the file should be. Throws FILE_UNREADABLE. */
export function readFileAs<T>(path: string, form: string, parse: (text: string) => T): T {
  const text = readText(path)
  try {
    return parse(text)
  } catch (cause) {
    throw new FileError(path, `not ${form}`, cause)
  }
}

/** The path that stands for the standard input. */
export const STANDARD_INPUT = '-'

/**
 * The snapshot in a file, or in the standard input for the path `-`. Shows its progress on a terminal.
 * Throws USAGE, FILE_UNREADABLE, BAD_SNAPSHOT.
 */
export function readSnapshot(
  path: string,
  { input, progress }: Pick<Terminal, 'input' | 'progress'>,
): Snapshot {
  const file = path === STANDARD_INPUT ? 'standard input' : path
  progress?.(`reading ${file}`)
  try {
    const text = readTextOrInput(
      path,
      input,
      'a snapshot piped in: `… | braid quote --snapshot - …`',
    )
    return parseSnapshot(text, { onPools: trackProgress(progress, 'pools checked') })
  } catch (cause) {
    if (!(cause instanceof BadSnapshotError)) throw cause
    throw new BadSnapshotError(`${file}: ${cause.message}`, { ...cause.details, file }, cause)
  } finally {
    progress?.('')
  }
}

/** The text of a file, or of the standard input for the path `-`. Throws USAGE, FILE_UNREADABLE. */
export function readTextOrInput(path: string, input: Terminal['input'], wanted: string): string {
  if (path !== STANDARD_INPUT) return readText(path)
  if (input) return input()
  throw new UsageError('the standard input is a terminal', { wanted })
}
