import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable } from '../errors.js'
import { checkAnswer } from '../testing/checkAnswer.js'
import { frozenGraph } from '../testing/frozenMarket.js'
import { startTestApi, type TestApi } from '../testing/startTestApi.js'
import { ADDRESS_PATTERN } from '../wire/parameters.js'
import { openApi } from './openapi.js'

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
  // OpenAPI cannot say that one of two parameters is required, so the description says it of amount.
  it('requires what the interface requires, and nothing else', () => {
    expect(required('/swap/v1/{chainId}/quote')).toEqual(['chainId', 'src', 'dst'])
    expect(required('/swap/v1/{chainId}/swap')).toEqual([...['chainId', 'src', 'dst', 'slippage']])
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

describe('its rules', () => {
  it('are those of the linter, without a fault', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(document)
    const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
    const faults = problems.map(({ ruleId, message, location }) => {
      return `${ruleId} ${location[0]?.pointer}: ${message}`
    })
    expect(faults).toEqual([])
  })

  it('are known to the linter, which finds what is wrong', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const { info: _, ...rest } = document as Document & { readonly info: unknown }
    const source = JSON.stringify(rest)
    expect(await lintFromString({ source, config, absoluteRef: 'x.json' })).not.toEqual([])
  })

  it('hold for answers, and find one that departs from it', async () => {
    const right = await api.get('/errors.json')
    expect(checkAnswer({ ...right, path: '/errors.json' })).toEqual([])
    const path = '/swap/v1/999/quote?amount=x'
    const { status, body } = await api.get(path)
    expect(checkAnswer({ path, status, body })).toEqual([])
    expect(checkAnswer({ path, status, body: { ...body, extra: 1 } })).toHaveLength(1)
    expect(checkAnswer({ path, status: 200, body: { dstAmount: '1.5' } })).toHaveLength(1)
    expect(checkAnswer({ path, status: 418, body })).toHaveLength(1)
  })
})
