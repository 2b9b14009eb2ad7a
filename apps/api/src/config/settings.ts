/**
 * Every setting of the API, once: its name, type, default and meaning. The checks of the environment, the configuration
 * and the table of the README follow from it.
 */
import { z } from 'zod'
import { compatNames } from './compatNames.js'
import { address } from './configError.js'
import { kept, lacked, required, rowOf, setting } from './declareSetting.js'

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be an integer')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const text = z.string().min(1)
const list = z
  .string({ error: 'is required' })
  .transform((words) => words.split(',').map((part) => part.trim()))
/** An origin as a browser writes it, such as `https://example.org:8443`. */
const origin = z
  .string()
  .refine(
    (word) => /^https?:/.test(word) && URL.canParse(word) && new URL(word).origin === word,
    'must be origins such as https://example.org, comma-separated',
  )
const shape = z.enum(compatNames, {
  error: `must be a comma-separated list of: ${compatNames.join(', ')}`,
})
/** States of venues by name, as `curve=serving,other=quarantined`. */
const givenStates = list
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^[A-Za-z0-9-]+=(shadow|serving|quarantined)$/,
          'must be NAME=serving, NAME=shadow or NAME=quarantined, comma-separated',
        ),
    ),
  )
  .transform((pairs, context) => {
    const states = new Map<string, 'shadow' | 'serving' | 'quarantined'>()
    for (const pair of pairs) {
      const [name, state] = pair.split('=') as [string, 'shadow' | 'serving' | 'quarantined']
      if (states.has(name)) context.addIssue(`${name} is named twice; it must have one state`)
      states.set(name, state)
    }
    return states
  })

/** The settings, in the order of the README. */
export const settings = {
  BRAID_CHAIN: setting(
    text,
    'hyperevm',
    'the chain: a known name, or a [JSON file](../../docs/chains.md)',
  ),
  BRAID_RPC_URLS: required(
    list.pipe(z.array(z.url({ protocol: /^(https?|wss?)$/ })).min(1)),
    'nodes, comma-separated, the preferred first',
  ),
  BRAID_MARKET: lacked(
    'marketFile',
    text,
    'a [recorded market](../../docs/operating.md#a-recorded-market) instead of nodes: a snapshot file, plain or gzip',
  ),
  BRAID_RPC_REQUESTS_PER_MINUTE: lacked(
    'rpcRequestsPerMinute',
    integer(10, 1_000_000),
    'request limit of each node; each request of a batch counts',
    'no limit',
  ),
  BRAID_KEYS_FILE: required(z.string({ error: 'is required' }).min(1), 'file of the API keys'),
  BRAID_ROUTER: setting(
    address,
    'published, or where it would be deployed',
    'the router: `tx.to`, and the spender of approvals',
  ),
  BRAID_VENUES: setting(text, 'the chain’s', 'JSON file of [venues](../../docs/venues.md)'),
  BRAID_VENUE_STATES: setting(
    givenStates,
    'each earns its place',
    '[states of venues](../../docs/operating.md#venues-earn-their-place) that you set, as `NAME=serving`; `all=serving` trusts them all',
  ),
  BRAID_PRICE_GUARD_BPS: setting(
    integer(0, 10_000),
    '100',
    'largest distance of a [price or rate that somebody moves](../../docs/operating.md#the-price-guard) from the chain’s order book or the deepest other route; 0: not compared',
  ),
  BRAID_RATE_SOURCES: kept(
    'rateSources',
    z.union([z.literal('all'), list.pipe(z.array(address))]),
    [],
    'contracts that may set the rate of a pool besides the tokens of the list, or `all`',
  ),
  BRAID_TOKEN_LIST: setting(
    text,
    '`tokenlist.json` here',
    'verified tokens, in the Uniswap token-list format',
  ),
  BRAID_INTERMEDIATES: kept(
    'intermediates',
    z.union([z.literal('all'), list.pipe(z.array(address))]),
    [],
    'tokens that routes may pass besides those of the list, or `all`',
  ),
  BRAID_STATE_DIR: lacked(
    'stateDir',
    text,
    'folder of the saved market, and of what its endpoints do',
  ),
  BRAID_SAVE_EVERY_MS: kept('saveEveryMs', integer(100, 86_400_000), 60_000, 'save interval'),
  BRAID_POLL_MS: kept('pollMs', integer(50, 60_000), 1_000, 'poll interval for new blocks'),
  BRAID_MAX_STATE_AGE_MS: kept(
    'maxStateAgeMs',
    integer(100, 3_600_000),
    5_000,
    'maximum age of the newest block, since its receipt and by its timestamp',
  ),
  BRAID_CHECK_BLOCK_TIME: kept(
    'checksBlockTime',
    flag,
    true,
    '`false` for a chain whose timestamps are not real time',
  ),
  BRAID_STRICT_CHECKSUM: kept(
    'strictChecksum',
    flag,
    false,
    'refuse mixed-case addresses with a wrong EIP-55 checksum',
  ),
  BRAID_COMPAT: kept(
    'compat',
    list.transform((names) => [...new Set(names)]).pipe(z.array(shape)),
    [],
    '[other services’ clients](../../docs/api.md#migrate-from-another-service): `akka`, `liquidswap`, `0x`',
  ),
  BRAID_MAX_REQUEST_MS: kept(
    'maxRequestMs',
    integer(100, 600_000),
    // Enough for one response of the node and a whole solve.
    5_000,
    'time limit of a request, after which it is 503 `DEADLINE_EXCEEDED`; two fifths of it for the node’s answers',
  ),
  BRAID_SEARCH_THREADS: kept(
    'searchThreads',
    integer(1, 64),
    // One for a key that asks for much, one for all others.
    2,
    'threads that [search for routes](../../docs/scaling.md#threads-of-a-process); a key has at most all but one',
  ),
  BRAID_METRICS_PORT: lacked(
    'metricsPort',
    integer(0, 65_535),
    'port of `/metrics` and `/healthz`, on `HOST`',
  ),
  BRAID_KEY_RATE: setting(
    integer(1, 1_000_000),
    '20',
    'requests of a key in a second, twice as many at once (at least 40), and its open streams, unless it has own limits',
  ),
  BRAID_KEYLESS: kept(
    'keyless',
    flag,
    false,
    'answer without a key too, with these limits for each address',
  ),
  BRAID_ROLE: kept(
    'role',
    z.enum(['all', 'indexer', 'api']),
    'all',
    '`indexer` or `api`: [several processes](../../docs/scaling.md)',
  ),
  BRAID_REDIS_URL: lacked(
    'redisUrl',
    z.url({ protocol: /^rediss?$/, error: 'must be redis://HOST:PORT or rediss://HOST:PORT' }),
    'Redis for market, keys and limits of several processes',
  ),
  BRAID_LOG_LEVEL: kept(
    'logLevel',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'pino’s levels, or `silent`',
  ),
  BRAID_PAGE_KEY: setting(
    text,
    'none',
    'key that the page gives its visitors; its limits apply to each address',
  ),
  BRAID_PAGE_FRAMES: setting(
    list.pipe(z.array(origin)),
    'none',
    'origins that may embed `/?embed=1`',
  ),
  BRAID_PROXIES: kept(
    'proxies',
    integer(0, 16),
    0,
    'proxies in front that append to `X-Forwarded-For`',
  ),
  BRAID_DEMO_ACCOUNT: setting(
    address,
    'none',
    'account of a devnet’s page, whose key is `BRAID_PAGE_KEY`; on a loopback `HOST`',
  ),
  HOST: kept('host', text, '127.0.0.1', 'address to listen on'),
  PORT: kept('port', integer(0, 65_535), 8080, 'port to listen on; 0 lets the system choose'),
}

/** The settings as they are read. */
export type Settings = z.output<z.ZodObject<typeof settings>>

/** The rows of the README: name, default, meaning. */
export function settingRows(): readonly (readonly string[])[] {
  return Object.entries(settings).map(([name, type]) => [`\`${name}\``, ...rowOf(type)])
}
