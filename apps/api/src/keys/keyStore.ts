import { timingSafeEqual } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { hashOf, isInForce, KEY, listKeys, type StoredKey } from './keys.js'

const RELOAD_AFTER_MS = 5_000
const UNKNOWN_HASH = '00'.repeat(32)

/** Looks up the key in a header value. */
export type KeyStore = {
  /** `undefined` for a malformed, unknown, revoked or expired key, without saying which. */
  readonly find: (presented: string) => Promise<StoredKey | undefined>
}

/**
 * The keys of a file, which is re-read at most every five seconds if it has changed. If it becomes
 * unreadable, the last valid keys stay active. Throws {@link KeysFileError} if it is unreadable now.
 */
export async function openKeyStore(file: string, now: () => number = Date.now): Promise<KeyStore> {
  let version = await versionOf(file).catch(() => '')
  let keys = indexOf(await listKeys(file))
  let checkedAtMs = now()
  let check = Promise.resolve()
  const refresh = async () => {
    try {
      const found = await versionOf(file)
      if (found === version) return
      keys = indexOf(await listKeys(file))
      version = found
    } catch {
      // The operator may be editing the file: the last valid keys stay active.
    }
  }
  return {
    find: async (presented) => {
      if (now() - checkedAtMs >= RELOAD_AFTER_MS) {
        checkedAtMs = now()
        check = refresh()
      }
      // Concurrent requests wait too, otherwise they would use the old keys.
      await check
      const [, id = '', secret = ''] = KEY.exec(presented) ?? []
      const key = keys.get(id)
      // The comparison also runs for unknown ids, so that timing reveals nothing.
      const expected = Buffer.from(key?.hash ?? UNKNOWN_HASH, 'hex')
      const isSame = timingSafeEqual(hashOf(secret), expected)
      return key && isSame && isInForce(key, now()) ? key : undefined
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
