/** API keys in Redis, shared by all processes of a chain: hashes only, as in the file. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf, type Redis, type Script } from '@braid-swap/feed'
import type { Logger } from 'pino'
import { type KeyStore, RELOAD_MS } from './keyStore.js'
import {
  createKeyCheck,
  isInForce,
  type KeyTerms,
  makeKey,
  mergeKey,
  type NewKey,
  replaceKey,
  type StoredKey,
  storedKeySchema,
} from './keys.js'

/** Time for the first look, in which Redis may be slow or about to start. */
const START_MS = 10_000
const RETRY_MS = 100
/** Looks after which all records are read, although nothing says that they changed. */
const READ_ALL_EVERY = 30
/** The field that every change gives a new value: a number, because older versions add one. No id has this length. */
const VERSION = 'version'

/**
 * KEYS: keys. ARGV: version field, its new value, id, stored key, stored key before or '' for none. Returns nil
 * if another process has changed the key meanwhile.
 */
const PUT: Script = {
  text: `if (redis.call('HGET', KEYS[1], ARGV[3]) or '') ~= ARGV[5] then return false end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[4], ARGV[1], ARGV[2])
return 1`,
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

/** What became of a key that was to be revoked. */
export type Revocation = 'revoked' | 'unknown' | 'unreadable'

/**
 * Revokes a key. A record that cannot be read is replaced by that of a revoked key, so that no process accepts the key
 * that knew it before. Throws a {@link RedisAwayError}.
 */
export async function revokeRedisKey(
  redis: Redis,
  chainId: number,
  id: string,
): Promise<Revocation> {
  while (true) {
    const text = await readText(redis, chainId, id)
    if (text === undefined) return 'unknown'
    const now = new Date().toISOString()
    const key = readRecord(id, text)
    const stub = { id, label: 'unreadable', hash: '0'.repeat(64), createdAt: now }
    if (await put(redis, chainId, { revokedAt: now, ...(key ?? stub) }, text)) {
      return key ? 'revoked' : 'unreadable'
    }
  }
}

async function put(redis: Redis, chainId: number, key: StoredKey, before: string) {
  const words = [VERSION, `${randomInt(2 ** 47)}`, key.id, JSON.stringify(key), before]
  return (await redis.run(PUT, [keyOf(chainId, 'keys')], words)) !== null
}

async function readText(redis: Redis, chainId: number, id: string): Promise<string | undefined> {
  if (id === VERSION) return undefined
  const text = await redis.send(['HGET', keyOf(chainId, 'keys'), id])
  return typeof text === 'string' ? text : undefined
}

async function read(redis: Redis, chainId: number, id: string) {
  const text = await readText(redis, chainId, id)
  const key = text === undefined ? undefined : readRecord(id, text)
  return text !== undefined && key ? { text, key } : undefined
}

/** A stored key; `undefined` if its record cannot be read or is of another id. */
function readRecord(id: string, text: string): StoredKey | undefined {
  try {
    const key = storedKeySchema.parse(JSON.parse(text))
    return key.id === id ? key : undefined
  } catch {
    return undefined
  }
}

/** The keys of a chain, oldest first, their records, and the ids of records that cannot be read. */
export type RedisKeys = {
  readonly keys: readonly StoredKey[]
  readonly texts: ReadonlyMap<string, string>
  readonly unreadable: readonly string[]
}

/** All keys. Throws a {@link RedisAwayError}. */
export async function listRedisKeys(
  redis: Redis,
  chainId: number,
  timeoutMs?: number,
): Promise<RedisKeys> {
  const words = ['HGETALL', keyOf(chainId, 'keys')]
  const flat = (await redis.send(words, timeoutMs)) as readonly string[]
  const texts = new Map<string, string>()
  for (let i = 0; i < flat.length; i += 2) texts.set(flat[i]!, flat[i + 1]!)
  texts.delete(VERSION)
  const read = [...texts].map(([id, text]) => ({ id, key: readRecord(id, text) }))
  return {
    keys: read.flatMap(({ key }) => key ?? []).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
    unreadable: read.filter(({ key }) => !key).map(({ id }) => id),
    texts,
  }
}

/**
 * The keys of a chain, looked at every second. While Redis is away, the last keys stay active, and expire in time.
 * What this process knows and Redis has lost is written back: keys after it was emptied, revocations after an old copy
 * was restored. Throws a {@link RedisAwayError} if Redis has not answered after ten seconds.
 */
export async function openRedisKeyStore(
  redis: Redis,
  { chainId, signal, log }: RedisKeyOptions,
): Promise<KeyStore> {
  let version: unknown
  let keys: ReadonlyMap<string, StoredKey> = new Map()
  let unreadable: readonly string[] = []
  let looks = 0
  const reload = async (timeoutMs?: number) => {
    const found = await redis.send(['HGET', keyOf(chainId, 'keys'), VERSION], timeoutMs)
    looks += 1
    if (found === version && looks % READ_ALL_EVERY !== 0) return
    const stored = await listRedisKeys(redis, chainId, timeoutMs)
    const next = new Map(keys)
    for (const key of stored.keys) {
      const known = next.get(key.id)
      next.set(key.id, known ? mergeKey(key, known) : key)
    }
    keys = withSameObjects(next, keys)
    version = found
    const isNew = stored.unreadable.some((id) => !unreadable.includes(id))
    if (isNew)
      log?.error({ ids: stored.unreadable }, 'stored keys cannot be read; none of them is accepted')
    unreadable = stored.unreadable
    for (const key of keys.values()) {
      const before = stored.texts.get(key.id) ?? ''
      const was = readRecord(key.id, before)
      if (was?.expiresAt === key.expiresAt && was?.revokedAt === key.revokedAt && was) continue
      await put(redis, chainId, key, before)
    }
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
    unreadable: () => unreadable,
    find: async (presented) => findKey(presented, keys, Date.now()),
  }
}

/** Options of {@link openRedisKeyStore}. */
export type RedisKeyOptions = {
  readonly chainId: number
  readonly signal: AbortSignal
  readonly log?: Pick<Logger, 'error'> | undefined
}

/** The same keys, by the objects of before where nothing differs: what is proven of those need not be proven again. */
function withSameObjects(
  next: ReadonlyMap<string, StoredKey>,
  before: ReadonlyMap<string, StoredKey>,
): ReadonlyMap<string, StoredKey> {
  const same = (key: StoredKey) => {
    const old = before.get(key.id)
    return old && JSON.stringify(old) === JSON.stringify(key) ? old : key
  }
  return new Map([...next].map(([id, key]) => [id, same(key)]))
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
