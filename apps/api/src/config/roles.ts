/**
 * Roles of processes: follow the chain, answer, or both. The settings of a service of several
 * processes are read here, because what one setting requires depends on the others.
 */
import type { Settings } from './settings.js'

type Environment = Readonly<Record<string, unknown>>

/**
 * The variables that the others make unnecessary: a reader and a recorded market need no node, keys may be in Redis, and
 * a recorded market may have none.
 */
export function unnecessaryFor(of: Environment) {
  const { BRAID_ROLE: role, BRAID_REDIS_URL: redis, BRAID_MARKET: market } = of
  const needsNoKeys = role === 'indexer' || redis !== undefined || market !== undefined
  return {
    ...((role === 'api' || market !== undefined) && { BRAID_RPC_URLS: true as const }),
    ...(needsNoKeys && { BRAID_KEYS_FILE: true as const }),
  }
}

/**
 * Describes in one line why a recorded market cannot be served so; `undefined` if it can. Who serves other machines
 * decides whom: there, keys are needed.
 */
export function marketFault(env: Environment, host: string): string | undefined {
  const { BRAID_MARKET, BRAID_RPC_URLS, BRAID_REDIS_URL, BRAID_ROLE } = env
  if (BRAID_MARKET === undefined) return undefined
  const others = Object.entries({ BRAID_RPC_URLS, BRAID_REDIS_URL, BRAID_ROLE })
  const [other] = others.find(([, value]) => value !== undefined) ?? []
  if (other) return `BRAID_MARKET: a recorded market is served alone; unset it, or ${other}`
  if (env['BRAID_KEYS_FILE'] !== undefined || LOOPBACK.test(host)) return undefined
  return `BRAID_KEYS_FILE is required on HOST=${host}: without keys, a recorded market is served on 127.0.0.1 only`
}

/** Addresses that only this machine reaches. */
export const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/** Describes in one line a combination of settings that cannot work; `undefined` if it can. */
export function roleFault({
  BRAID_ROLE: role = 'all',
  BRAID_REDIS_URL: redis,
}: Pick<Settings, 'BRAID_ROLE' | 'BRAID_REDIS_URL'>): string | undefined {
  if (role === 'all' || redis !== undefined) return undefined
  const why = role === 'api' ? 'takes the market from' : 'publishes the market in'
  return `BRAID_REDIS_URL is required: a process with BRAID_ROLE=${role} ${why} Redis`
}
