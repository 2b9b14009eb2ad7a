import {
  BadChainError,
  type ChainRecord,
  type GivenStates,
  hyperEvm,
  type PriceGuard,
  readChain,
  routerOf,
  type Venue,
} from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { z } from 'zod'
import type { Limits } from '../keys/rateLimiter.js'
import { defaultTokenListFile } from '../tokens/tokenList.js'
import { ConfigError, linesOf, withoutUndefined } from './configError.js'
import { type KeptSettings, keptDefaults, keptOf } from './keptSettings.js'
import { type Demo, type PageSettings, readDemo, readPage } from './pageSettings.js'
import { marketFault, roleFault, unnecessaryFor } from './roles.js'
import { type Settings, settings } from './settings.js'
import { type StreamLimits, streamDefaults } from './streamLimits.js'
import { readVenues } from './venuesFile.js'

/** Everything {@link startApi} needs to know. */
export type ApiConfig = KeptSettings & {
  /** http(s) or ws(s), the preferred first; empty only for a market from a feed or a file. */
  readonly rpcUrls: readonly string[]
  /** Without it the keys are in Redis; a recorded market needs none. */
  readonly keysFile?: string
  /** What is true of the chain; venues, guard, dollars and wrapped token are its own unless they are given. */
  readonly chain: ChainRecord
  /** `tx.to`, and the spender of every approval; lower case. */
  readonly router: Address
  /** True if nobody named it: the API then starts before its code is on the chain. */
  readonly awaitsRouter?: boolean
  readonly venues: readonly Venue[]
  /** States of venues that the operator sets; the others earn their place. Absent: none is on trial. */
  readonly venueStates?: GivenStates
  /** What prices and rates that somebody moves are held against; its sources are those of `rateSources`. */
  readonly guard: PriceGuard
  readonly tokenListFile: string | URL
  readonly wrappedNative: Address
  /** Tokens worth one USD, the preferred first. */
  readonly usdTokens: readonly Address[]
  /** Time limit of the node for a wallet, a token or a gas estimate. */
  readonly nodeTimeoutMs: number
  /** Requests that wait or are under way, before the shares of keys count. */
  readonly maxConcurrent: number
  /** Time to finish requests after SIGTERM or SIGINT. */
  readonly drainMs: number
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

/** Part of the time of a request that the node may take: the rest is for a whole search. */
const NODE_SHARE = 0.4
/** Requests that wait for one thread: it answers as many within the time of a request, unless they are hard. */
const PLACES_PER_THREAD = 50
/** After the last request, the follower ends its round. */
const LAST_ROUND_MS = 3_000

/** What an API takes from its chain. */
export function defaultsOf(chain: ChainRecord) {
  const { venues, guard, usdTokens, wrapped } = chain
  return { chain, venues, guard, usdTokens, wrappedNative: wrapped.address }
}

/** Default settings. */
export const configDefaults = {
  ...keptDefaults,
  ...defaultsOf(hyperEvm),
  tokenListFile: defaultTokenListFile,
  nodeTimeoutMs: NODE_SHARE * keptDefaults.maxRequestMs,
  maxConcurrent: PLACES_PER_THREAD * keptDefaults.searchThreads,
  drainMs: keptDefaults.maxRequestMs + LAST_ROUND_MS,
  routerCheckMs: 15_000,
  // With the default rate, a key gets four tenths of a core.
  requestMs: 20,
  keyLimits: { rate: 20, burst: 40 },
  streams: streamDefaults,
  simulationLimits: { rate: 5, burst: 10 },
  page: { frames: [] },
} as const satisfies Partial<ApiConfig>

/**
 * The configuration from environment variables. An empty variable counts as absent, because a container
 * cannot unset a variable of its image. Throws {@link ConfigError} with one line per wrong variable.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): ApiConfig {
  const named = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = z.object(settings).partial(unnecessaryFor(named)).safeParse(named)
  if (!parsed.success) throw new ConfigError(linesOf(parsed.error))
  const env = parsed.data
  const host = env.HOST ?? configDefaults.host
  const fault = marketFault(env, host) ?? roleFault(env) ?? portFault(env)
  if (fault !== undefined) throw new ConfigError([fault])
  const chain = ownChain(env)
  const venues = env.BRAID_VENUES === undefined ? chain.venues : readVenues(env.BRAID_VENUES)
  const venueStates: GivenStates = env.BRAID_VENUE_STATES ?? new Map()
  checkVenueStates(venueStates, venues)
  const maxOffBps = env.BRAID_PRICE_GUARD_BPS
  const given = {
    ...keptOf(env),
    keysFile: env.BRAID_KEYS_FILE,
    venueStates,
    tokenListFile: env.BRAID_TOKEN_LIST,
    guard: maxOffBps === undefined ? undefined : { ...chain.guard, maxOffBps },
    // A check costs four requests.
    ...(env.BRAID_RPC_REQUESTS_PER_MINUTE !== undefined && { routerCheckMs: 300_000 }),
    ...derivedFrom(env),
    ...(env.BRAID_MARKET !== undefined && !env.BRAID_KEYS_FILE && { keyless: true }),
    demo: readDemo(env, host),
    page: readPage(env),
  }
  return {
    ...configDefaults,
    ...defaultsOf(chain),
    venues,
    ...withoutUndefined(given),
    rpcUrls: env.BRAID_RPC_URLS ?? [],
    ...(env.BRAID_ROUTER === undefined && { awaitsRouter: true }),
    router: env.BRAID_ROUTER ?? routerOf(chain.id, chain.wrapped.address).router,
  }
}

/** What follows from other settings, so that one of them is enough. */
function derivedFrom({
  BRAID_MAX_REQUEST_MS: maxRequestMs = configDefaults.maxRequestMs,
  BRAID_SEARCH_THREADS: searchThreads = configDefaults.searchThreads,
  BRAID_KEY_RATE: rate = configDefaults.keyLimits.rate,
}: Pick<Settings, 'BRAID_MAX_REQUEST_MS' | 'BRAID_SEARCH_THREADS' | 'BRAID_KEY_RATE'>) {
  return {
    nodeTimeoutMs: NODE_SHARE * maxRequestMs,
    drainMs: maxRequestMs + LAST_ROUND_MS,
    maxConcurrent: PLACES_PER_THREAD * searchThreads,
    // A list of amounts costs up to 40 at once, however low the rate.
    keyLimits: { rate, burst: Math.max(configDefaults.keyLimits.burst, 2 * rate) },
    // A block comes each second, so the streams of a key solve as much as its quotes may.
    streams: { ...streamDefaults, perKey: rate },
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

/** The chain that `BRAID_CHAIN` names. Throws {@link ConfigError} with one line per fault. */
export function ownChain({ BRAID_CHAIN: named }: { readonly BRAID_CHAIN?: string | undefined }) {
  try {
    return readChain(named)
  } catch (error) {
    if (!(error instanceof BadChainError)) throw error
    throw new ConfigError(
      error.lines.map((line) => `BRAID_CHAIN: ${line}`),
      error,
    )
  }
}
