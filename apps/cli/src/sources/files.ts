import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { BadSnapshotError, parseSnapshot, type Snapshot } from '@braid-swap/core'
import { FileError } from '../errors.js'

/** The text of a file; throws FILE_UNREADABLE. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new FileError(path, 'cannot be read', cause)
  }
}

/** Writes a file, and its folder if there is none; throws FILE_UNREADABLE. */
export function writeText(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
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

/** The snapshot in a file; throws FILE_UNREADABLE, BAD_SNAPSHOT. */
export function readSnapshot(path: string): Snapshot {
  const text = readText(path)
  try {
    return parseSnapshot(text)
  } catch (cause) {
    if (!(cause instanceof BadSnapshotError)) throw cause
    throw new BadSnapshotError(`${path}: ${cause.message}`, { ...cause.details, file: path }, cause)
  }
}
