/** API keys in Redis, shared by all processes of a chain: hashes only, as in the file. */
import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf, type Redis, type Script } from '@braid-swap/feed'
import type { KeyStore } from './keyStore.js'
import {
  createKeyCheck,
  isInForce,
  type KeyTerms,
  makeKey,
  type NewKey,
  replaceKey,
  type StoredKey,
  storedKeySchema,
} from './keys.js'

/** Time between two looks at the keys: a revocation reaches every process within two seconds. */
const RELOAD_MS = 1_000
/** Time for the first look, in which Redis may be slow or about to start. */
const START_MS = 10_000
const RETRY_MS = 100
/** The field that counts the changes. No id has this length. */
const VERSION = 'version'

/**
 * KEYS: keys. ARGV: version field, id, stored key, stored key before or '' for none. Returns nil if
 * another process has changed the key meanwhile.
 */
const PUT: Script = {
  text: `if (redis.call('HGET', KEYS[1], ARGV[2]) or '') ~= ARGV[4] then return false end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)`,
}

/** Adds a key, shown only once. Throws a {@link RedisAwayError}. */
export async function createRedisKey(
  redis: Redis,
  chainId: number,
  terms: KeyTerms,
): Promise<NewKey> {
  const { added, key } = makeKey(terms)
  await put(redis, chainId, added, '')
  return { key, id: added.id }
}

/** Replaces a key as {@link rotateKey} does. Throws a {@link RedisAwayError}. */
export async function rotateRedisKey(
  redis: Redis,
  chainId: number,
  of: { readonly id: string; readonly overlapMs: number },
): Promise<NewKey | undefined> {
  while (true) {
    const found = await read(redis, chainId, of.id)
    if (!found || !isInForce(found.key, Date.now())) return undefined
    const { ending, added, key } = replaceKey(found.key, of.overlapMs)
    if (!(await put(redis, chainId, ending, found.text))) continue
    await put(redis, chainId, added, '')
    return { key, id: added.id }
  }
}

/** Revokes a key; false if no key has this id. Throws a {@link RedisAwayError}. */
export async function revokeRedisKey(redis: Redis, chainId: number, id: string): Promise<boolean> {
  while (true) {
    const found = await read(redis, chainId, id)
    if (!found) return false
    const revoked = { revokedAt: new Date().toISOString(), ...found.key }
    if (await put(redis, chainId, revoked, found.text)) return true
  }
}

async function put(redis: Redis, chainId: number, key: StoredKey, before: string) {
  const words = [VERSION, key.id, JSON.stringify(key), before]
  return (await redis.run(PUT, [keyOf(chainId, 'keys')], words)) !== null
}

async function read(redis: Redis, chainId: number, id: string) {
  if (id === VERSION) return undefined
  const text = await redis.send(['HGET', keyOf(chainId, 'keys'), id])
  return typeof text === 'string'
    ? { text, key: storedKeySchema.parse(JSON.parse(text)) }
    : undefined
}

/** All keys, oldest first. */
export async function listRedisKeys(
  redis: Redis,
  chainId: number,
  timeoutMs?: number,
): Promise<readonly StoredKey[]> {
  const words = ['HGETALL', keyOf(chainId, 'keys')]
  const flat = (await redis.send(words, timeoutMs)) as readonly string[]
  const keys: StoredKey[] = []
  for (let i = 0; i < flat.length; i += 2) {
    if (flat[i] === VERSION) continue
    keys.push(storedKeySchema.parse(JSON.parse(flat[i + 1]!)))
  }
  return keys.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/**
 * The keys of a chain, looked at every second. While Redis is away, the last keys stay active, and
 * expire in time. Throws a {@link RedisAwayError} if Redis has not answered after ten seconds.
 */
export async function openRedisKeyStore(
  redis: Redis,
  { chainId, signal }: { readonly chainId: number; readonly signal: AbortSignal },
): Promise<KeyStore> {
  let version: unknown
  let keys: ReadonlyMap<string, StoredKey> = new Map()
  const reload = async (timeoutMs?: number) => {
    const found = await redis.send(['HGET', keyOf(chainId, 'keys'), VERSION], timeoutMs)
    // A Redis that lost its data must not end every key; `braid-api keys` makes the first one.
    if (found === version || (found === null && keys.size > 0)) return
    keys = new Map((await listRedisKeys(redis, chainId, timeoutMs)).map((key) => [key.id, key]))
    version = found
  }
  await loadFirst(reload)
  const findKey = createKeyCheck()
  let fault: string | undefined
  const follow = async () => {
    while (!signal.aborted) {
      await sleep(RELOAD_MS, undefined, { ref: false, signal }).catch(() => {})
      if (signal.aborted) return
      fault = await reload().then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      )
    }
  }
  void follow()
  return {
    fault: () => fault,
    find: async (presented) => findKey(presented, keys, Date.now()),
  }
}

/** Looks at the keys until Redis answers, for a limited time. Throws what the last look threw. */
async function loadFirst(reload: (timeoutMs: number) => Promise<void>): Promise<void> {
  const untilMs = performance.now() + START_MS
  while (true) {
    const leftMs = untilMs - performance.now()
    try {
      return await reload(leftMs)
    } catch (error) {
      if (performance.now() + RETRY_MS >= untilMs) throw error
      await sleep(RETRY_MS)
    }
  }
}
