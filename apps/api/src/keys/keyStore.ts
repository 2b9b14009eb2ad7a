import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type Clock, processClock } from '../clock.js'
import { createKeyCheck, endAgain, listKeys, mergeKey, type StoredKey } from './keys.js'

/** Time between two looks at where the keys are kept. */
export const RELOAD_MS = 1_000
/**
 * A revoked key passes for no longer than this, in every role, while the place of the keys can be read: a look each
 * second, the time of the look, and a look each second at the keys of open streams.
 */
export const REVOKED_WITHIN_MS = 3_000

/** Looks up the key in a header value. */
export type KeyStore = {
  /** Why the keys could not be read again; undefined if the last attempt succeeded. */
  readonly fault?: () => string | undefined
  /** Stored records that cannot be read: their keys are not accepted. */
  readonly unreadable?: () => readonly string[]
  /** `undefined` for a malformed, unknown, revoked or expired key, without saying which. */
  readonly find: (presented: string) => Promise<StoredKey | undefined>
}

/**
 * The keys of a file, which is re-read at most every second if it has changed. If it becomes
 * unreadable, the last valid keys stay active. A key that was revoked stays so when an older copy of the file is
 * restored, and is revoked there again. Throws {@link KeysFileError} if it is unreadable now.
 */
export async function openKeyStore(
  file: string,
  { unixMs, steadyMs }: Clock = processClock,
  log?: Pick<Logger, 'warn'>,
): Promise<KeyStore> {
  let version = await versionOf(file).catch(() => '')
  let keys = indexOf(await listKeys(file))
  /** Every key that this process has seen, also after it left the file. */
  let known = keys
  let checkedAtMs = steadyMs()
  let check = Promise.resolve()
  let fault: string | undefined
  const findKey = createKeyCheck()
  const refresh = async () => {
    try {
      const found = await versionOf(file)
      if (found === version) {
        fault = undefined
        return
      }
      const stored = await listKeys(file)
      keys = indexOf(stored.map((key) => mergeKey(key, known.get(key.id) ?? key)))
      known = new Map([...known, ...keys])
      const ids = stored.filter((key) => !isSameEnd(key, keys.get(key.id)!)).map(({ id }) => id)
      if (ids.length > 0) {
        const told = 'the keys file has forgotten that keys ended; they are ended again'
        if (fault === undefined) log?.warn({ ids }, told)
        await endAgain(file, keys)
      }
      version = found
      fault = undefined
    } catch (error) {
      // The operator may be editing the file: the last valid keys stay active.
      fault = error instanceof Error ? error.message : 'unreadable'
    }
  }
  return {
    fault: () => fault,
    find: async (presented) => {
      const nowMs = steadyMs()
      if (nowMs - checkedAtMs >= RELOAD_MS) {
        checkedAtMs = nowMs
        check = refresh()
      }
      // Concurrent requests wait too, otherwise they would use the old keys.
      await check
      return findKey(presented, keys, unixMs())
    },
  }
}

async function versionOf(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file)
  return `${mtimeMs} ${size} ${ino}`
}

const isSameEnd = (a: StoredKey, b: StoredKey) =>
  a.revokedAt === b.revokedAt && a.expiresAt === b.expiresAt

function indexOf(keys: readonly StoredKey[]): ReadonlyMap<string, StoredKey> {
  return new Map(keys.map((key) => [key.id, key]))
}
