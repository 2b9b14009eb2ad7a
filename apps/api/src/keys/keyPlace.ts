/** Opens the place of the keys for `braid-api keys`: a file, or the Redis of several processes. */
import { connectRedis } from '@braid-swap/feed'
import {
  createKey,
  type KeyTerms,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  type StoredKey,
} from './keys.js'
import {
  createRedisKey,
  listRedisKeys,
  type Revocation,
  revokeRedisKey,
  rotateRedisKey,
} from './redisKeyStore.js'

/** Makes, lists and ends keys. */
export type KeyPlace = {
  readonly create: (terms: KeyTerms) => Promise<NewKey>
  /** All keys, oldest first, and the ids of those whose record cannot be read. */
  readonly list: () => Promise<{
    readonly keys: readonly StoredKey[]
    readonly unreadable: readonly string[]
  }>
  /** Undefined if no active key has this id. */
  readonly rotate: (id: string, overlapMs: number) => Promise<NewKey | undefined>
  readonly revoke: (id: string) => Promise<Revocation>
  readonly close: () => void
}

/** The keys in a file. */
export function keysInFile(file: string): KeyPlace {
  return {
    create: (terms) => createKey(file, terms),
    list: async () => ({ keys: await listKeys(file), unreadable: [] }),
    rotate: (id, overlapMs) => rotateKey(file, id, overlapMs),
    revoke: async (id) => ((await revokeKey(file, id)) ? 'revoked' : 'unknown'),
    close: () => {},
  }
}

/** The keys of the processes of a chain in Redis. */
export function keysInRedis(url: string, chainId: number): KeyPlace {
  const redis = connectRedis(url)
  return {
    create: (terms) => createRedisKey(redis, chainId, terms),
    list: () => listRedisKeys(redis, chainId),
    rotate: (id, overlapMs) => rotateRedisKey(redis, chainId, { id, overlapMs }),
    revoke: (id) => revokeRedisKey(redis, chainId, id),
    close: redis.close,
  }
}
