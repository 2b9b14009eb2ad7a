/**
 * A lock between processes that change the same file: a link beside it to a file of the holder. Without it, two
 * commands that read, change and write at the same time lose one of the changes.
 */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError } from '@braid-swap/core'

const RETRY_MS = 20
/** A change takes milliseconds. An older lock is of a process that died. */
const STALE_MS = 10_000
const PATIENCE_MS = 20_000

/** Throws if the lock was taken away meanwhile; call it right before the change becomes visible. */
export type ConfirmLock = () => Promise<void>

/**
 * Runs `work` while no other process holds the lock of the file, and again if the lock was taken away before the
 * change was visible. Throws {@link FileLockedError} if it stays locked, or the system's error if the lock cannot
 * be created.
 */
export async function withFileLock<T>(
  file: string,
  work: (confirm: ConfirmLock) => Promise<T>,
): Promise<T> {
  const lock = `${file}.lock`
  const token = randomUUID()
  const own = `${lock}.${token}`
  const isHeld = async () => (await textOf(lock)) === token
  const confirm = async () => {
    if (!(await isHeld())) throw new LockLostError()
  }
  const endMs = performance.now() + PATIENCE_MS
  await writeFile(own, token, { mode: 0o600, flag: 'wx' })
  try {
    for (;;) {
      while (!(await acquire(lock, own))) {
        if (performance.now() > endMs) throw new FileLockedError(file, lock)
        await sleep(RETRY_MS)
      }
      try {
        return await work(confirm)
      } catch (error) {
        if (!(error instanceof LockLostError)) throw error
      } finally {
        if (await isHeld()) await rm(lock, { force: true })
      }
    }
  } finally {
    await rm(own, { force: true })
  }
}

async function acquire(lock: string, own: string): Promise<boolean> {
  try {
    // The age of a lock counts from when it was taken.
    const now = new Date()
    await utimes(own, now, now)
    await link(own, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await removeStale(lock, `${own}.stale`)
    return false
  }
}

/**
 * Removes the lock of a process that died. Of several that see it, one moves it away; another that moves the lock
 * of the next holder instead puts it back.
 */
async function removeStale(lock: string, away: string): Promise<void> {
  const text = await textOf(lock)
  const made = await stat(lock).catch(() => undefined)
  if (!made || Date.now() - made.mtimeMs <= STALE_MS) return
  const isMoved = await rename(lock, away).then(
    () => true,
    () => false,
  )
  if (!isMoved) return
  if ((await textOf(away)) !== text) await link(away, lock).catch(() => {})
  await rm(away, { force: true })
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

/** The lock was taken for that of a process that died. */
class LockLostError extends Error {}

/** Another process holds the lock of a file. */
export class FileLockedError extends BaseError {
  readonly code = 'FILE_LOCKED'

  constructor(file: string, lock: string) {
    super(`another command is changing ${file}; if none is, delete ${lock}`, { file, lock })
  }
}
