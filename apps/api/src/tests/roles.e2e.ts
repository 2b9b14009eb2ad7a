import { setTimeout as sleep } from 'node:timers/promises'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { describeWithRedis, type RedisServer, startRedis } from '@braid-swap/feed/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startApi } from '../start/startApi.js'
import { type DevnetApi, startDevnetApi } from '../testing/startDevnetApi.js'

/** `npm test` leaves to `npm run test:all` what few changes break. */
const isShortRun = Number(process.env['BRAID_E2E_SCALE'] ?? 0.1) < 0.1

type Quote = { readonly dstAmount: string }

describeWithRedis('an indexer and readers', () => {
  let devnet: Devnet
  let redis: RedisServer
  const running: DevnetApi[] = []
  beforeAll(async () => {
    devnet = await borrowDevnet()
    redis = await startRedis()
  })
  afterEach(async () => {
    for (const api of running.splice(0)) await api.stop()
  })
  afterAll(async () => {
    await devnet.stop()
    await redis.stop()
  })

  const start = async (options: Parameters<typeof startDevnetApi>[0]) => {
    const api = await startDevnetApi({ devnet, redisUrl: redis.url, ...options })
    running.push(api)
    return api
  }
  const move = async () => {
    await devnet.trade(3)
    await devnet.mine()
  }
  const until = async (isTrue: () => Promise<boolean>) => {
    while (!(await isTrue())) await sleep(10)
  }
  const setChainId = async (id: number) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setChainId', params: [id] })
    const headers = { 'content-type': 'application/json' }
    await fetch(devnet.rpcUrl, { method: 'POST', headers, body })
  }
  const snapshotText = async ({ url, apikey }: DevnetApi) => {
    const response = await fetch(`${url}/swap/v1/999/snapshot`, { headers: { apikey } })
    return response.text()
  }
  const quoteAt = (api: DevnetApi) => {
    const [src, dst] = devnet.tokens
    const amount = `${10n ** 18n}`
    return api.get<Quote>('/swap/v1/999/quote', { src: src!.address, dst: dst!.address, amount })
  }

  it('answer the same from the same block, the readers without a node', async () => {
    const indexer = await start({ role: 'indexer' })
    const readers = [
      await start({ role: 'api', rpcUrls: [] }),
      await start({ role: 'api', rpcUrls: [] }),
    ]
    const alone = await startDevnetApi({ devnet })
    running.push(alone)
    for (let block = 0; block < 3; block++) {
      await move()
      await Promise.all([alone, ...readers].map((api) => api.catchUp()))
      const [wanted, ...got] = await Promise.all([alone, ...readers].map(quoteAt))
      expect(wanted!.status).toBe(200)
      for (const { body, headers } of got) {
        // The id of a quote is made from the whole state and the request.
        expect(headers.get('x-quote-id')).toBe(wanted!.headers.get('x-quote-id'))
        expect(body.dstAmount).toBe(wanted!.body.dstAmount)
      }
      const [ours, ...theirs] = await Promise.all([alone, ...readers].map(snapshotText))
      for (const text of theirs) expect(text).toBe(ours)
    }
    const ready = await fetch(`${indexer.url}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ready' }])
    expect((await fetch(`${indexer.url}/swap/v1/999/quote`)).status).toBe(404)
  })

  it.skipIf(isShortRun)('stream a quote from the market that the indexer publishes', async () => {
    await start({ role: 'indexer' })
    const reader = await start({ role: 'api', rpcUrls: [] })
    const [src, dst] = devnet.tokens
    const query = `src=${src!.address}&dst=${dst!.address}&amount=${10n ** 18n}`
    const response = await fetch(`${reader.url}/swap/v1/999/quote/stream?${query}`, {
      headers: { apikey: reader.apikey },
    })
    const events = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const amountOf = (text = '') => /"dstAmount":"(\d+)"/.exec(text)?.[1]
    expect(amountOf((await events.read()).value)).toBe((await quoteAt(reader)).body.dstAmount)
    const before = (await quoteAt(reader)).body.dstAmount
    while ((await quoteAt(reader)).body.dstAmount === before) {
      await move()
      await reader.catchUp()
    }
    let last: string | undefined
    while (last !== (await quoteAt(reader)).body.dstAmount) {
      last = amountOf((await events.read()).value)
    }
    running.splice(running.indexOf(reader), 1)
    await reader.stop()
    const rest: string[] = []
    for (let read = await events.read(); !read.done; read = await events.read())
      rest.push(read.value)
    expect(rest.join('')).toContain('"SHUTTING_DOWN"')
  })

  it('return transactions without a node of their own, once the indexer has checked the router', async () => {
    await start({ role: 'indexer' })
    const reader = await start({ role: 'api', rpcUrls: [] })
    const [src] = devnet.tokens
    const approve = await reader.get('/swap/v1/999/approve/transaction', {
      tokenAddress: src!.address,
    })
    expect(approve.status).toBe(200)
    // The market of another router is another one, which nobody publishes.
    const other = await startApi({
      ...{ role: 'api', rpcUrls: [], redisUrl: redis.url, router: `0x${'12'.repeat(20)}` },
      ...{ venues: devnet.venues, port: 0, logLevel: 'silent' },
    })
    const ready = await fetch(`${other.url}/readyz`)
    expect(await ready.json()).toMatchObject({ status: 'not_ready', code: 'NOT_READY' })
    await other.stop()
  })

  it.skipIf(isShortRun)(
    'without a node learn from the indexer that its node serves another chain',
    async () => {
      await start({ role: 'indexer', routerCheckMs: 20 })
      const reader = await start({ role: 'api', rpcUrls: [] })
      const codeOf = async () => ((await quoteAt(reader)).body as { readonly code?: string }).code
      expect(await codeOf()).toBeUndefined()
      // No block is mined: the change of the status alone must arrive.
      await setChainId(1)
      await until(async () => (await codeOf()) === 'WRONG_CHAIN')
      await setChainId(999)
      await until(async () => (await codeOf()) === undefined)
    },
  )

  it('go on with the standby when the leader ends', async () => {
    const first = await start({ role: 'indexer' })
    await start({ role: 'indexer' })
    const reader = await start({ role: 'api', rpcUrls: [] })
    running.splice(running.indexOf(first), 1)
    await first.stop()
    await move()
    await reader.catchUp()
    expect((await quoteAt(reader)).status).toBe(200)
  })

  it('is stale, not wrong, while Redis is away, and goes on afterwards', async () => {
    await start({ role: 'indexer' })
    const reader = await start({ role: 'api', rpcUrls: [], maxStateAgeMs: 1_500 })
    await devnet.mine()
    await reader.catchUp()
    await redis.kill()
    await devnet.mine()
    await until(async () => (await quoteAt(reader)).status === 503)
    const { body } = await quoteAt(reader)
    expect(body).toMatchObject({ code: 'STATE_STALE' })
    await redis.restart()
    await devnet.mine()
    await until(async () => (await quoteAt(reader)).status === 200)
  })
})
