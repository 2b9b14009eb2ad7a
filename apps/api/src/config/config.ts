import {
  type GivenStates,
  hyperEvmGuard,
  hyperEvmVenues,
  type PriceGuard,
  type Venue,
  WHYPE,
} from '@braid-swap/chain'
import { deployments } from '@braid-swap/contracts'
import type { Address } from '@braid-swap/core'
import { z } from 'zod'
import type { Limits } from '../keys/rateLimiter.js'
import { defaultTokenListFile } from '../tokens/tokenList.js'
import { readTraces, type TraceSettings } from '../tracing/settings.js'
import type { CompatName } from './compatNames.js'
import { ConfigError, linesOf, withoutUndefined } from './configError.js'
import { readConfigFile } from './configFile.js'
import { type Demo, type PageSettings, readDemo, readPage } from './pageSettings.js'
import { type Role, roleFault, unnecessaryFor } from './roles.js'
import { type Settings, settings } from './settings.js'
import { type StreamLimits, streamDefaults, streamLimitsOf } from './streamLimits.js'
import { readVenues } from './venuesFile.js'

/** Everything {@link startApi} needs to know. */
export type ApiConfig = {
  /** Role of this process. */
  readonly role: Role
  /** Shares the market, keys and limits between processes. */
  readonly redisUrl?: string
  /** http(s) or ws(s), the preferred first; empty only for a process that takes the market from a feed. */
  readonly rpcUrls: readonly string[]
  /** Request limit per minute for each node; no limit if absent. */
  readonly rpcRequestsPerMinute?: number
  /** Block range of one `eth_getLogs` request; detected if absent. */
  readonly rpcLogRange?: number
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Without it the keys are in Redis. */
  readonly keysFile?: string
  /** `tx.to`, and the spender of every approval; lower case. */
  readonly router: Address
  /** Lower case. */
  readonly wrappedNative: Address
  readonly venues: readonly Venue[]
  /** States of venues that the operator sets; the others earn their place. Absent: none is on trial. */
  readonly venueStates?: GivenStates
  /** What prices and rates that somebody moves are held against; its sources are those of `rateSources`. */
  readonly guard: PriceGuard
  /** Contracts that may set rates besides the trusted tokens, or `all`; lower case. */
  readonly rateSources: readonly Address[] | 'all'
  readonly tokenListFile: string | URL
  /** Tokens worth one USD, the preferred first; lower case. */
  readonly usdTokens: readonly Address[]
  /** Tokens that routes may pass besides those of the list, or `all`; lower case. */
  readonly intermediates: readonly Address[] | 'all'
  /** Folder of the saved state. Without it nothing is saved. */
  readonly stateDir?: string
  readonly saveEveryMs: number
  readonly pollMs: number
  /** Time between two checks of the router's code. */
  readonly routerCheckMs: number
  /** Maximum age of the market state; an older one is refused. */
  readonly maxStateAgeMs: number
  /** True if block timestamps are real time; false for a fork or a devnet whose time is its own. */
  readonly checksBlockTime: boolean
  /** Time limit of one request to the node. */
  readonly nodeTimeoutMs: number
  /** Threads that search; 0: in the event loop. A key has at most all but one. */
  readonly searchThreads: number
  /** Time of searching that a request of cost 1 pays for. */
  readonly requestMs: number
  /** Requests that wait or are in progress; above it a key gets only its share. */
  readonly maxConcurrent: number
  /** Time limit of a request. */
  readonly maxRequestMs: number
  /** Time in which requests are finished after a signal to end. */
  readonly drainMs: number
  /** File or http(s) URL that gets each answered quote as a line of JSON; none if absent. */
  readonly quoteRecords?: string
  /** Settings of the export of traces; none are sent if absent. */
  readonly traces?: TraceSettings
  /** Port of `/metrics` on `host`; none if absent, and 0 lets the system choose. */
  readonly metricsPort?: number
  /** Refuse mixed-case addresses with a wrong EIP-55 checksum. */
  readonly strictChecksum: boolean
  /** Selects for `/quote` without `exactQuote`: the exact replay or the pre-computed sum. */
  readonly exactQuoteByDefault: boolean
  /** The enabled drop-in shapes. */
  readonly compat: readonly CompatName[]
  /** Rate limit of a key without its own limits. */
  readonly keyLimits: Limits
  /** If true, requests without a key are answered, and the limits apply to each address. */
  readonly keyless: boolean
  /** Bounds the number and the duration of streams of quotes in this process. */
  readonly streams: StreamLimits
  /** Rate limit of simulations per key, within its other limits. */
  readonly simulationLimits: Limits
  readonly logLevel: string
  /** Key and account for the page of a devnet; only on a loopback host. */
  readonly demo?: Demo
  readonly page: PageSettings
  /** Proxies of the operator in front, each of which appends the caller to X-Forwarded-For. */
  readonly proxies: number
}

/** Default settings. */
export const configDefaults = {
  role: 'all',
  host: '127.0.0.1',
  port: 8080,
  wrappedNative: WHYPE,
  venues: hyperEvmVenues,
  guard: hyperEvmGuard,
  rateSources: [],
  tokenListFile: defaultTokenListFile,
  // USDC, then USDT0.
  usdTokens: [
    '0xb88339cb7199b77e23db6e890353e22632ba630f',
    '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb',
  ],
  intermediates: [],
  saveEveryMs: 60_000,
  pollMs: 1_000,
  routerCheckMs: 15_000,
  maxStateAgeMs: 5_000,
  checksBlockTime: true,
  nodeTimeoutMs: 2_000,
  // One for a key that asks for much, one for all others.
  searchThreads: 2,
  // With the default rate, a key gets four tenths of a core.
  requestMs: 20,
  maxConcurrent: 100,
  // Enough for one response of the node and a whole solve.
  maxRequestMs: 5_000,
  // A request and the last round of the follower.
  drainMs: 8_000,
  strictChecksum: false,
  exactQuoteByDefault: true,
  compat: [],
  keyLimits: { rate: 20, burst: 40 },
  keyless: false,
  streams: streamDefaults,
  simulationLimits: { rate: 5, burst: 10 },
  logLevel: 'info',
  page: { frames: [] },
  proxies: 0,
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
  const traces = readTraces(set)
  if (typeof traces === 'string') throw new ConfigError([traces])
  const venues =
    env.BRAID_VENUES === undefined ? configDefaults.venues : readVenues(env.BRAID_VENUES)
  const venueStates: GivenStates = env.BRAID_VENUE_STATES ?? new Map()
  checkVenueStates(venueStates, venues)
  const maxOffBps = env.BRAID_PRICE_GUARD_BPS
  const given = {
    traces,
    role: env.BRAID_ROLE,
    redisUrl: env.BRAID_REDIS_URL,
    keysFile: env.BRAID_KEYS_FILE,
    host: env.HOST,
    port: env.PORT,
    venues,
    venueStates,
    tokenListFile: env.BRAID_TOKEN_LIST,
    guard: maxOffBps === undefined ? undefined : { ...hyperEvmGuard, maxOffBps },
    rateSources: env.BRAID_RATE_SOURCES,
    wrappedNative: env.BRAID_WRAPPED_NATIVE,
    usdTokens: env.BRAID_USD_TOKENS,
    intermediates: env.BRAID_INTERMEDIATES,
    stateDir: env.BRAID_STATE_DIR,
    saveEveryMs: env.BRAID_SAVE_EVERY_MS,
    // Each check costs two requests.
    ...(env.BRAID_RPC_REQUESTS_PER_MINUTE !== undefined && { routerCheckMs: 120_000 }),
    rpcRequestsPerMinute: env.BRAID_RPC_REQUESTS_PER_MINUTE,
    rpcLogRange: env.BRAID_RPC_LOG_RANGE,
    pollMs: env.BRAID_POLL_MS,
    maxStateAgeMs: env.BRAID_MAX_STATE_AGE_MS,
    checksBlockTime: env.BRAID_CHECK_BLOCK_TIME,
    nodeTimeoutMs: env.BRAID_NODE_TIMEOUT_MS,
    maxConcurrent: env.BRAID_MAX_CONCURRENT,
    maxRequestMs: env.BRAID_MAX_REQUEST_MS,
    drainMs: env.BRAID_DRAIN_MS,
    metricsPort: env.BRAID_METRICS_PORT,
    quoteRecords: env.BRAID_QUOTE_RECORDS,
    strictChecksum: env.BRAID_STRICT_CHECKSUM,
    exactQuoteByDefault: env.BRAID_EXACT_QUOTE,
    compat: env.BRAID_COMPAT,
    keyLimits: {
      rate: env.BRAID_KEY_RATE ?? configDefaults.keyLimits.rate,
      burst: env.BRAID_KEY_BURST ?? configDefaults.keyLimits.burst,
    },
    keyless: env.BRAID_KEYLESS,
    streams: streamLimitsOf(env),
    logLevel: env.BRAID_LOG_LEVEL,
    demo: readDemo(env, env.HOST ?? configDefaults.host),
    page: readPage(env),
    proxies: env.BRAID_PROXIES,
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
