import { timingSafeEqual } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { hashOf, isInForce, KEY, listKeys, type StoredKey } from './keys.js'

const RELOAD_AFTER_MS = 5_000
const UNKNOWN_HASH = '00'.repeat(32)

/** Finds the key that a header value presents. */
export type KeyStore = {
  /** `undefined` for a key that is malformed, unknown, revoked or expired: nobody is told which. */
  readonly find: (presented: string) => Promise<StoredKey | undefined>
}

/**
 * The keys of a file, read again at most every five seconds when it changed. A file that becomes
 * unreadable leaves the last good keys in force. Throws {@link KeysFileError} if it cannot be read now.
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
      // The operator is editing it: the last good keys stay.
    }
  }
  return {
    find: async (presented) => {
      if (now() - checkedAtMs >= RELOAD_AFTER_MS) {
        checkedAtMs = now()
        check = refresh()
      }
      // Those that come meanwhile wait too, or they would be judged by the old keys.
      await check
      const [, id = '', secret = ''] = KEY.exec(presented) ?? []
      const key = keys.get(id)
      // The comparison runs for unknown ids too, so that timing tells nothing.
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
