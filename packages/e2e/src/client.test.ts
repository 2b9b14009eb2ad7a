import { openApi } from '@braid-swap/api'
import { startTestWorld, TEST_ROUTER, type TestWorld, USDC, WHYPE } from '@braid-swap/api/testing'
import {
  type AllowanceRequest,
  type ApprovalRequest,
  answerSchemas,
  type Braid,
  type ComparisonRequest,
  createBraid,
  type QuoteRequest,
  type SnapshotRequest,
  type SwapRequest,
  type TokensRequest,
  verifySwap,
} from '@braid-swap/client'
import { type Address, NATIVE } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const WALLET: Address = `0x${'a1'.repeat(20)}`
const E18 = 10n ** 18n
const order = { src: NATIVE, dst: USDC, amount: 2_500n * E18 } as const

let world: TestWorld
let braid: Braid
const asked: string[] = []
beforeAll(async () => {
  world = await startTestWorld()
  const recorded: typeof fetch = (input, init) => {
    asked.push(new URL(`${input}`).pathname)
    return fetch(input, init)
  }
  braid = createBraid({ url: world.api.url, apiKey: world.api.key, fetch: recorded, retries: 0 })
})
afterAll(() => world?.stop())

const document = openApi(999)
const swap = '/swap/v1/{chainId}'

describe('against the OpenAPI document', () => {
  it('asks every path that takes a key', async () => {
    await braid.quote(order)
    await braid.swap({ ...order, slippage: 1 })
    await braid.approval({ tokenAddress: USDC })
    await braid.allowance({ tokenAddress: USDC, walletAddress: WALLET })
    await braid.spender()
    await braid.compare(order)
    await braid.liquiditySources()
    await braid.snapshot()
    await braid.token(USDC)
    await braid.allTokens()
    const templates = asked.map((path) =>
      path.replace('999', '{chainId}').replace(USDC, '{address}'),
    )
    const isKeyed = (path: string) => document.paths[path].get.security === undefined
    expect(new Set(templates)).toEqual(new Set(Object.keys(document.paths).filter(isKeyed)))
  })

  // The compiler holds the keys to the types of requests, the test holds them to the document.
  const limits = { includeProtocols: 1, excludeProtocols: 1, maxHops: 1, maxPriceImpact: 1 }
  const flags = {
    ...limits,
    block: 1,
    includeTokensInfo: 1,
    includeGas: 1,
    includeMeta: 1,
    maxStateAgeMs: 1,
  }
  const base = { src: 1, dst: 1, amount: 1 }
  const exactQuote = { includeRoutes: 1, includeGraph: 1, exactQuote: 1, objective: 1 }
  const gas = { gasPrice: 1, gasLimit: 1, objective: 1, skipChecks: 1 }
  const quoteKeys = { ...base, ...flags, ...exactQuote } satisfies Keys<QuoteRequest>
  const permits = { permit: 1, permit2: 1, permit2Nonce: 1, deadline: 1, simulate: 1 }
  const wallet = { ...permits, slippage: 1, from: 1, receiver: 1 }
  const swapKeys = { ...base, ...flags, ...wallet, ...gas } satisfies Keys<SwapRequest>
  const approvalKeys = { tokenAddress: 1, amount: 1 } satisfies Keys<ApprovalRequest>
  const allowanceKeys = {
    ...{ tokenAddress: 1, walletAddress: 1, includeMeta: 1 },
  } satisfies Keys<AllowanceRequest>
  const compareKeys = { ...base, limit: 1, includeMeta: 1 } satisfies Keys<ComparisonRequest>
  const tokensKeys = { page: 1, limit: 1, verified: 1 } satisfies Keys<TokensRequest>
  const snapshotKeys = {
    ...{ block: 1, snapshotId: 1, maxStateAgeMs: 1 },
  } satisfies Keys<SnapshotRequest>
  it.each<readonly [string, object]>([
    [`${swap}/quote`, quoteKeys],
    [`${swap}/swap`, swapKeys],
    [`${swap}/approve/transaction`, approvalKeys],
    [`${swap}/approve/allowance`, allowanceKeys],
    [`${swap}/approve/spender`, {}],
    [`${swap}/dex-compare`, compareKeys],
    [`${swap}/snapshot`, snapshotKeys],
    ['/{chainId}/tokens', tokensKeys],
  ])('asks %s whatever can be asked', (path, keys) => {
    const parameters = document.paths[path]!.get.parameters.filter(isInQuery)
    expect(Object.keys(keys).sort()).toEqual(parameters.map(nameOf).sort())
  })

  it.each([
    [`${swap}/quote`, answerSchemas.quote],
    [`${swap}/swap`, answerSchemas.swap],
    [`${swap}/approve/transaction`, answerSchemas.approval],
    [`${swap}/approve/allowance`, answerSchemas.allowance],
    [`${swap}/approve/spender`, answerSchemas.spender],
    [`${swap}/dex-compare`, answerSchemas.comparison],
    [`${swap}/liquidity-sources`, answerSchemas.sources],
    ['/{chainId}/tokens', answerSchemas.tokens],
    ['/{chainId}/tokens/{address}', answerSchemas.token],
    ['/version', answerSchemas.version],
  ])('reads %s as it is written', (path, schema) => {
    const written = document.paths[path]!.get.responses['200']!.content['application/json'].schema
    const read = z.toJSONSchema(schema, { io: 'input' })
    expect(differences(read as Shape, written as Shape, '')).toEqual([])
  })
})

describe('a real API', () => {
  it('answers what was asked for, in bigint', async () => {
    const quoted = await braid.quote({
      ...order,
      ...{ includeGas: true, includeGraph: true, includeRoutes: true, includeMeta: true },
    })
    const out = quoted.graph
      .filter(({ to }) => to === USDC)
      .reduce((sum, hop) => sum + hop.amountOut, 0n)
    expect(out).toBe(quoted.dstAmount)
    expect(quoted.gas).toBeGreaterThan(100_000n)
    expect(quoted.routes.length).toBeGreaterThan(1)
    expect(quoted.served).toMatchObject({
      ...{ blockNumber: quoted.meta.blockNumber, quoteId: quoted.meta.quoteId },
    })
  })

  it('hands out the market that the quote is computed from', async () => {
    const { block, pools } = await braid.snapshot()
    expect([block.number, pools.length]).toEqual([123n, 8])
  })

  it('says no with its own code, its faults and the request id', async () => {
    const wrong = braid.quote({ ...order, amount: 0n, dst: '0x12' })
    await expect(wrong).rejects.toMatchObject({
      ...{ name: 'RefusedError', status: 400, retryable: false },
      requestId: expect.stringMatching(/^\w{26}$/),
    })
    const issues = await wrong.catch((error) => error.issues)
    expect(issues.map((issue: { path: string }) => issue.path).sort()).toEqual(['amount', 'dst'])
    const stranger = createBraid({ url: world.api.url, apiKey: 'nonsense' })
    await expect(stranger.quote(order)).rejects.toMatchObject({ code: 'API_KEY_INVALID' })
  })
})

describe('verifySwap', () => {
  const request = { ...order, slippage: '0.5' } as const

  it('accepts what the API built, and tells what it does', async () => {
    const swapped = await braid.swap(request)
    const { call, hops } = verifySwap(swapped, request, { router: TEST_ROUTER })
    expect(call).toMatchObject({ tokenIn: NATIVE, tokenOut: USDC, amountIn: order.amount })
    expect(hops.length).toBeGreaterThan(1)
  })

  it.each<readonly [string, Partial<SwapRequest>]>([
    ['minAmountOut', { slippage: 0.4999 }],
    ['tokenIn', { src: WHYPE }],
    ['tokenOut', { dst: WHYPE }],
    ['amountIn', { amount: order.amount - 1n }],
    ['receiver', { receiver: WALLET }],
    ['from', { from: WALLET }],
    ['slippage', { slippage: '51' }],
  ])('finds that another %s was asked', async (name, other) => {
    const swapped = await braid.swap(request)
    const verify = () => verifySwap(swapped, { ...request, ...other }, { router: TEST_ROUTER })
    expect(verify).toThrow(new RegExp(`not what was asked: .*\\b${name}\\b`))
  })

  it('finds another router, another value and a late deadline', async () => {
    const swapped = await braid.swap(request)
    const { tx } = swapped
    const router = TEST_ROUTER
    expect(() => verifySwap(swapped, request, { router: WALLET })).toThrow(/asked: to$/)
    const poorer = { ...swapped, tx: { ...tx, value: tx.value - 1n } }
    expect(() => verifySwap(poorer, request, { router })).toThrow(/asked: value$/)
    const latestDeadline = 1_790_000_000n
    expect(() => verifySwap(swapped, request, { router, latestDeadline })).toThrow(/: deadline$/)
  })
})

type Keys<Request> = { readonly [K in keyof Required<Request>]: number }

type Parameter = { readonly name: string; readonly in: string }
const isInQuery = (parameter: Parameter) => parameter.in === 'query'
const nameOf = ({ name }: Parameter) => name

type Shape = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly additionalProperties?: Shape | boolean
}

/**
 * Where what is read is not what is written: a field that either does not know, a field that is
 * needed but may be absent, another type. A loose object may carry more than it names.
 */
function differences(read: Shape, written: Shape, at: string): readonly string[] {
  const kinds = ({ type, anyOf = [] }: Shape) => [type, ...anyOf.map((one) => one.type)].join('|')
  if (kinds(read) !== kinds(written)) return [`${at}: reads ${kinds(read)} of ${kinds(written)}`]
  if (read.items) return differences(read.items, written.items ?? {}, `${at}[]`)
  const [mine, theirs] = [read.properties ?? {}, written.properties ?? {}]
  const isLoose = written.additionalProperties !== false
  const unknown = Object.keys(theirs).filter((name) => !(name in mine))
  const absent = isLoose ? [] : Object.keys(mine).filter((name) => !(name in theirs))
  const needed = (read.required ?? []).filter((name) => !written.required?.includes(name))
  const values = [read.additionalProperties, written.additionalProperties]
  const [each, every] = values.map((value) => (typeof value === 'object' ? value : {}))
  return [
    ...unknown.map((name) => `${at}.${name}: not known`),
    ...absent.map((name) => `${at}.${name}: never written`),
    ...needed.map((name) => `${at}.${name}: may be absent`),
    ...Object.keys(theirs).flatMap((name) =>
      name in mine ? differences(mine[name]!, theirs[name]!, `${at}.${name}`) : [],
    ),
    ...(at.endsWith('{}') ? [] : differences(each!, every!, `${at}{}`)),
  ]
}
