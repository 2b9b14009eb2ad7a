import { NATIVE } from '@braid-swap/core'
import fc from 'fast-check'
import { compatErrorSchema } from '../compat/index.js'
import type { CompatName } from '../config/compatNames.js'
import { checkAnswer, templateOf } from './checkAnswer.js'
import { ISLAND, USDC, WHYPE } from './frozenMarket.js'
import { sendRaw } from './sendRaw.js'

/** A request that nobody honest sends, as bytes. */
export type HostileRequest = {
  readonly method: string
  readonly path: string
  readonly bytes: string
}

/** Placeholder for the tester's API key in a request. */
const OWN_KEY = '<own key>'
/** The paths that hostile requests take or distort: at least one of each endpoint. */
export const hostilePaths = [
  ...['/swap/v1/999/quote', '/swap/v1/999/swap', '/swap/v1/999/dex-compare'],
  ...['/swap/v1/999/quote/stream', '/swap/v1/999/quotes'],
  ...['/swap/v1/999/approve/transaction', '/swap/v1/999/approve/allowance'],
  ...['/swap/v1/999/approve/spender', '/swap/v1/999/liquidity-sources', '/swap/v1/999/snapshot'],
  ...['/999/tokens', '/999/tokens?limit=1000', `/999/tokens/${USDC}`, '/', '/healthz', '/readyz'],
  ...['/health', '/version', '/errors.json', '/llms.txt', '/openapi.json'],
  ...['/v2/route', '/tokens'],
  ...['/swap/allowance-holder/price', '/swap/allowance-holder/quote', '/sources'],
  ...['/swap/permit2/price', '/swap/permit2/quote', '/trpc/swap/sources.getSources'],
  ...['allowanceHolder', 'permit2'].flatMap((kind) => [
    ...[`/trpc/swap/swap.${kind}.getPrice`, `/trpc/swap/swap.${kind}.getQuote`],
  ]),
]
const NAMES = `
  src dst amount slippage from receiver gasPrice gasLimit block tokenAddress walletAddress
  includeGas includeRoutes includeGraph objective amounts includeMeta includeTokensInfo
  exactQuote skipChecks simulate permit permit2 permit2Nonce deadline maxHops maxPriceImpact
  includeProtocols tokenIn tokenOut amountIn amountOut unwrapWHYPE includeDexes excludeDexes
  feeBps feeRecipient chainId search sellToken buyToken sellAmount buyAmount taker slippageBps
  excludedSources recipient swapFeeBps sellEntireBalance input excludeProtocols maxStateAgeMs page limit verified
  snapshotId origin excludePools onlyIntermediates includeNearest includeCalls
`
  .trim()
  .split(/\s+/)

const digits = fc.oneof(fc.bigInt(0n, 2n ** 260n).map(String), fc.nat(100).map(String))
const odd = fc.constantFrom(
  ...['', '0', '-1', '+5', '1e18', '0x10', '1_000', ' 7', '1.0', 'NaN', 'Infinity', 'null', 'true'],
  ...['TRUE', 'yes', '%00', '%', '%zz', '%E0%A4%A', '%ff%fe', '%0d%0ax-evil:%201', '__proto__'],
  ...[
    'constructor',
    '[]',
    '{}',
    '{"$ne":1}',
    "' OR 1=1--",
    '<script>alert(1)</script>',
    '../../etc',
  ],
  ...['\u{1f4a9}', '\u202e', '%F0%9F%92%A9'.repeat(30), '9'.repeat(78), '9'.repeat(5_000)],
  ...[`0x${'0'.repeat(40)}`, '0xB88339CB7199b77E23DB6E890353E22632Ba630f', OWN_KEY],
  ...[NATIVE, NATIVE.toUpperCase().replace('X', 'x'), ISLAND, 'test-v2', 'test-v3,', '50', '1e-7'],
)
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<string>(WHYPE, USDC, '1000000', '0.5') },
  { weight: 2, arbitrary: odd },
  { weight: 1, arbitrary: digits },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent) },
)
const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom('Src', 'src[]', '__proto__', 'toString', '', OWN_KEY) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }).map(encodeURIComponent) },
)
const pair = fc.tuple(name, value).map(([n, v]) => `${n}=${v}`)
const query = fc
  .tuple(
    fc.constantFrom(
      ...['', `src=${WHYPE}&dst=${USDC}&amount=1000000000000000000&slippage=1`],
      ...[`src=${WHYPE}&dst=${USDC}&amount=1000000&slippage=1&feeBps=30&feeRecipient=${ISLAND}`],
      ...[`src=${NATIVE}&dst=${WHYPE}&amount=5&slippage=0`, `tokenAddress=${USDC}`],
      ...[
        `src=${NATIVE}&dst=${USDC}&amount=5&slippage=auto`,
        `src=${WHYPE}&dst=${USDC}&amounts=1,7777777`,
      ],
      `tokenIn=${WHYPE}&tokenOut=${USDC}&amountIn=1.5`,
      `chainId=999&sellToken=${WHYPE}&buyToken=${USDC}&sellAmount=9999999&taker=${ISLAND}`,
      `input=${encodeURIComponent(JSON.stringify({ chainId: 999, sellToken: WHYPE, buyToken: USDC, sellAmount: 9_999_999 }))}`,
    ),
    fc.array(pair, { maxLength: 6 }),
  )
  .map(([good, more]) => [good, ...more].filter((part) => part !== '').join('&'))
const path = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...hostilePaths) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['/swap/v1/1/quote', '/swap/v1/abc/quote', '/swap/v1/%39%39%39/quote', '//', '/../..'],
      ...['/SWAP/v1/999/quote', '/swap/v1/999/quote/', `/${OWN_KEY}`, '/999/tokens/%00', '*'],
      ...[
        '/__proto__',
        '/constructor',
        '/999/tokens/toString',
        '/swap/v1/999/__proto__',
        '/health/',
      ],
      ...['/%E0%A4%A', `/${'a'.repeat(9_000)}`, '/999/tokens/../../version', 'http://evil.test/'],
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }).map((text) => `/${encodeURI(text)}`) },
)
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'TRACE', 'get', 'BREW'),
  },
)
const header = fc.constantFrom(
  ...['apikey: ', 'apikey: nonsense', `apikey: brd_${'a'.repeat(12)}_${'b'.repeat(43)}`],
  ...[`apikey: ${'x'.repeat(3_000)}`, `apikey: ${OWN_KEY}`, 'apikey: \u00e9\u00fc', 'APIKEY:x'],
  ...['accept: */*;q=x', 'accept: ', 'accept: text/html'],
  ...['x-request-id: ok-request-1', `x-request-id: ${'r'.repeat(500)}`, `x-request-id: ${OWN_KEY}`],
  ...['if-none-match: *', 'if-none-match: W/"q1_', 'origin: null', 'origin: https://a.test'],
  ...['sec-fetch-site: same-origin', 'sec-fetch-site: \u{1f4a9}'],
  ...['content-length: 0', 'content-length: -1', 'content-length: 5', 'transfer-encoding: chunked'],
  ...['expect: 100-continue', 'range: bytes=0-1', 'upgrade: websocket', 'x-forwarded-for: ::1'],
  ...['accept-encoding: gzip;q=0', 'x bad: 1', ': 1', `x-long: ${'h'.repeat(40_000)}`],
  ...['x-http-method-override: DELETE', 'cookie: a=b', 'host: other', 'te: trailers'],
)

/** Requests of every kind of ill will that an API meets; the same for the same seed. */
export function hostileRequests(count: number, seed: number): readonly HostileRequest[] {
  const isKeyed = fc.nat(9).map((n) => n > 0)
  const request = fc
    .tuple(method, path, query, fc.array(header, { maxLength: 2 }), isKeyed)
    .map(([verb, at, search, extra, keyed]): HostileRequest => {
      const target = search === '' ? at : `${at}${at.includes('?') ? '&' : '?'}${search}`
      const own = keyed ? [`apikey: ${OWN_KEY}`] : []
      const lines = [`${verb} ${target} HTTP/1.1`, 'host: x', 'connection: close', ...own, ...extra]
      return { method: verb, path: target, bytes: `${lines.join('\r\n')}\r\n\r\n` }
    })
  return fc.sample(request, { numRuns: count, seed })
}

/** Streams that end while the requests that open them are waited for. */
export const shortStreams = { perKey: 100, total: 100, lastMs: 300 }

const ANSWER_WITHIN_MS = 20_000

/**
 * Lists the faults of the answers to requests as sentences: an empty list is a good one. `compat`
 * names the shapes that the API has.
 */
export async function findFaults(
  api: { readonly url: string; readonly key: string },
  requests: readonly HostileRequest[],
  compat: readonly CompatName[] = [],
): Promise<readonly string[]> {
  const faults: string[] = []
  const queue = requests[Symbol.iterator]()
  const work = async () => {
    for (const request of queue) {
      const answer = await sendRaw(
        api.url,
        request.bytes.replaceAll(OWN_KEY, api.key),
        ANSWER_WITHIN_MS,
      )
      const fault = faultOf(request, answer, { key: api.key, compat })
      if (fault !== undefined) faults.push(`${fault}: ${JSON.stringify(request).slice(0, 600)}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return faults
}

const NO_HTTP = new Set(['BAD_REQUEST', 'HEADERS_TOO_LARGE', 'REQUEST_TIMEOUT'])

type Expected = { readonly key: string; readonly compat: readonly CompatName[] }

function faultOf(
  request: HostileRequest,
  answer: string | undefined,
  { key, compat }: Expected,
): string | undefined {
  if (answer === undefined) return 'no answer in time'
  const { status, type, body } = readAnswer(answer)
  if (Number.isNaN(status)) return 'no HTTP'
  if (status >= 500 && status !== 503) return `status ${status}`
  if (answer.includes(key.split('_')[2]!)) return 'the key is repeated'
  if (/\n\s+at .+:\d+|node_modules|\.ts:\d+/.test(answer)) return 'a stack trace'
  if (type.startsWith('text/event-stream')) return streamFault(body)
  if (request.method === 'HEAD' || status === 304 || status === 204) return undefined
  // Probes read /readyz, so what it answers at 503 is what it answers at 200.
  if (status < 400 || (status === 503 && templateOf(request.path) === '/readyz')) {
    return documentFault(request, { status, type, body }, compat)
  }
  const error = parse(body)
  // A request that is no HTTP is refused before its path is known.
  const names = NO_HTTP.has(String(error['code'])) ? [] : compat
  const schema = compatErrorSchema(names, request.path.replace(/\?.*/s, ''))
  return schema.safeParse(error).success ? undefined : `an error without its body, ${status}`
}

/** Lists the faults of a whole stream: every event must be one of the three, and the last the end. */
function streamFault(body: string): string | undefined {
  const events = [...body.matchAll(/^event: (\w+)\ndata: (\{.*\})$/gm)].map(([, name]) => name)
  const isKnown = events.every((name) => ['quote', 'fault', 'end'].includes(name ?? ''))
  return isKnown ? undefined : `events ${events.join(',')}`
}

function documentFault(
  { method: verb, path: target }: HostileRequest,
  { status, type, body }: { readonly status: number; readonly type: string; readonly body: string },
  compat: readonly CompatName[],
): string | undefined {
  const isKnown = templateOf(target, compat) !== undefined
  if (verb !== 'GET' || !isKnown || !type.startsWith('application/json')) return undefined
  const [fault] = checkAnswer({ path: target, status, body: parse(body) }, compat)
  return fault
}

/** The last answer in what came: an interim one may precede it. */
function readAnswer(answer: string) {
  const text = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? ''
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
    type,
    body: rest.join('\r\n\r\n'),
  }
}

function parse(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
