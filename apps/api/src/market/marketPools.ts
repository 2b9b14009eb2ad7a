import type { Snapshot } from '@braid-swap/core'
import type { Logger } from 'pino'

/** True if a market has a pool besides the wrapper of the native token, which is always present. */
export function hasPools({ pools }: Snapshot): boolean {
  return pools.some(({ family }) => family !== 'wrap')
}

/** The venues that have pools. */
export function venuesOf({ pools }: Snapshot): ReadonlySet<string> {
  return new Set(pools.flatMap(({ family, venue }) => (family === 'wrap' ? [] : [venue])))
}

const NO_POOLS = 'no pool is in answers, so nothing can be quoted; /readyz says why'

/** Logs when the market has no pool, and when the first one is found. */
export function createPoolsReport(log: Logger): (has: boolean) => void {
  let hadPools: boolean | undefined
  return (has) => {
    if (has === hadPools) return
    if (has && hadPools === false) log.info('first pools found')
    if (!has) log.warn(NO_POOLS)
    hadPools = has
  }
}
