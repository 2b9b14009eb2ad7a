/** The keys that a process accepts: of a file, or of Redis if no file is named; any on a recorded market without a file. */
import type { Redis } from '@braid-swap/feed'
import type { Logger } from 'pino'
import { processClock } from '../clock.js'
import { type KeyStore, openKeyStore } from './keyStore.js'
import type { StoredKey } from './keys.js'
import { openRedisKeyStore } from './redisKeyStore.js'

/** Whom a recorded market without keys answers: programs may keep the key that they have for another API. */
const ANYONE: StoredKey = { id: 'keyless', label: '', hash: '', createdAt: '' }

/**
 * Opens the keys. A process that answers no keyed request has none. Throws {@link KeysFileError} if
 * the file is unreadable, or {@link RedisAwayError} if Redis does not answer within ten seconds.
 */
export async function openKeys(
  {
    keysFile,
    role,
    marketFile,
  }: { readonly keysFile?: string; readonly role: string; readonly marketFile?: string },
  of: {
    readonly redis: { readonly keys: Redis } | undefined
    readonly chainId: number
    readonly signal: AbortSignal
    readonly log?: Logger
  },
): Promise<KeyStore> {
  if (keysFile !== undefined) return openKeyStore(keysFile, processClock, of.log)
  if (marketFile !== undefined) return { find: async () => ANYONE }
  if (!of.redis || role === 'indexer') return { find: async () => undefined }
  return openRedisKeyStore(of.redis.keys, of)
}
