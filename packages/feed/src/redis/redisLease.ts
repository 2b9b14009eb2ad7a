/** The lease in Redis: holder, epoch and the end of its time, in one hash. */
import { randomUUID } from 'node:crypto'
import type { Lease } from '../lease.js'
import type { Redis } from './connection.js'
import { keyOf } from './keys.js'
import { RELEASE_LEASE, TAKE_LEASE } from './scripts.js'

/** A lease with the name of its holder, which publishing needs. */
export type RedisLease = Lease & { readonly holder: string }

/** Time after which the lease of a holder that does not renew it is free. */
export const LEASE_MS = 2_000

/** Renewals in one time to live, and attempts of others to take the lease. */
const RENEWALS = 10

/** Access to the lease as one holder, by default a new one. */
export function createRedisLease(
  redis: Redis,
  {
    chainId,
    deployment = 'market',
    holder = randomUUID(),
    ttlMs = LEASE_MS,
  }: {
    readonly chainId: number
    readonly deployment?: string
    readonly holder?: string
    readonly ttlMs?: number
  },
): RedisLease {
  const keys = [keyOf(chainId, `${deployment}:lease`)]
  return {
    holder,
    take: async () => {
      const epoch = await redis.run(TAKE_LEASE, keys, [holder, `${ttlMs}`])
      return epoch === null ? undefined : Number(epoch)
    },
    release: async () => {
      await redis.run(RELEASE_LEASE, keys, [holder])
    },
    renewMs: ttlMs / RENEWALS,
  }
}
