import { stat } from 'node:fs/promises'
import { type Clock, processClock } from '../clock.js'
import { createKeyCheck, listKeys, type StoredKey } from './keys.js'

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
 * unreadable, the last valid keys stay active. Throws {@link KeysFileError} if it is unreadable now.
 */
export async function openKeyStore(
  file: string,
  { unixMs, steadyMs }: Clock = processClock,
): Promise<KeyStore> {
  let version = await versionOf(file).catch(() => '')
  let keys = indexOf(await listKeys(file))
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
      keys = indexOf(await listKeys(file))
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

function indexOf(keys: readonly StoredKey[]): ReadonlyMap<string, StoredKey> {
  return new Map(keys.map((key) => [key.id, key]))
}
