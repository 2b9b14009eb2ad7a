import { buildGraph, type Snapshot } from '@braid-swap/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { revokeKey } from '../keys/keys.js'
import { checkAnswer } from '../testing/checkAnswer.js'
import { frozenGraph, frozenSnapshot, ISLAND, UBTC, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'
import { NO_NODE } from '../testing/useFrozenApi.js'
import { type QuoteBody, streamedQuoteSchema } from '../wire/responses.js'

const order = { src: WHYPE, dst: USDC, amount: '5000000000000000000000' }
const streams = { perKey: 3, total: 4, lastMs: 60_000 }

let api: TestApi
let ending: AbortController
beforeEach(async () => {
  ending = new AbortController()
  const config = { streams }
  api = await startTestApi({ graph: frozenGraph, rpcUrl: NO_NODE, config, ending: ending.signal })
})
afterEach(() => api.stop())

type Event = { readonly event: string; readonly data: Record<string, unknown> }
const pathOf = (endpoint: string, params: Readonly<Record<string, string>>) =>
  `/swap/v1/999/${endpoint}?${new URLSearchParams({ ...order, ...params })}`

/** An open stream; `next` waits for its next event, which is undefined at the end. */
async function open(params: Readonly<Record<string, string>> = {}) {
  const leave = new AbortController()
  const response = await fetch(`${api.url}${pathOf('quote/stream', params)}`, {
    headers: { apikey: api.key },
    signal: leave.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const [, event = '', data = ''] = /event: (\w+)\ndata: (.*)/.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        if (event !== '') return { event, data: JSON.parse(data) }
        continue
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  return { response, next, leave: () => leave.abort() }
}

function moved(block: bigint, isMoved: boolean): Snapshot {
  const pools = frozenSnapshot.pools.map((pool, i) =>
    isMoved && i === 1 && pool.family === 'uniswapV2'
      ? {
          ...pool,
          reserves: [pool.reserves[0] + block * 10n ** 18n, pool.reserves[1]] as const,
        }
      : pool,
  )
  return { ...frozenSnapshot, block: { ...frozenSnapshot.block, number: block }, pools }
}
const setBlock = (block: bigint, isMoved: boolean) =>
  api.setState({ graph: buildGraph(moved(block, isMoved)), receivedAtMs: RECEIVED_AT_MS })

describe('a stream of quotes', () => {
  it('ends when its key is revoked', async () => {
    const { next } = await open()
    expect((await next())!.event).toBe('quote')
    await revokeKey(api.keysFile, api.key.split('_')[1]!)
    api.setNow(RECEIVED_AT_MS + 1_000)
    expect(await next()).toEqual({ event: 'end', data: { code: 'API_KEY_INVALID' } })
    expect(await next()).toBeUndefined()
  })

  it('has the answer of /quote at each block that changes it, and none at others', async () => {
    const asked = { includeGraph: 'true', includeGas: 'true', includeTokensInfo: 'false' }
    const { response, next, leave } = await open(asked)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const first = await next()
    for (const [block, isMoved] of [
      [124n, false],
      [125n, true],
      [126n, true],
      [127n, false],
    ] as const) {
      setBlock(block, isMoved)
    }
    const events = [first, await next(), await next(), await next()]
    leave()
    const blocks = events.map((each) => each!.data['blockNumber'])
    expect(blocks).toEqual(['123', '125', '126', '127'])
    for (const { event, data } of events as Event[]) {
      expect(event).toBe('quote')
      streamedQuoteSchema.parse(data)
      const { quoteId, blockNumber, blockHash, ...body } = data
      const same = await api.get<QuoteBody>(pathOf('quote', { ...asked, block: `${blockNumber}` }))
      expect(same.body).toEqual(body)
      expect(same.headers.get('x-quote-id')).toBe(quoteId)
      expect(same.headers.get('x-block-hash')).toBe(blockHash)
    }
  })

  it('tells a fault of the market once, and goes on when it is over', async () => {
    const { next, leave } = await open({ dst: ISLAND })
    expect(await next()).toMatchObject({ event: 'fault', data: { code: 'NO_ROUTE' } })
    leave()
    const other = await open()
    await other.next()
    api.setNow(RECEIVED_AT_MS + 60_000)
    expect(await other.next()).toMatchObject({
      ...{ event: 'fault', data: { code: 'STATE_STALE', retryable: true } },
    })
    api.setNow(RECEIVED_AT_MS)
    expect(await other.next()).toMatchObject({ event: 'quote', data: { blockNumber: '123' } })
    other.leave()
  })

  it('has a cap for each key, and a place again when a stream is left', async () => {
    const all = [await open(), await open(), await open({ dst: UBTC })]
    const refused = await api.get(pathOf('quote/stream', {}))
    expect([refused.status, refused.body['code']]).toEqual([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(checkAnswer({ path: pathOf('quote/stream', {}), ...refused })).toEqual([])
    all[0]!.leave()
    let again = await open()
    for (; again.response.status === 429; again = await open()) again.leave()
    expect(await again.next()).toMatchObject({ event: 'quote' })
    for (const { leave } of [...all, again]) leave()
  })

  it('is refused like a quote for what is wrong with the request', async () => {
    const codeOf = async (params: Readonly<Record<string, string>>) => {
      const { status, body } = await api.get(pathOf('quote/stream', params))
      return [status, body['code']]
    }
    expect(await codeOf({ amount: '0' })).toEqual([400, 'AMOUNT_ZERO'])
    expect(await codeOf({ excludeProtocols: 'sushi' })).toEqual([400, 'INVALID_ENUM'])
    expect(await codeOf({ dst: WHYPE })).toEqual([400, 'SAME_TOKEN'])
    api.setState(null)
    expect(await codeOf({})).toEqual([503, 'NOT_READY'])
  })

  it('ends with a last event when the server does, and is refused then', async () => {
    const { next } = await open()
    await next()
    ending.abort()
    expect(await next()).toEqual({ event: 'end', data: { code: 'SHUTTING_DOWN' } })
    expect(await next()).toBeUndefined()
    expect((await api.get(pathOf('quote/stream', {}))).status).toBe(503)
  })
})
