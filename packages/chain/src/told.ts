import type { Address, Pool } from '@braid-swap/core'
import { applyLog } from './pools/index.js'
import type { Log } from './pools/loader.js'

/** Applies a log to pools that nothing but logs may change; one whose state it does not tell is dropped. */
export function tell(told: Map<Address, Pool>, log: Log): void {
  for (const [id, pool] of told) {
    if (pool.watched?.includes(log.address)) told.delete(id)
  }
  const pool = told.get(log.address)
  const next = pool && applyLog(pool, log)
  if (next === 'reload') told.delete(log.address)
  else if (next) told.set(log.address, next)
}
