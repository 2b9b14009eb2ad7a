import { openApi } from '@braid-swap/api'
import { startTestWorld, type TestWorld, USDC } from '@braid-swap/api/testing'
import {
  type AllowanceRequest,
  type ApprovalRequest,
  answerSchemas,
  type Braid,
  type ComparisonRequest,
  createBraid,
  type QuoteRequest,
  type QuoteStreamRequest,
  type QuotesRequest,
  type SnapshotRequest,
  type SwapRequest,
  type TokensRequest,
} from '@braid-swap/client'
import { readSnapshot } from '@braid-swap/client/snapshot'
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
  it('calls every path that takes a key', async () => {
    await braid.quote(order)
    const stream = braid.quoteStream(order)
    const first = await stream.next()
    const { dstAmount } = await braid.quote(order)
    expect(first.value).toMatchObject({ event: 'quote', quote: { dstAmount, blockNumber: 123n } })
    await stream.return()
    await expect(braid.quoteStream({ ...order, amount: 0n }).next()).rejects.toMatchObject({
      ...{ code: 'AMOUNT_ZERO', status: 400 },
    })
    const { src, dst, amount } = order
    const { quotes } = await braid.quotes({ src, dst, amounts: [amount, 1n] })
    expect(quotes).toMatchObject([{ amount, dstAmount }, { error: { code: 'AMOUNT_TOO_SMALL' } }])
    await braid.swap({ ...order, slippage: 1 })
    await braid.approval({ tokenAddress: USDC })
    await braid.allowance({ tokenAddress: USDC, walletAddress: WALLET })
    await braid.spender()
    await braid.compare(order)
    await braid.liquiditySources()
    await readSnapshot(braid)
    await braid.token(USDC)
    await braid.allTokens()
    const templates = asked.map((path) =>
      path.replace('999', '{chainId}').replace(USDC, '{address}'),
    )
    const isKeyed = (path: string) => document.paths[path].get.security === undefined
    expect(new Set(templates)).toEqual(new Set(Object.keys(document.paths).filter(isKeyed)))
  })

  // The compiler checks the keys against the request types, the test against the document.
  const limits = {
    ...{ includeProtocols: 1, excludeProtocols: 1, maxHops: 1, maxPriceImpact: 1 },
    maxPriorityFeePerGas: 1,
    ...{ excludePools: 1, onlyIntermediates: 1, includeNearest: 1 },
    ...{ feeBps: 1, feeRecipient: 1 },
  }
  const flags = {
    ...limits,
    block: 1,
    includeTokensInfo: 1,
    includeGas: 1,
    includeMeta: 1,
    maxStateAgeMs: 1,
  }
  const base = { src: 1, dst: 1, amount: 1 }
  const either = { ...base, dstAmountExact: 1 }
  const exactQuote = { includeRoutes: 1, includeGraph: 1, exactQuote: 1, objective: 1 }
  const gas = { gasPrice: 1, gasLimit: 1, objective: 1, skipChecks: 1, includeCalls: 1 }
  const quoteKeys = { ...either, ...flags, ...exactQuote } satisfies Keys<QuoteRequest>
  const permits = { permit: 1, permit2: 1, permit2Nonce: 1, deadline: 1, simulate: 1 }
  const wallet = { ...permits, slippage: 1, from: 1, receiver: 1 }
  const swapKeys = { ...either, ...flags, ...wallet, ...gas } satisfies Keys<SwapRequest>
  const approvalKeys = {
    tokenAddress: 1,
    amount: 1,
    walletAddress: 1,
  } satisfies Keys<ApprovalRequest>
  const allowanceKeys = {
    ...{ tokenAddress: 1, walletAddress: 1, includeMeta: 1 },
  } satisfies Keys<AllowanceRequest>
  const compareKeys = { ...base, limit: 1, includeMeta: 1 } satisfies Keys<ComparisonRequest>
  const tokensKeys = { page: 1, limit: 1, verified: 1 } satisfies Keys<TokensRequest>
  const snapshotKeys = {
    ...{ block: 1, snapshotId: 1, maxStateAgeMs: 1 },
  } satisfies Keys<SnapshotRequest>
  const { block: _, maxStateAgeMs: __, includeNearest: ___, ...streamKeys } = quoteKeys
  const { amount: _____, dstAmountExact: ______, includeNearest: ____, ...oneState } = quoteKeys
  const quotesKeys = { ...oneState, amounts: 1 } satisfies Keys<QuotesRequest>
  it.each<readonly [string, object]>([
    [`${swap}/quotes`, quotesKeys],
    [`${swap}/quote`, quoteKeys],
    [`${swap}/quote/stream`, streamKeys satisfies Keys<QuoteStreamRequest>],
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
    [`${swap}/quotes`, answerSchemas.quotes],
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
  it('returns the requested fields, with amounts in bigint', async () => {
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

  it('serves the market that the quote is computed from', async () => {
    const { block, pools } = await readSnapshot(braid)
    expect([block.number, pools.length]).toEqual([123n, 8])
  })

  it('rejects a request with its code, its faults and the request id', async () => {
    const wrong = braid.quote({ ...order, amount: 0n, dst: '0x12' })
    await expect(wrong).rejects.toMatchObject({
      ...{ name: 'RefusedError', status: 400, retryable: false },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const issues = await wrong.catch((error) => error.issues)
    expect(issues.map((issue: { path: string }) => issue.path).sort()).toEqual(['amount', 'dst'])
    const stranger = createBraid({ url: world.api.url, apiKey: 'nonsense' })
    await expect(stranger.quote(order)).rejects.toMatchObject({ code: 'API_KEY_INVALID' })
  })
})

type Keys<Request> = { readonly [K in keyof Required<Request>]: number }

type Parameter = { readonly name: string; readonly in: string }
const isInQuery = (parameter: Parameter) => parameter.in === 'query'
const nameOf = ({ name }: Parameter) => name

type Shape = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly additionalProperties?: Shape | boolean
}

/**
 * The differences between the schema that reads an answer and the schema that writes it: a field that
 * only one of them has, a required field that may be absent, another type. A loose object may have
 * additional fields.
 */
function differences(read: Shape, written: Shape, at: string): readonly string[] {
  // JSON Schema writes "a type or null" as a list of types or as two alternatives; both are equal.
  const kinds = ({ type, anyOf = [] }: Shape) =>
    [type, ...anyOf.map((one) => one.type)].flat().filter(Boolean).sort().join('|')
  if (kinds(read) !== kinds(written)) return [`${at}: reads ${kinds(read)} of ${kinds(written)}`]
  if (read.items) return differences(read.items, written.items ?? {}, `${at}[]`)
  const alternatives = read.anyOf?.flatMap((one, i) =>
    differences(one, written.anyOf?.[i] ?? {}, `${at}|`),
  )
  if (alternatives) return alternatives
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
