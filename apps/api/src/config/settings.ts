/**
 * Every setting of the API, once: its name, type, default and meaning. The checks of the environment and the
 * table of the README follow from it.
 */
import { z } from 'zod'
import { compatNames } from './compatNames.js'
import { address } from './configError.js'

/** What the README says about a setting besides its name. */
type Described = { readonly byDefault: string; readonly text: string }

const described = z.registry<Described>()

/** A setting, by its type, its default as the README shows it, and its meaning. */
function setting<T extends z.ZodType>(type: T, byDefault: string, text: string) {
  const optional = type.optional()
  described.add(optional, { byDefault, text })
  return optional
}

/** A setting without which nothing starts, unless others make it unnecessary. */
function required<T extends z.ZodType>(type: T, text: string): T {
  described.add(type, { byDefault: 'required', text })
  return type
}

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
const recordPlace = text.refine(
  (place) => !/^[a-z]+:\/\//i.test(place) || /^https?:\/\/[^/]/i.test(place),
  'must be a file, or an http(s) URL',
)

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
  BRAID_RPC_URLS: required(
    list.pipe(z.array(z.url({ protocol: /^(https?|wss?)$/ })).min(1)),
    'nodes, comma-separated, the preferred first',
  ),
  BRAID_RPC_REQUESTS_PER_MINUTE: setting(
    integer(10, 1_000_000),
    'no limit',
    'request limit of each node; each request of a batch counts',
  ),
  BRAID_RPC_LOG_RANGE: setting(
    integer(1, 1_000_000),
    'auto-detected',
    'maximum block range of an `eth_getLogs` request',
  ),
  BRAID_KEYS_FILE: required(z.string({ error: 'is required' }).min(1), 'file of the API keys'),
  BRAID_ROUTER: setting(
    address,
    'published router',
    'the router: `tx.to`, and the spender of approvals',
  ),
  BRAID_VENUES: setting(text, 'HyperEVM’s', 'JSON file of [venues](../../docs/venues.md)'),
  BRAID_VENUE_STATES: setting(
    givenStates,
    'each earns its place',
    '[states of venues](../../docs/operating.md#venues-earn-their-place) that you set, as `NAME=serving`; `all=serving` trusts them all',
  ),
  BRAID_PRICE_GUARD_BPS: setting(
    integer(0, 10_000),
    '100',
    'largest distance of a [price or rate that somebody moves](../../docs/operating.md#the-price-guard) from HyperCore’s book or the deepest other route; 0: not compared',
  ),
  BRAID_RATE_SOURCES: setting(
    z.union([z.literal('all'), list.pipe(z.array(address))]),
    'none',
    'contracts that may set the rate of a pool besides the tokens of the list, or `all`',
  ),
  BRAID_TOKEN_LIST: setting(
    text,
    '`tokenlist.json` here',
    'verified tokens, in the Uniswap token-list format',
  ),
  BRAID_USD_TOKENS: setting(
    list.pipe(z.array(address).min(1)),
    'USDC, USDT0',
    'tokens worth one USD, the preferred first',
  ),
  BRAID_INTERMEDIATES: setting(
    z.union([z.literal('all'), list.pipe(z.array(address))]),
    'none',
    'tokens that routes may pass besides those of the list, or `all`',
  ),
  BRAID_WRAPPED_NATIVE: setting(address, 'WHYPE', 'the wrapped native token'),
  BRAID_STATE_DIR: setting(
    text,
    'none',
    'folder of the saved market, and of what its endpoints do',
  ),
  BRAID_SAVE_EVERY_MS: setting(integer(100, 86_400_000), '60000', 'save interval'),
  BRAID_POLL_MS: setting(integer(50, 60_000), '1000', 'poll interval for new blocks'),
  BRAID_MAX_STATE_AGE_MS: setting(
    integer(100, 3_600_000),
    '5000',
    'maximum age of the newest block, since its receipt and by its timestamp',
  ),
  BRAID_CHECK_BLOCK_TIME: setting(
    flag,
    'true',
    '`false` for a chain whose timestamps are not real time',
  ),
  BRAID_NODE_TIMEOUT_MS: setting(
    integer(100, 60_000),
    '2000',
    'time limit of the node for a wallet, a token or a gas estimate',
  ),
  BRAID_STRICT_CHECKSUM: setting(
    flag,
    'false',
    'refuse mixed-case addresses with a wrong EIP-55 checksum',
  ),
  BRAID_EXACT_QUOTE: setting(flag, 'true', 'default of `exactQuote` in `/quote`'),
  BRAID_COMPAT: setting(
    list.transform((names) => [...new Set(names)]).pipe(z.array(shape)),
    'none',
    '[other services’ clients](../../docs/api.md#migrate-from-another-service): `akka`, `liquidswap`, `0x`, `1inch`',
  ),
  BRAID_MAX_CONCURRENT: setting(
    integer(1, 100_000),
    '100',
    'requests waiting or in progress; above its share a key gets 503 `OVERLOADED`',
  ),
  BRAID_MAX_REQUEST_MS: setting(
    integer(100, 600_000),
    '5000',
    'time limit of a request; a longer one is 503 `DEADLINE_EXCEEDED`',
  ),
  BRAID_STREAMS_PER_KEY: setting(
    integer(1, 9_999_999),
    '20',
    'open streams of a key, in each process',
  ),
  BRAID_MAX_STREAMS: setting(integer(1, 9_999_999), '2000', 'open streams, in each process'),
  BRAID_DRAIN_MS: setting(
    integer(0, 600_000),
    '8000',
    'time to finish requests after SIGTERM or SIGINT',
  ),
  BRAID_METRICS_PORT: setting(
    integer(0, 65_535),
    'none',
    'port of `/metrics` and `/healthz`, on `HOST`',
  ),
  BRAID_QUOTE_RECORDS: setting(
    recordPlace,
    'none',
    'file or URL that gets [each answered quote](../../docs/operating.md#records-of-quotes)',
  ),
  BRAID_KEY_RATE: setting(
    integer(1, 1_000_000),
    '20',
    'requests of a key in a second, unless it has own limits',
  ),
  BRAID_KEY_BURST: setting(
    integer(1, 1_000_000),
    '40',
    'requests of a key at once, unless it has own limits',
  ),
  BRAID_KEYLESS: setting(
    flag,
    'false',
    'answer without a key too, with these limits for each address',
  ),
  BRAID_ROLE: setting(
    z.enum(['all', 'indexer', 'api']),
    'all',
    '`indexer` or `api`: [several processes](../../docs/scaling.md)',
  ),
  BRAID_REDIS_URL: setting(
    z.url({ protocol: /^rediss?$/, error: 'must be redis://HOST:PORT or rediss://HOST:PORT' }),
    'none',
    'Redis for market, keys and limits of several processes',
  ),
  BRAID_LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'pino’s levels, or `silent`',
  ),
  BRAID_PAGE_KEY: setting(
    text,
    'none',
    'key that the page gives its visitors; its limits apply to each address',
  ),
  BRAID_PAGE_RPC_URL: setting(
    z.url({ protocol: /^https?$/ }),
    'HyperEVM’s public one',
    'node that the page offers to wallets',
  ),
  BRAID_PAGE_FRAMES: setting(
    list.pipe(z.array(origin)),
    'none',
    'origins that may embed `/?embed=1`',
  ),
  BRAID_PROXIES: setting(integer(0, 16), '0', 'proxies in front that append to `X-Forwarded-For`'),
  BRAID_DEMO_API_KEY: setting(text, 'none', 'key of a devnet’s page, on a loopback `HOST`'),
  BRAID_DEMO_ACCOUNT: setting(address, 'none', 'account of a devnet’s page'),
  HOST: setting(text, '127.0.0.1', 'address to listen on'),
  PORT: setting(integer(0, 65_535), '8080', 'port to listen on; 0 lets the system choose'),
}

/** The settings as they are read. */
export type Settings = z.output<z.ZodObject<typeof settings>>

/** The rows of the README: name, default, meaning. */
export function settingRows(): readonly (readonly string[])[] {
  return Object.entries(settings).map(([name, type]) => {
    const { byDefault, text: meaning } = described.get(type)!
    return [`\`${name}\``, byDefault, meaning]
  })
}
