import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable } from './errors.js'
import { openApi } from './openapi.js'
import { frozenGraph } from './testing/frozenMarket.js'
import { startTestApi, type TestApi } from './testing/startTestApi.js'
import { ADDRESS_PATTERN } from './wire/parameters.js'

type Parameter = { readonly name: string; readonly required: boolean; readonly schema: unknown }
type Document = {
  readonly paths: Readonly<
    Record<string, { get: { parameters: readonly Parameter[]; responses: object } }>
  >
}

let api: TestApi
let document: Document
beforeAll(async () => {
  api = await startTestApi({ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9' })
  document = (await api.get<Document>('/openapi.json')).body
})
afterAll(() => api?.stop())

const required = (path: string) =>
  document.paths[path]?.get.parameters.filter((p) => p.required).map(({ name }) => name)

describe('the OpenAPI document', () => {
  it('requires what the interface requires, and nothing else', () => {
    expect(required('/swap/v1/{chainId}/quote')).toEqual(['chainId', 'src', 'dst', 'amount'])
    expect(required('/swap/v1/{chainId}/swap')).toEqual([
      ...['chainId', 'src', 'dst', 'amount', 'slippage'],
    ])
    expect(required('/swap/v1/{chainId}/approve/transaction')).toEqual(['chainId', 'tokenAddress'])
    expect(required('/swap/v1/{chainId}/approve/allowance')).toEqual([
      ...['chainId', 'tokenAddress', 'walletAddress'],
    ])
    expect(required('/swap/v1/{chainId}/dex-compare')).toEqual(['chainId', 'src', 'dst', 'amount'])
    expect(required('/{chainId}/tokens/{address}')).toEqual(['chainId', 'address'])
  })

  it('has the interface’s pattern of addresses and the words of enums', () => {
    const of = (name: string) =>
      document.paths['/swap/v1/{chainId}/quote']?.get.parameters.find((p) => p.name === name)
    expect(of('src')?.schema).toMatchObject({ type: 'string', pattern: ADDRESS_PATTERN })
    expect(of('exactQuote')?.schema).toMatchObject({ enum: ['yes', 'no'] })
  })

  it('names every code of the table in its responses', () => {
    const text = JSON.stringify(document.paths['/swap/v1/{chainId}/swap']?.get.responses)
    for (const code of Object.keys(errorTable)) expect(text).toContain(code)
  })

  it('is served as it is made', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(openApi(999))))
  })
})
