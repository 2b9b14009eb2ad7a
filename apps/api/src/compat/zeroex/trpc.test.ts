import { NATIVE } from '@braid-swap/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkAnswer } from '../../testing/checkAnswer.js'
import { USDC } from '../../testing/frozenMarket.js'
import { startTestWorld, type TestWorld } from '../../testing/startTestWorld.js'

let world: TestWorld
beforeAll(async () => {
  world = await startTestWorld({ config: { compat: ['0x'] } })
})
afterAll(() => world?.stop())

const TAKER = '0x00000000000000000000000000000000000000aa'
const sale = { chainId: 999, sellToken: NATIVE, buyToken: USDC, sellAmount: '10000000000000000000' }

async function askAt<B>(path: string, headers: Readonly<Record<string, string>> = {}) {
  const given = { apikey: '', '0x-api-key': world.api.key, '0x-version': 'v2', ...headers }
  const { status, body } = await world.api.get<B>(path, given)
  expect(checkAnswer({ path, status, body }, ['0x'])).toEqual([])
  return { status, body }
}

type Enveloped = { readonly result: { readonly data: object } }
type Fault = { readonly code: string; readonly error: { readonly data: object } }

const procedure = (name: string, input: string) =>
  `/trpc/swap/${name}?input=${encodeURIComponent(input)}`

/** Without the id, which every request has of its own. */
const withoutId = ({ zid: _, ...rest }: Record<string, unknown>) => rest

it.each([
  ['swap.allowanceHolder.getPrice', '/swap/allowance-holder/price', sale],
  ['swap.allowanceHolder.getQuote', '/swap/allowance-holder/quote', { ...sale, taker: TAKER }],
  ['sources.getSources', '/sources', { chainId: 999 }],
] as const)('%s has the body of %s in its envelope', async (name, path, query) => {
  const texts = Object.entries(query).map(([key, value]) => [key, `${value}`])
  const plain = await askAt<object>(`${path}?${new URLSearchParams(Object.fromEntries(texts))}`)
  const { status, body } = await askAt<Enveloped>(procedure(name, JSON.stringify(query)))
  expect(status).toBe(200)
  expect(withoutId({ ...body.result.data })).toEqual(withoutId({ ...plain.body }))
})

it.each([
  ['no JSON', '{', 'INVALID_BODY'],
  ['no object', '[]', 'INVALID_BODY'],
  ['null', 'null', 'INVALID_BODY'],
  ['a nested value', JSON.stringify({ ...sale, sellToken: { a: 1 } }), 'INVALID_BODY'],
  // 2^53 + 1 is read as 2^53: another amount.
  ['a rounded number', '{"sellAmount":9007199254740993}', 'INVALID_BODY'],
  ['a missing parameter', JSON.stringify({ chainId: 999 }), 'MISSING_PARAMETER'],
  ['another chain', JSON.stringify({ ...sale, chainId: 1 }), 'CHAIN_NOT_SUPPORTED'],
])('refuses %s in the form of tRPC', async (_, input, code) => {
  const name = 'swap.allowanceHolder.getPrice'
  const { status, body } = await askAt<Fault>(procedure(name, input))
  expect(body.code).toBe(code)
  const [tag, number] = status === 404 ? ['NOT_FOUND', -32_004] : ['BAD_REQUEST', -32_600]
  const data = { code: tag, httpStatus: status, path: name }
  expect(body.error).toEqual({ message: expect.any(String), code: number, data })
})

it('refuses a wrong key in the form of tRPC', async () => {
  const path = procedure('sources.getSources', '{"chainId":999}')
  const { status, body } = await askAt<Fault>(path, { '0x-api-key': 'nobody' })
  expect([status, body.code]).toEqual([401, 'API_KEY_INVALID'])
  expect(body.error.data).toMatchObject({ code: 'UNAUTHORIZED', httpStatus: 401 })
})
