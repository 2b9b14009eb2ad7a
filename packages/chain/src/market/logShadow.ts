// Shadow copies of pools that only logs may change. An audit compares them with a fresh read, to
// detect a family whose logs are applied wrongly.

import type { Address, Pool } from '@braid-swap/core'
import { applyLog } from '../loaders/loaders.js'
import type { Log } from '../reads/log.js'

/** Applies a log to the shadow copies; drops a copy whose new state the log does not determine. */
export function applyToShadow(derived: Map<Address, Pool>, log: Log): void {
  for (const [id, pool] of derived) {
    if (pool.watched?.includes(log.address)) derived.delete(id)
  }
  const pool = derived.get(log.address)
  const next = pool && applyLog(pool, log)
  if (next === 'reload') derived.delete(log.address)
  else if (next) derived.set(log.address, next)
}
