/**
 * A lock between processes that change the same file: an empty file beside it. Without it, two commands that read,
 * change and write at the same time lose one of the changes.
 */
import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError } from '@braid-swap/core'

const RETRY_MS = 20
/** A change takes milliseconds. */
const PATIENCE_MS = 10_000

/**
 * Runs `work` while no other process holds the lock of the file. Throws {@link FileLockedError} if it stays locked,
 * as a process that was killed leaves it, or the system's error if the lock cannot be created.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  const endMs = performance.now() + PATIENCE_MS
  while (!(await acquire(lock))) {
    if (performance.now() > endMs) throw new FileLockedError(file, lock)
    await sleep(RETRY_MS)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function acquire(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Another process holds the lock of a file. */
export class FileLockedError extends BaseError {
  readonly code = 'FILE_LOCKED'

  constructor(file: string, lock: string) {
    super(`another command is changing ${file}; if none is, delete ${lock}`, { file, lock })
  }
}
