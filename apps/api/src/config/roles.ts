/**
 * Roles of processes: follow the chain, answer, or both. The settings of a service of several
 * processes are read here, because what one setting requires depends on the others.
 */
import type { Settings } from './settings.js'

type Environment = Readonly<Record<string, unknown>>

/** The variables that the others make unnecessary: a reader needs no node, keys may be in Redis. */
export function unnecessaryFor({ BRAID_ROLE: role, BRAID_REDIS_URL: redis }: Environment) {
  return {
    ...(role === 'api' && { BRAID_RPC_URLS: true as const }),
    ...((role === 'indexer' || redis !== undefined) && { BRAID_KEYS_FILE: true as const }),
  }
}

/** Describes in one line a combination of settings that cannot work; `undefined` if it can. */
export function roleFault({
  BRAID_ROLE: role = 'all',
  BRAID_REDIS_URL: redis,
}: Pick<Settings, 'BRAID_ROLE' | 'BRAID_REDIS_URL'>): string | undefined {
  if (role === 'all' || redis !== undefined) return undefined
  const why = role === 'api' ? 'takes the market from' : 'publishes the market in'
  return `BRAID_REDIS_URL is required: a process with BRAID_ROLE=${role} ${why} Redis`
}
