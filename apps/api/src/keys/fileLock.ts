/**
 * A lock between processes that change the same file: a file beside it, created exclusively. Without
 * it, two commands that read, change and write at the same time lose one of the changes.
 */
import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError } from '@braid-swap/core'

const RETRY_MS = 20
/** A change takes milliseconds. An older lock is of a process that died. */
const STALE_MS = 10_000
const PATIENCE_MS = 20_000

/**
 * Runs `work` while no other process holds the lock of the file. Throws {@link FileLockedError} if it
 * stays locked, or the system's error if the lock cannot be created.
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
    const handle = await open(lock, 'wx', 0o600)
    await handle.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const made = await stat(lock).catch(() => undefined)
    if (made && Date.now() - made.mtimeMs > STALE_MS) await rm(lock, { force: true })
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
