/** Sends the names that every plain object inherits wherever requests or operators name something. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../command/program.js'
import { readConfig } from '../config/config.js'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { startTestApi, type TestApi } from '../testing/startTestApi.js'
import { type ErrorBody, errorSchema } from '../wire/responses.js'

const names = Object.getOwnPropertyNames(Object.prototype)
const ORDER = `src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const PARAMETERS = [
  ...['src', 'dst', 'amount', 'slippage', 'from', 'receiver', 'gasPrice', 'gasLimit', 'block'],
  ...['includeGas', 'includeRoutes', 'includeGraph', 'includeMeta', 'includeTokensInfo'],
  ...['exactQuote', 'objective', 'skipChecks', 'simulate', 'permit', 'permit2', 'permit2Nonce'],
  ...['deadline', 'maxHops', 'maxPriceImpact', 'includeProtocols', 'excludeProtocols'],
  ...['maxStateAgeMs', 'excludePools', 'onlyIntermediates', 'includeNearest', 'includeCalls'],
]

let api: TestApi
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-names-'))
  api = await startTestApi({ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9' })
})
afterAll(async () => {
  await api?.stop()
  await rm(folder, { recursive: true })
})

const get = (path: string, headers?: Readonly<Record<string, string>>) =>
  api.get<ErrorBody>(path, headers)

describe.each(names)('%s', (name) => {
  it.each([
    [`/${name}`, 404, 'NOT_FOUND'],
    [`/swap/v1/999/${name}`, 404, 'NOT_FOUND'],
    [`/swap/v1/999/approve/${name}`, 404, 'NOT_FOUND'],
    [`/swap/v1/${name}/quote`, 400, 'INVALID_CHAIN_ID'],
    [`/${name}/tokens`, 400, 'INVALID_CHAIN_ID'],
    [`/999/tokens/${name}`, 400, 'INVALID_ADDRESS'],
    [`/reference/${name}`, 404, 'NOT_FOUND'],
  ])('as a part of the path: %s is %d %s', async (path, status, code) => {
    const got = await get(path)
    expect([got.status, got.body.code]).toEqual([status, code])
    errorSchema.parse(got.body)
  })

  it.each(PARAMETERS)('as the value of %s is refused', async (parameter) => {
    const query = new URLSearchParams(`${ORDER}&slippage=1`)
    query.set(parameter, name)
    const { status, body } = await get(`/swap/v1/999/swap?${query}`)
    // A swap ignores the parameters that only a quote knows.
    const isIgnored = ['exactQuote', 'includeGraph', 'includeRoutes'].includes(parameter)
    expect(status).toBe(isIgnored ? 200 : 400)
    if (!isIgnored) expect(body.issues.some(({ path }) => path === parameter)).toBe(true)
    const asked = query.toString()
    if (isIgnored) expect((await get(`/swap/v1/999/quote?${asked}`)).status).toBe(400)
  })

  it('as the name of a parameter is unknown', async () => {
    const { status, headers } = await get(`/swap/v1/999/quote?${ORDER}&${name}=1`)
    expect([status, headers.get('x-ignored-params')]).toEqual([200, name])
  })

  it('as a header, and in one, changes nothing', async () => {
    const path = `/swap/v1/999/quote?${ORDER}`
    expect((await get(path, { [name.replaceAll('_', '-')]: name })).status).toBe(200)
    for (const header of ['if-none-match', 'x-request-id', 'origin', 'accept']) {
      expect((await get(path, { [header]: name })).status).toBe(200)
    }
    expect((await get(path, { apikey: name })).body.code).toBe('API_KEY_INVALID')
    const keyOfNoId = `brd_${name.replaceAll('_', '').padEnd(12, 'a').slice(0, 12)}_${'b'.repeat(43)}`
    expect((await get(path, { apikey: keyOfNoId })).body.code).toBe('API_KEY_INVALID')
  })

  it('as the family of a venue is refused, and as its id is accepted', async () => {
    const file = join(folder, `${name}.venues.json`)
    const env = { BRAID_RPC_URLS: 'http://127.0.0.1:9', BRAID_KEYS_FILE: 'k', BRAID_ROUTER: USDC }
    const venue = { id: 'a', family: name, factory: WHYPE }
    await writeFile(file, JSON.stringify([venue]))
    expect(() => readConfig({ ...env, BRAID_VENUES: file })).toThrow('family')
  })

  it('as a command and as the id of a key is unknown', async () => {
    const run = async (words: readonly string[]) => {
      const err: string[] = []
      const terminal = { out: () => {}, err: (text: string) => void err.push(text), env: {} }
      return { code: await runProgram(words, terminal), err: err.join('\n') }
    }
    expect((await run([name])).code).toBe(2)
    expect((await run(['keys', name])).code).toBe(2)
    const file = join(folder, 'keys.json')
    await run(['keys', 'create', '--label', 'a', '--file', file])
    const revoked = await run(['keys', 'revoke', name, '--file', file])
    expect([revoked.code, revoked.err]).toEqual([1, expect.stringContaining('UNKNOWN_KEY')])
  })
})
