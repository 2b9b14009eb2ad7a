import { NATIVE, quote } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { frozenGraph, PURR, UBTC, USDC, WHYPE } from '../testing/frozenMarket.js'
import { checkGraph, checkRoutes } from '../testing/index.js'
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import { type ErrorBody, type QuoteBody, quoteSchema } from '../wire/responses.js'

const HYPE = 10n ** 18n
const path = (params: Readonly<Record<string, string>>) =>
  `/swap/v1/999/quote?${new URLSearchParams(params)}`
const order = { src: WHYPE, dst: USDC, amount: `${10n * HYPE}` } as const

const world = useTestWorld()

const get = (
  params: Readonly<Record<string, string>>,
  headers?: Readonly<Record<string, string>>,
) => world.api.get<QuoteBody>(path(params), headers)
const refused = async (params: Readonly<Record<string, string>>) =>
  world.api.get<ErrorBody>(path(params))

describe('interface 4.1, parameters', () => {
  it.each(['src', 'dst', 'amount'])('%s is required', async (name) => {
    const { [name]: _, ...rest } = order as Record<string, string>
    const { status, body } = await refused(rest)
    expect(status).toBe(400)
    expect(body.code).toBe('MISSING_PARAMETER')
    expect(body.issues).toMatchObject([{ in: 'query', path: name, code: 'MISSING_PARAMETER' }])
  })

  it('dstAmount is what core quotes, in the smallest unit, as a decimal string', async () => {
    const { amountOut } = quote(frozenGraph, {
      tokenIn: WHYPE,
      tokenOut: USDC,
      amountIn: 10n * HYPE,
    })
    const { status, body } = await get(order)
    expect(status).toBe(200)
    expect(body.dstAmount).toBe(`${amountOut}`)
  })

  it('rule: with no include flag the body is only dstAmount', async () => {
    expect(Object.keys((await get(order)).body)).toEqual(['dstAmount'])
  })

  it.each([
    ['includeTokensInfo', ['srcToken', 'dstToken']],
    ['includeGas', ['gas']],
    ['includeRoutes', ['routes']],
    ['includeGraph', ['graph']],
    ['includeMeta', ['meta']],
  ])('%s defaults to false and adds only its own fields', async (flag, fields) => {
    const off = await get({ ...order, [flag]: 'false' })
    expect(Object.keys(off.body)).toEqual(['dstAmount'])
    const on = await get({ ...order, [flag]: 'true' })
    expect(Object.keys(on.body).sort()).toEqual(['dstAmount', ...fields].sort())
    expect(on.body.dstAmount).toBe(off.body.dstAmount)
    quoteSchema.parse(on.body)
  })

  it('includeTokensInfo adds address, symbol, name, decimals and logoUri (2.3)', async () => {
    const { body } = await get({ src: NATIVE, dst: USDC, amount: '1', includeTokensInfo: 'true' })
    // One wei of HYPE buys nothing, so another amount:
    expect(body).toMatchObject({ code: 'AMOUNT_TOO_SMALL' })
    const infos = await get({ ...order, src: NATIVE, includeTokensInfo: 'true' })
    expect(infos.body.srcToken).toEqual({
      ...{ address: NATIVE, symbol: 'HYPE', name: 'HYPE', decimals: 18, logoUri: null },
    })
    expect(infos.body.dstToken).toEqual({
      address: '0xb88339CB7199b77E23DB6E890353E22632Ba630f',
      ...{ symbol: 'USDC', name: 'USD Coin', decimals: 6 },
      logoUri: expect.stringMatching(/^https:\/\/.*logo\.png$/),
    })
  })

  it('the native token is allowed as src, and its address in any case', async () => {
    const lower = await get({ ...order, src: NATIVE })
    const mixed = await get({ ...order, src: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' })
    expect(lower.status).toBe(200)
    expect(mixed.body).toEqual(lower.body)
  })

  it('exactQuote takes yes and no; its default is the policy of the chain, yes', async () => {
    const none = await get(order)
    const yes = await get({ ...order, exactQuote: 'yes' })
    const no = await get({ ...order, exactQuote: 'no' })
    expect(none.headers.get('x-quote-mode')).toBe('exact')
    expect(yes.headers.get('x-quote-mode')).toBe('exact')
    expect(no.headers.get('x-quote-mode')).toBe('sum')
    expect(none.body).toEqual(yes.body)
    const apart = BigInt(no.body.dstAmount) - BigInt(yes.body.dstAmount)
    expect(apart * apart).toBeLessThanOrEqual(4n)
    const { body } = await refused({ ...order, exactQuote: 'true' })
    expect(body.code).toBe('INVALID_ENUM')
  })

  it('includeRoutes and includeGraph force the exact walk', async () => {
    const { headers } = await get({ ...order, exactQuote: 'no', includeGraph: 'true' })
    expect(headers.get('x-quote-mode')).toBe('exact')
  })

  it.each(['true', 'TRUE', '1'])('a boolean is also %s', async (value) => {
    expect(Object.keys((await get({ ...order, includeGas: value })).body)).toContain('gas')
  })

  it.each(['', 'yes', '2', 'truee'])('a boolean is not "%s"', async (value) => {
    expect((await refused({ ...order, includeGas: value })).body.code).toBe('INVALID_BOOLEAN')
  })
})

describe('routes and graph (2.8)', () => {
  const amounts = [1n, 100n, 3_000n, 40_000n].map((n) => n * HYPE)
  const pairs = [
    [WHYPE, USDC],
    [NATIVE, USDC],
    [NATIVE, UBTC],
    [PURR, NATIVE],
    [USDC, WHYPE],
  ] as const
  const cases = pairs.flatMap(([src, dst]) => amounts.map((amount) => [src, dst, amount] as const))

  it.each(cases)('%s to %s of %s conserves every wei', async (src, dst, wei) => {
    const amount = `${src === USDC ? wei / 10n ** 12n : wei}`
    const params = { src, dst, amount, includeGraph: 'true', includeRoutes: 'true' }
    const { status, body } = await get(params)
    expect(status).toBe(200)
    const { dstAmount, graph = [], routes = [] } = body
    expect(checkGraph({ src, dst, amount, dstAmount, graph })).toEqual([])
    expect(checkRoutes({ src, dst, amount, dstAmount, graph, routes })).toEqual([])
  })

  it('a large order is split over parallel pools', async () => {
    const { body } = await get({ ...order, amount: `${3_000n * HYPE}`, includeRoutes: 'true' })
    expect(body.routes?.length).toBeGreaterThan(1)
  })

  it.each([
    [NATIVE, WHYPE, 'wrap'],
    [WHYPE, NATIVE, 'unwrap'],
  ])('%s to %s is 1:1, one %s entry', async (src, dst, poolType) => {
    const { body } = await get({ src, dst, amount: '12345', includeGraph: 'true' })
    expect(body.dstAmount).toBe('12345')
    expect(body.graph).toMatchObject([{ poolType, pool: WHYPE, takesRemainder: true, fee: 0 }])
  })

  it('a native source begins with a wrap, a native destination ends with an unwrap', async () => {
    const out = await get({ src: PURR, dst: NATIVE, amount: `${HYPE}`, includeGraph: 'true' })
    expect(out.body.graph?.at(-1)).toMatchObject({ poolType: 'unwrap', to: NATIVE })
    const into = await get({ src: NATIVE, dst: PURR, amount: `${HYPE}`, includeGraph: 'true' })
    expect(into.body.graph?.[0]).toMatchObject({ poolType: 'wrap', from: NATIVE })
  })
})

describe('what cannot be quoted', () => {
  it('SAME_TOKEN whatever the case', async () => {
    const { status, body } = await refused({
      ...order,
      src: USDC,
      dst: `0x${USDC.slice(2).toUpperCase()}`,
    })
    expect([status, body.code]).toEqual([400, 'SAME_TOKEN'])
  })

  it('TOKEN_NOT_FOUND is a 400 naming the parameter', async () => {
    const { status, body } = await refused({ ...order, dst: `0x${'12'.repeat(20)}` })
    expect([status, body.code]).toEqual([400, 'TOKEN_NOT_FOUND'])
    expect(body.issues).toMatchObject([{ path: 'dst' }])
  })

  it.each(['src', 'dst'] as const)('TOKEN_UNSUPPORTED is a 422 that names %s', async (path) => {
    const address = order[path]
    const flaw = { address, code: 'TOKEN_TAKES_FEE', message: 'it does' } as const
    world.api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS, flawed: [flaw] })
    const { status, body } = await refused({ ...order })
    expect([status, body.code]).toEqual([422, 'TOKEN_UNSUPPORTED'])
    expect(body.issues).toMatchObject([{ path, code: 'TOKEN_TAKES_FEE', message: 'it does' }])
    world.api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
  })

  it.each([
    ['0', 'AMOUNT_ZERO'],
    ['000', 'AMOUNT_ZERO'],
    ['1e18', 'INVALID_AMOUNT'],
    ['-1', 'INVALID_AMOUNT'],
    ['1.5', 'INVALID_AMOUNT'],
    ['', 'INVALID_AMOUNT'],
    ['0x10', 'INVALID_AMOUNT'],
    [`${2n ** 128n}`, 'AMOUNT_OUT_OF_RANGE'],
    [`${2n ** 256n}`, 'AMOUNT_OUT_OF_RANGE'],
    ...[40, 80, 1_000].map((digits) => ['9'.repeat(digits), 'AMOUNT_OUT_OF_RANGE']),
  ])('an amount of "%s" is %s', async (amount, code) => {
    const { status, body } = await refused({ ...order, amount })
    expect([status, body.code]).toEqual([400, code])
  })

  it.each(['0x12', `0x${'g'.repeat(40)}`, USDC.slice(2), `0x${'0'.repeat(40)}`])(
    '%s is INVALID_ADDRESS',
    async (dst) => {
      expect((await refused({ ...order, dst })).body.code).toBe('INVALID_ADDRESS')
    },
  )

  it('the zero address is refused with the native token as a hint', async () => {
    const { body } = await refused({ ...order, src: `0x${'0'.repeat(40)}` })
    expect(body.message).toContain(NATIVE)
  })

  it('issues list all faults, not the first', async () => {
    const { body } = await refused({ src: 'x', dst: 'y', amount: '1e18', includeGas: 'maybe' })
    expect(body.issues.map(({ path }) => path)).toEqual(['src', 'dst', 'amount', 'includeGas'])
    expect(body.issues[2]).toMatchObject({ code: 'NOT_DECIMAL_INTEGER', received: '1e18' })
  })

  it('parameter names are case-sensitive: a wrong case is refused with the right name', async () => {
    const { body } = await refused({ Src: WHYPE, dst: USDC, amount: '1' })
    expect(body.code).toBe('UNKNOWN_PARAMETER')
    expect(body.details).toEqual({ didYouMean: 'src' })
    expect(body.issues.map(({ code }) => code)).toEqual(['UNKNOWN_PARAMETER', 'MISSING_PARAMETER'])
  })

  it('an unknown name is ignored and listed in x-ignored-params', async () => {
    const { status, headers } = await get({ ...order, protocols: 'all' })
    expect(status).toBe(200)
    expect(headers.get('x-ignored-params')).toBe('protocols')
  })
})

describe('a quote is pinned to a state', () => {
  it('headers and meta name the block, the state and the quote', async () => {
    const { headers, body } = await get({ ...order, includeMeta: 'true' })
    expect(headers.get('x-block-number')).toBe('123')
    expect(headers.get('x-block-hash')).toBe(frozenGraph.snapshot.block.hash)
    expect(headers.get('x-state-age-ms')).toBe('0')
    expect(headers.get('x-engine-version')).toMatch(/^\d+\.\d+\.\d+/)
    expect(headers.get('x-quote-id')).toMatch(/^q1_[a-z2-7]{52}$/)
    expect(body.meta).toMatchObject({
      ...{ quoteId: headers.get('x-quote-id'), blockNumber: '123', mode: 'exact', warnings: [] },
    })
    expect(body.meta?.snapshotId).toMatch(/^s1_[a-z2-7]{52}$/)
  })

  it('meta says how close the answer is to the best there can be', async () => {
    const gross = await get({ ...order, includeMeta: 'true', objective: 'gross' })
    const bound = gross.body.meta?.['bound'] as { maxDstAmount: string; gapBps: number }
    expect(BigInt(bound.maxDstAmount)).toBeGreaterThanOrEqual(BigInt(gross.body.dstAmount))
    expect(bound.gapBps).toBeGreaterThanOrEqual(0)
    expect(bound.gapBps).toBeLessThan(10)
    const net = await get({ ...order, includeMeta: 'true' })
    expect(net.body.meta?.['bound']).toHaveProperty('maxNetDstAmount')
  })

  it('the same request has the same id, another amount another', async () => {
    const id = async (params: Readonly<Record<string, string>>) =>
      (await get(params)).headers.get('x-quote-id')
    const first = await id(order)
    expect(await id({ ...order, src: '0x5555555555555555555555555555555555555555' })).toBe(first)
    expect(await id({ ...order, includeGas: 'false', amount: `000${order.amount}` })).toBe(first)
    expect(await id({ ...order, amount: '5' })).not.toBe(first)
  })

  it('If-None-Match answers 304 while the state is the same', async () => {
    const first = await get(order)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"q1_/)
    const again = await get(order, { 'if-none-match': etag })
    expect([again.status, again.body]).toEqual([304, undefined])
    const other = await get({ ...order, amount: '999999999999' }, { 'if-none-match': etag })
    expect(other.status).toBe(200)
  })

  it('a wrong checksum is a warning in meta', async () => {
    const dst = '0xB88339CB7199b77E23DB6E890353E22632Ba630f'
    const { body } = await get({ ...order, dst, includeMeta: 'true' })
    expect(body.meta?.warnings).toMatchObject([{ code: 'CHECKSUM_MISMATCH' }])
  })
})
