import {
  type GivenStates,
  hyperEvmGuard,
  hyperEvmVenues,
  type PriceGuard,
  type Venue,
} from '@braid-swap/chain'
import { deployments } from '@braid-swap/contracts'
import type { Address } from '@braid-swap/core'
import { z } from 'zod'
import type { Limits } from '../keys/rateLimiter.js'
import { defaultTokenListFile } from '../tokens/tokenList.js'
import { ConfigError, linesOf, withoutUndefined } from './configError.js'
import { readConfigFile } from './configFile.js'
import { type KeptSettings, keptDefaults, keptOf } from './keptSettings.js'
import { type Demo, type PageSettings, readDemo, readPage } from './pageSettings.js'
import { roleFault, unnecessaryFor } from './roles.js'
import { type Settings, settings } from './settings.js'
import { type StreamLimits, streamDefaults, streamLimitsOf } from './streamLimits.js'
import { readVenues } from './venuesFile.js'

/** Everything {@link startApi} needs to know. */
export type ApiConfig = KeptSettings & {
  /** http(s) or ws(s), the preferred first; empty only for a process that takes the market from a feed. */
  readonly rpcUrls: readonly string[]
  /** Without it the keys are in Redis. */
  readonly keysFile?: string
  /** `tx.to`, and the spender of every approval; lower case. */
  readonly router: Address
  readonly venues: readonly Venue[]
  /** States of venues that the operator sets; the others earn their place. Absent: none is on trial. */
  readonly venueStates?: GivenStates
  /** What prices and rates that somebody moves are held against; its sources are those of `rateSources`. */
  readonly guard: PriceGuard
  readonly tokenListFile: string | URL
  /** Time between two checks of the router's code. */
  readonly routerCheckMs: number
  /** Time of searching that a request of cost 1 pays for. */
  readonly requestMs: number
  /** Rate limit of a key without its own limits. */
  readonly keyLimits: Limits
  /** Bounds the number and the duration of streams of quotes in this process. */
  readonly streams: StreamLimits
  /** Rate limit of simulations per key, within its other limits. */
  readonly simulationLimits: Limits
  /** Key and account for the page of a devnet; only on a loopback host. */
  readonly demo?: Demo
  readonly page: PageSettings
}

/** Default settings. */
export const configDefaults = {
  ...keptDefaults,
  venues: hyperEvmVenues,
  guard: hyperEvmGuard,
  tokenListFile: defaultTokenListFile,
  routerCheckMs: 15_000,
  // With the default rate, a key gets four tenths of a core.
  requestMs: 20,
  keyLimits: { rate: 20, burst: 40 },
  streams: streamDefaults,
  simulationLimits: { rate: 5, burst: 10 },
  page: { frames: [] },
} as const satisfies Partial<ApiConfig>

const CHAIN_ID = 999

/**
 * The configuration from environment variables. The file that `BRAID_CONFIG` names sets the variables
 * that are absent. An empty variable counts as absent, because a container cannot unset a variable of
 * its image. Throws {@link ConfigError} with one line per wrong variable.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): ApiConfig {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const named = { ...readConfigFile(set), ...set }
  const parsed = z.object(settings).partial(unnecessaryFor(named)).safeParse(named)
  if (!parsed.success) throw new ConfigError(linesOf(parsed.error))
  const env = parsed.data
  const fault = roleFault(env) ?? portFault(env)
  if (fault !== undefined) throw new ConfigError([fault])
  const router = env.BRAID_ROUTER ?? publicRouter()
  if (!router) {
    throw new ConfigError([
      `BRAID_ROUTER is required: no router is published for chain ${CHAIN_ID}`,
    ])
  }
  const venues =
    env.BRAID_VENUES === undefined ? configDefaults.venues : readVenues(env.BRAID_VENUES)
  const venueStates: GivenStates = env.BRAID_VENUE_STATES ?? new Map()
  checkVenueStates(venueStates, venues)
  const maxOffBps = env.BRAID_PRICE_GUARD_BPS
  const given = {
    ...keptOf(env),
    keysFile: env.BRAID_KEYS_FILE,
    venues,
    venueStates,
    tokenListFile: env.BRAID_TOKEN_LIST,
    guard: maxOffBps === undefined ? undefined : { ...hyperEvmGuard, maxOffBps },
    // A check costs four requests.
    ...(env.BRAID_RPC_REQUESTS_PER_MINUTE !== undefined && { routerCheckMs: 300_000 }),
    keyLimits: {
      rate: env.BRAID_KEY_RATE ?? configDefaults.keyLimits.rate,
      burst: env.BRAID_KEY_BURST ?? configDefaults.keyLimits.burst,
    },
    streams: streamLimitsOf(env),
    demo: readDemo(env, env.HOST ?? configDefaults.host),
    page: readPage(env),
  }
  return {
    ...configDefaults,
    ...withoutUndefined(given),
    rpcUrls: env.BRAID_RPC_URLS ?? [],
    router,
  }
}

/** A misspelt name would change nothing: the venue that was meant would stay in answers. Throws {@link ConfigError}. */
function checkVenueStates(states: GivenStates, venues: readonly Venue[]): void {
  const ids = new Set(['all', ...venues.map(({ id }) => id)])
  const unknown = [...states.keys()].filter((name) => !ids.has(name))
  if (unknown.length === 0) return
  const wanted = `it must be of ${[...ids].join(', ')}`
  throw new ConfigError(
    unknown.map((name) => `BRAID_VENUE_STATES: no venue is named ${name}; ${wanted}`),
  )
}

/** Two servers cannot listen on one port, unless the system chooses it. */
function portFault({
  PORT: port = configDefaults.port,
  BRAID_METRICS_PORT: metricsPort,
}: Pick<Settings, 'PORT' | 'BRAID_METRICS_PORT'>): string | undefined {
  return port === metricsPort && port !== 0
    ? `BRAID_METRICS_PORT: ${port} is PORT too; it must be another`
    : undefined
}

function publicRouter(): Address | undefined {
  const published: Readonly<Record<string, { readonly router: string }>> = deployments
  return published[CHAIN_ID]?.router as Address | undefined
}
