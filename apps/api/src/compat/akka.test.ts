import { NATIVE } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { openApi } from '../docs/openapi.js'
import { frozenGraph, PURR, UBTC, USDC } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, TEST_ROUTER } from '../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import type { DexCompareBody, ErrorBody } from '../wire/responses.js'

const HYPE = 10n ** 18n
const chainId = 999
const environment = {
  BRAID_RPC_URLS: 'http://127.0.0.1:8545',
  BRAID_KEYS_FILE: 'keys.json',
  BRAID_ROUTER: TEST_ROUTER,
}

const { compat } = readConfig({ ...environment, BRAID_COMPAT: 'akka' })
const world = useTestWorld({ config: { compat } })

const order = { src: NATIVE, dst: USDC, amount: `${10n * HYPE}` }
const compare = async (params: Readonly<Record<string, string>>) =>
  (await world.api.ask<DexCompareBody & { akkaQuote: string }>('dex-compare', params)).body

describe('akka', () => {
  it('adds akkaQuote, which is serviceQuote, beside single pools', async () => {
    const body = await compare(order)
    expect(body.akkaQuote).toBe(body.serviceQuote)
    expect(body.pools).toHaveLength(3)
    expect((await compare({ ...order, src: PURR, dst: UBTC })).pools).toEqual([])
  })
})

describe('/health', () => {
  it('says healthy where the API would quote', async () => {
    expect((await world.api.get('/health')).body).toEqual({ healthy: true })
  })

  it('is 503 with the reason of /readyz where it would not', async () => {
    world.api.setState(null)
    const { status, body } = await world.api.get<ErrorBody>('/health')
    const ready = await world.api.get<ErrorBody>('/readyz')
    world.api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
    expect([status, body.message]).toEqual([503, ready.body.message])
  })
})

describe('BRAID_COMPAT', () => {
  it('changes nothing where it is absent, to the byte', async () => {
    const plain = await startTestWorld()
    const path = `/swap/v1/999/dex-compare?${new URLSearchParams(order)}`
    const textOf = async ({ api }: TestWorld) =>
      (await fetch(`${api.url}${path}`, { headers: { apikey: api.key } })).text()
    const [with_, without] = [await textOf(world), await textOf(plain)]
    await plain.stop()
    const { akkaQuote, ...rest } = JSON.parse(with_) as DexCompareBody & { akkaQuote: string }
    expect(without).toBe(JSON.stringify(rest))
    expect(akkaQuote).toBe(rest.serviceQuote)
    expect(with_.startsWith(without.slice(0, -1))).toBe(true)
  })

  it('is off where it is absent, and a shape named twice is there once', () => {
    expect(readConfig(environment).compat).toEqual([])
    expect(readConfig({ ...environment, BRAID_COMPAT: '' }).compat).toEqual([])
    expect(readConfig({ ...environment, BRAID_COMPAT: 'akka, akka' }).compat).toEqual(['akka'])
  })

  it.each(['AKKA', 'akka,odos', '__proto__', 'toString', 'akka,', ' '])(
    'refuses %j and names the shapes that there are',
    (BRAID_COMPAT) => {
      expect(() => readConfig({ ...environment, BRAID_COMPAT })).toThrow(/BRAID_COMPAT.*akka/)
    },
  )

  it('appears in the OpenAPI document', async () => {
    const { body } = await world.api.get('/openapi.json')
    expect(body).toEqual(JSON.parse(JSON.stringify(openApi(chainId, { compat: ['akka'] }))))
    const path = '/swap/v1/{chainId}/dex-compare'
    const schemaOf = (document: ReturnType<typeof openApi>) =>
      document.paths[path]?.get.responses['200']
    const [plain, added] = [
      schemaOf(openApi(chainId)),
      schemaOf(openApi(chainId, { compat: ['akka'] })),
    ]
    expect(added).toMatchObject({
      content: {
        'application/json': {
          schema: { required: ['serviceQuote', 'decimalsOut', 'pools', 'akkaQuote'] },
        },
      },
    })
    expect(JSON.stringify(plain).includes('akkaQuote')).toBe(false)
  })
})
