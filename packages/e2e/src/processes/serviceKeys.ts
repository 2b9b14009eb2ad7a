/**
 * The keys of a service, in its Redis: one that every reader must accept, and those before it, which are revoked and must
 * never be accepted again. What Redis loses, readers write back.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey, listKeys, type NewKey, revokeKey } from '@braid-swap/api'
import { connectRedis } from '@braid-swap/feed'
import type { World } from './service.js'

const KEYS = 'braid:{999}:keys'

/** Keys in Redis, and what readers make of them. */
export type ServiceKeys = {
  /** The key that is accepted. */
  readonly valid: () => string
  /** Revokes that key and makes another. Resolves when the readers know both, with the time it took. */
  readonly renew: (readers: readonly string[]) => Promise<number>
  /** Names each key that a reader lost, and each revoked one that it accepts. */
  readonly wrong: (readers: readonly string[]) => Promise<readonly string[]>
  /** All that Redis has of the keys. */
  readonly copy: () => Promise<readonly string[]>
  /** Replaces the keys by an earlier copy, as an old backup does. */
  readonly restore: (copy: readonly string[]) => Promise<void>
}

/** Writes the keys of a world into Redis. */
export async function openServiceKeys(
  { keysFile, ask }: Pick<World, 'keysFile' | 'ask'>,
  redisUrl: string,
): Promise<ServiceKeys> {
  const revoked: string[] = []
  let valid: NewKey
  const send = async (...commands: readonly (readonly string[])[]) => {
    const connection = connectRedis(redisUrl)
    let answer: unknown
    for (const command of commands) answer = await connection.send([...command])
    connection.close()
    return answer
  }
  const change = async () => {
    if (valid) {
      await revokeKey(keysFile, valid.id)
      revoked.push(valid.key)
    }
    valid = await createKey(keysFile, { label: 'of a fault' })
    const records = (await listKeys(keysFile)).flatMap((key) => [key.id, JSON.stringify(key)])
    await send(['HSET', KEYS, ...records, 'version', randomUUID()])
  }
  const wrongOf = async (readers: readonly string[], ended: readonly string[]) => {
    const isRefused = async (reader: string, key: string) => (await ask(reader, key)).status === 401
    const found: string[] = []
    for (const reader of readers) {
      if (await isRefused(reader, valid.key)) found.push(`${reader} lost the key`)
      for (const key of ended) {
        if (!(await isRefused(reader, key))) {
          found.push(`${reader} accepts revoked key ${revoked.indexOf(key)}`)
        }
      }
    }
    return found
  }
  await change()
  return {
    valid: () => valid.key,
    wrong: (readers) => wrongOf(readers, revoked),
    renew: async (readers) => {
      await change()
      const startMs = performance.now()
      while ((await wrongOf(readers, revoked.slice(-1))).length > 0) await sleep(20)
      return performance.now() - startMs
    },
    copy: async () => (await send(['HGETALL', KEYS])) as readonly string[],
    restore: async (copy) => void (await send(['DEL', KEYS], ['HSET', KEYS, ...copy])),
  }
}
