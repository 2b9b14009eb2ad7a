/** API keys in Redis, shared by all processes of a chain: hashes only, as in the file. */
import { timingSafeEqual } from 'node:crypto'
import { keyOf, type Redis, type Script } from '@braid-swap/feed'
import type { KeyStore } from './keyStore.js'
import { hashOf, isInForce, KEY, type StoredKey, storedKeySchema } from './keys.js'

/** Time between two looks at the keys: a revocation reaches every process within two seconds. */
const RELOAD_MS = 1_000
const UNKNOWN_HASH = '00'.repeat(32)
/** The field that counts the changes. No id has this length. */
const VERSION = 'version'

/** KEYS: keys. ARGV: version field, id, stored key. */
const PUT: Script = {
  text: `redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)`,
}

/** Adds a key, or replaces the stored data of one. */
export async function putKey(redis: Redis, chainId: number, key: StoredKey): Promise<void> {
  await redis.run(PUT, [keyOf(chainId, 'keys')], [VERSION, key.id, JSON.stringify(key)])
}

/** All keys, oldest first. */
export async function listRedisKeys(redis: Redis, chainId: number): Promise<readonly StoredKey[]> {
  const flat = (await redis.send(['HGETALL', keyOf(chainId, 'keys')])) as readonly string[]
  const keys: StoredKey[] = []
  for (let i = 0; i < flat.length; i += 2) {
    if (flat[i] === VERSION) continue
    keys.push(storedKeySchema.parse(JSON.parse(flat[i + 1]!)))
  }
  return keys.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/**
 * The keys of a chain, looked at every second. While Redis is away, the last keys stay active, and
 * expire in time. Throws a {@link RedisAwayError} if Redis does not answer now.
 */
export async function openRedisKeyStore(
  redis: Redis,
  { chainId, signal }: { readonly chainId: number; readonly signal: AbortSignal },
): Promise<KeyStore> {
  let version: unknown
  let keys: ReadonlyMap<string, StoredKey> = new Map()
  const reload = async () => {
    const found = await redis.send(['HGET', keyOf(chainId, 'keys'), VERSION])
    // A Redis that lost its data must not end every key; `braid-api keys` makes the first one.
    if (found === version || (found === null && keys.size > 0)) return
    keys = new Map((await listRedisKeys(redis, chainId)).map((key) => [key.id, key]))
    version = found
  }
  await reload()
  const timer = setInterval(() => void reload().catch(() => {}), RELOAD_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return {
    find: async (presented) => {
      const [, id = '', secret = ''] = KEY.exec(presented) ?? []
      const key = keys.get(id)
      // The comparison also runs for unknown ids, so that timing reveals nothing.
      const expected = Buffer.from(key?.hash ?? UNKNOWN_HASH, 'hex')
      const isSame = timingSafeEqual(hashOf(secret), expected)
      return key && isSame && isInForce(key, Date.now()) ? key : undefined
    },
  }
}
