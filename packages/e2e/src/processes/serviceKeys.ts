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
  /**
   * Revokes that key and makes another. Resolves when the readers know both, with the time from the revocation to the
   * last request that they answered as before.
   */
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
    const found: { readonly text: string; readonly sentMs: number }[] = []
    for (const reader of readers) {
      for (const key of [valid.key, ...ended]) {
        const { status, sentMs } = await ask(reader, key)
        if ((status === 401) !== (key === valid.key)) continue
        const text = key === valid.key ? 'lost the key' : `accepts key ${revoked.indexOf(key)}`
        found.push({ text: `${reader} ${text}`, sentMs })
      }
    }
    return found
  }
  await change()
  return {
    valid: () => valid.key,
    wrong: async (readers) => (await wrongOf(readers, revoked)).map(({ text }) => text),
    renew: async (readers) => {
      await change()
      const startMs = performance.now()
      for (let passedMs = 0; ; ) {
        const last = (await wrongOf(readers, revoked.slice(-1))).at(-1)
        if (!last) return passedMs
        passedMs = last.sentMs - startMs
        await sleep(20)
      }
    },
    copy: async () => (await send(['HGETALL', KEYS])) as readonly string[],
    restore: async (copy) => void (await send(['DEL', KEYS], ['HSET', KEYS, ...copy])),
  }
}
