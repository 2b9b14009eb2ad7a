/** Opens the place of the keys for `braid-api keys`: a file, or the Redis of several processes. */
import { hyperEvm } from '@braid-swap/chain'
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
import { createRedisKey, listRedisKeys, revokeRedisKey, rotateRedisKey } from './redisKeyStore.js'

/** Makes, lists and ends keys. */
export type KeyPlace = {
  readonly create: (terms: KeyTerms) => Promise<NewKey>
  readonly list: () => Promise<readonly StoredKey[]>
  /** Undefined if no active key has this id. */
  readonly rotate: (id: string, overlapMs: number) => Promise<NewKey | undefined>
  /** False if no key has this id. */
  readonly revoke: (id: string) => Promise<boolean>
  readonly close: () => void
}

/** The keys in a file. */
export function keysInFile(file: string): KeyPlace {
  return {
    create: (terms) => createKey(file, terms),
    list: () => listKeys(file),
    rotate: (id, overlapMs) => rotateKey(file, id, overlapMs),
    revoke: (id) => revokeKey(file, id),
    close: () => {},
  }
}

/** The keys in Redis. */
export function keysInRedis(url: string): KeyPlace {
  const redis = connectRedis(url)
  const { id: chainId } = hyperEvm
  return {
    create: (terms) => createRedisKey(redis, chainId, terms),
    list: () => listRedisKeys(redis, chainId),
    rotate: (id, overlapMs) => rotateRedisKey(redis, chainId, { id, overlapMs }),
    revoke: (id) => revokeRedisKey(redis, chainId, id),
    close: redis.close,
  }
}
