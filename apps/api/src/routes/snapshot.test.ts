import {
  buildGraph,
  parseSnapshot,
  quote,
  type Snapshot,
  stringifySnapshot,
} from '@braid-swap/core'
import { snapshotSchema as fileSchema } from '@braid-swap/core/advanced'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { frozenSnapshot, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { useFrozenApi } from '../testing/useFrozenApi.js'
import { type ErrorBody, type QuoteBody, snapshotSchema } from '../wire/responses.js'

const PATH = '/swap/v1/999/snapshot'

const api = useFrozenApi()

const inOrder = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  tokens: snapshot.tokens.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  pools: snapshot.pools.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
})

const take = async (path = PATH) => {
  const response = await fetch(`${api.url}${path}`, { headers: { apikey: api.key } })
  return { response, text: await response.text() }
}

describe('the snapshot', () => {
  it('is the text that core writes of the market in order, byte for byte, as JSON that is not cached', async () => {
    api.setNow(RECEIVED_AT_MS + 70)
    const { response, text } = await take()
    expect(response.status).toBe(200)
    expect(text).toBe(stringifySnapshot(inOrder(frozenSnapshot)))
    const { block } = frozenSnapshot
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-block-number': `${block.number}`,
      'x-block-hash': block.hash,
      'x-state-age-ms': '70',
    })
    snapshotSchema.parse(JSON.parse(text))
  })

  it('is valid by the published JSON Schema, and a file with another field is not', async () => {
    const isValid = new Ajv2020({ strictTypes: false }).compile(fileSchema())
    const { text } = await take()
    expect(isValid(JSON.parse(text))).toBe(true)
    expect(isValid({ ...JSON.parse(text), note: 'x' })).toBe(false)
  })

  it('has the same bytes for any order of pools and tokens', async () => {
    const { text } = await take()
    const { pools, tokens } = frozenSnapshot
    const turned = { ...frozenSnapshot, pools: pools.toReversed(), tokens: tokens.toReversed() }
    api.setState({ graph: buildGraph(turned), receivedAtMs: RECEIVED_AT_MS })
    expect((await take()).text).toBe(text)
  })

  it('is made once for each state', async () => {
    let reads = 0
    const watched = {
      ...frozenSnapshot,
      get pools() {
        reads += 1
        return frozenSnapshot.pools
      },
    }
    const graph = buildGraph(watched)
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    const first = (await take()).text
    const readsOfOne = reads
    reads = 0
    expect((await take()).text).toBe(first)
    expect(reads).toBeLessThan(readsOfOne)
    api.setState({ graph: buildGraph(frozenSnapshot), receivedAtMs: RECEIVED_AT_MS })
  })

  it('gives offline what the API quotes', async () => {
    const amountIn = 1_234_567_890_123_456_789n
    const { body } = await api.get<QuoteBody>(
      `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=${amountIn}`,
    )
    const graph = buildGraph(parseSnapshot((await take()).text))
    const { amountOut } = quote(graph, { tokenIn: WHYPE, tokenOut: USDC, amountIn })
    expect(`${amountOut}`).toBe(body.dstAmount)
  })

  it('follows the market', async () => {
    const block = { ...frozenSnapshot.block, number: 124n }
    const next = { ...frozenSnapshot, block }
    api.setState({ graph: buildGraph(next), receivedAtMs: RECEIVED_AT_MS })
    expect(parseSnapshot((await take()).text)).toEqual(inOrder(next))
  })

  it('is refused before there is one, and when it is too old', async () => {
    const code = async (path?: string) => {
      const { response, text } = await take(path)
      return [response.status, (JSON.parse(text) as ErrorBody).code]
    }
    api.setNow(RECEIVED_AT_MS + 101)
    expect(await code(`${PATH}?maxStateAgeMs=100`)).toEqual([503, 'STATE_STALE'])
    api.setNow(RECEIVED_AT_MS + 5_001)
    expect(await code()).toEqual([503, 'STATE_STALE'])
    api.setState(null)
    expect(await code()).toEqual([503, 'NOT_READY'])
    expect(await code('/swap/v1/1/snapshot')).toEqual([404, 'CHAIN_NOT_SUPPORTED'])
  })
})
