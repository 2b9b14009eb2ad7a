import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.js'
import { openApi } from './docs/openapi.js'
import { frozenGraph, USDC, WHYPE } from './testing/frozenMarket.js'
import { startTestApi, type TestApi } from './testing/startTestApi.js'

const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const node = { graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9' }
const retirement = {
  deprecatedAt: new Date('2027-01-01T00:00:00Z'),
  sunsetAt: new Date('2028-01-01T00:00:00Z'),
  link: 'https://docs.example/v2',
}
const NAMES = ['deprecation', 'sunset', 'link']

let staying: TestApi
let retired: TestApi
beforeAll(async () => {
  staying = await startTestApi(node)
  retired = await startTestApi({ ...node, config: { retirement } })
})
afterAll(async () => {
  await staying?.stop()
  await retired?.stop()
})

const headersOf = async (api: TestApi, path: string, headers = {}) => {
  const answer = await api.get(path, headers)
  return [answer.status, ...NAMES.map((name) => answer.headers.get(name))]
}

describe('version 1', () => {
  it('sends no headers by default', async () => {
    expect(await headersOf(staying, QUOTE)).toEqual([200, null, null, null])
    const { body } = await staying.get('/openapi.json')
    expect(JSON.stringify(body)).not.toContain('"deprecated":true')
  })

  it.each([
    [QUOTE, {}, 200],
    ['/swap/v1/999/quote', {}, 400],
    [QUOTE, { apikey: 'nonsense' }, 401],
    ['/swap/v1/999/nothing', {}, 404],
  ])('says in the answer to %s %o that it is retired, and when', async (path, headers, status) => {
    expect(await headersOf(retired, path, headers)).toEqual([
      status,
      // RFC 9745: a structured date; RFC 8594: an HTTP date.
      '@1798761600',
      'Sat, 01 Jan 2028 00:00:00 GMT',
      '<https://docs.example/v2>; rel="deprecation"; type="text/html"',
    ])
  })

  it('is visible to scripts of other origins too', async () => {
    const { headers } = await retired.get(QUOTE, { origin: 'https://a.test' })
    const exposed = headers.get('access-control-expose-headers')?.split(',')
    for (const name of NAMES) expect(exposed).toContain(name)
  })

  it('alone is retired: not what has no version in its path', async () => {
    for (const path of [`/999/tokens?limit=1&page=9`, '/healthz', '/swap/v10/999/quote']) {
      expect((await headersOf(retired, path)).slice(1)).toEqual([null, null, null])
    }
  })

  it('is marked in the OpenAPI document', async () => {
    const { body } = await retired.get('/openapi.json')
    expect(body).toEqual(JSON.parse(JSON.stringify(openApi(999, { isDeprecated: true }))))
    const { paths } = openApi(999, { isDeprecated: true })
    for (const [path, described] of Object.entries<{ readonly get: object }>(paths)) {
      expect('deprecated' in described.get).toBe(path.startsWith('/swap/v1/'))
    }
  })
})

describe('its variables', () => {
  const read = (more: Readonly<Record<string, string>>) =>
    readConfig({
      ...{ BRAID_RPC_URLS: 'http://127.0.0.1:1', BRAID_KEYS_FILE: 'keys.json' },
      ...{ BRAID_ROUTER: `0x${'11'.repeat(20)}`, ...more },
    }).retirement

  it('announce nothing by default', () => {
    expect(read({})).toBeUndefined()
  })

  it('give at least twelve months of notice', () => {
    const given = { BRAID_V1_DEPRECATED: '2027-01-01', BRAID_V1_SUCCESSOR: retirement.link }
    expect(read({ ...given, BRAID_V1_SUNSET: '2028-01-01' })).toEqual(retirement)
    expect(read(given)).not.toHaveProperty('sunsetAt')
    expect(() => read({ ...given, BRAID_V1_SUNSET: '2027-12-31' })).toThrow(
      /^BRAID_V1_SUNSET must be 2028-01-01 or later: 12 months after /,
    )
  })

  it.each([
    [{ BRAID_V1_SUNSET: '2028-01-01' }, /require BRAID_V1_DEPRECATED/],
    [{ BRAID_V1_DEPRECATED: 'soon' }, /^BRAID_V1_DEPRECATED: must be a date/],
    [{ BRAID_V1_DEPRECATED: '2027-13-01' }, /^BRAID_V1_DEPRECATED: is not a calendar date/],
    [{ BRAID_V1_DEPRECATED: '2027-01-01', BRAID_V1_SUCCESSOR: 'ftp://x' }, /^BRAID_V1_SUCCESSOR/],
  ])('%o is refused by its name', (more, line) => {
    expect(() => read(more as Readonly<Record<string, string>>)).toThrow(line)
  })
})
