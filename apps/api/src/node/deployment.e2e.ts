import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executorDeployment } from '@braid-swap/contracts'
import { type Address, NATIVE } from '@braid-swap/core'
import {
  type Chain,
  createTokens,
  deployRouter,
  deployUniswapV2,
  startChain,
} from '@braid-swap/devnet'
import { createV2Pool } from '@braid-swap/devnet/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../keys/keys.js'
import { type RunningApi, type StartOptions, startApi } from '../start/startApi.js'
import { type ErrorBody, errorSchema, type ReadyBody, readySchema } from '../wire/responses.js'

/** Runs no code of ours, and answers every call with one word of zero. */
const FOREIGN_CODE = '0x60206000f3'

let chain: Chain
let folder: string
let key: string
let options: StartOptions
let token: Address
let api: RunningApi | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-deployment-'))
  const keysFile = join(folder, 'keys.json')
  ;({ key } = await createKey(keysFile, { label: 'test' }))
  chain = await startChain()
  const [a] = await createTokens(chain, [{ symbol: 'AAA', name: 'A', decimals: 18 }])
  token = a!.address
  const v2 = await deployUniswapV2(chain, 'test-v2')
  const tokens = [chain.wrappedNative, token].sort() as [Address, Address]
  await createV2Pool(chain, v2, { tokens, amounts: [10n ** 24n, 10n ** 24n] })
  const { router } = await deployRouter(chain)
  options = {
    ...{ rpcUrls: [chain.rpcUrl], keysFile, router, venues: [v2.venue], port: 0 },
    ...{
      pollMs: 20,
      routerCheckMs: 20,
      maxStateAgeMs: 3_600_000,
      checksBlockTime: false,
      nodeTimeoutMs: 20_000,
    },
    ...{ maxRequestMs: 60_000, logLevel: 'silent' },
  }
})
afterEach(async () => {
  await api?.stop()
  api = undefined
})
afterAll(async () => {
  await chain?.stop()
  await rm(folder, { recursive: true })
})

async function get(path: string) {
  const response = await fetch(`${api!.url}${path}`, { headers: { apikey: key } })
  return { status: response.status, body: (await response.json()) as ErrorBody }
}

const guarded = () => [
  `/swap/v1/999/swap?src=${NATIVE}&dst=${token}&amount=1000&slippage=1`,
  `/swap/v1/999/approve/transaction?tokenAddress=${token}`,
  `/swap/v1/999/approve/allowance?tokenAddress=${token}&walletAddress=${token}`,
  '/swap/v1/999/approve/spender',
]

async function answers() {
  return Promise.all(guarded().map(async (path) => (await get(path)).status))
}

async function ready(): Promise<ReadyBody> {
  return readySchema.parse((await get('/readyz')).body)
}

async function withCode<T>(address: Address, code: `0x${string}`, work: () => Promise<T>) {
  const before = (await chain.client.getCode({ address })) ?? '0x'
  await chain.client.setCode({ address, bytecode: code })
  try {
    return await work()
  } finally {
    await chain.client.setCode({ address, bytecode: before })
  }
}

// Four requests a second stay far below the rate of a key; the default would be answered 429.
const PATIENCE = { timeout: 40_000, interval: 1_000 }

describe('an API whose router is not ours', () => {
  it('does not start where nothing is', async () => {
    const start = startApi({ ...options, router: `0x${'12'.repeat(20)}` })
    await expect(start).rejects.toMatchObject({
      code: 'ROUTER_UNCONFIRMED',
      message: expect.stringContaining('no router at 0x1212'),
    })
  })

  it('does not start where other code is', async () => {
    await withCode(options.router, FOREIGN_CODE, async () => {
      await expect(startApi(options)).rejects.toThrow('the router runs other code')
    })
  })

  it('does not start where the executor is not ours', async () => {
    const { address } = executorDeployment(options.router, chain.wrappedNative).executor
    await withCode(address, FOREIGN_CODE, async () => {
      const start = startApi(options)
      await expect(start).rejects.toThrow(`the executor ${address} runs other code`)
    })
  })

  it('does not start with the router of another wrapped token', async () => {
    await expect(startApi({ ...options, wrappedNative: token })).rejects.toThrow('router')
  })
})

describe('an API whose router cannot be confirmed', () => {
  it('starts beside a silent node, hands out nothing to be signed, and does when it answers', async () => {
    const later = await startChain()
    const { rpcUrl, port } = later
    await later.stop()
    api = await startApi({ ...options, rpcUrls: [rpcUrl] })
    const { status, body } = await get('/swap/v1/999/approve/spender')
    expect([status, errorSchema.parse(body).code]).toEqual([503, 'ROUTER_UNCONFIRMED'])
    expect(body.details).toMatchObject({
      fault: 'the node has not returned the code of the router yet',
    })
    const back = await startChain({ port })
    try {
      await deployRouter(back)
      await expect
        .poll(async () => (await get('/swap/v1/999/approve/spender')).status, { timeout: 60_000 })
        .toBe(200)
    } finally {
      await back.stop()
    }
  })

  it('starts before its code is there if nobody named it, quotes, and answers swaps when it comes', async () => {
    await withCode(options.router, '0x', async () => {
      api = await startApi({ ...options, awaitsRouter: true })
      await api.ready
      const quote = await get(`/swap/v1/999/quote?src=${NATIVE}&dst=${token}&amount=1000`)
      expect([quote.status, ...(await answers())]).toEqual([200, 503, 503, 503, 503])
    })
    await expect.poll(answers, PATIENCE).toEqual([200, 200, 200, 200])
    await withCode(options.router, FOREIGN_CODE, async () => {
      const start = startApi({ ...options, awaitsRouter: true })
      await expect(start).rejects.toThrow('the router runs other code')
    })
  })

  it('confirms it behind a request budget that makes one check longer than its time limit', async () => {
    // Six requests, a tenth of a second apart.
    api = await startApi({ ...options, rpcRequestsPerMinute: 600, nodeTimeoutMs: 100 })
    await expect
      .poll(async () => (await get('/swap/v1/999/approve/spender')).status, PATIENCE)
      .toBe(200)
  })

  it('answers 503 as soon as the code is gone, says so in /readyz, and 200 when it is back', async () => {
    api = await startApi(options)
    await api.ready
    expect(await answers()).toEqual([200, 200, 200, 200])
    expect(await ready()).toMatchObject({ status: 'ready', code: null, message: null })
    await withCode(options.router, '0x', async () => {
      await expect.poll(answers, PATIENCE).toEqual([503, 503, 503, 503])
      for (const path of guarded()) expect((await get(path)).body.code).toBe('ROUTER_UNCONFIRMED')
      const quote = await get(`/swap/v1/999/quote?src=${NATIVE}&dst=${token}&amount=1000`)
      expect(quote.status).toBe(200)
      expect(await ready()).toMatchObject({
        ...{ status: 'not_ready', code: 'ROUTER_UNCONFIRMED' },
        message: expect.stringContaining('no router at'),
      })
    })
    await expect.poll(answers, PATIENCE).toEqual([200, 200, 200, 200])
  })
})
