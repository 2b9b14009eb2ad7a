import { buildGraph } from '@braid-swap/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkAnswer } from '../testing/checkAnswer.js'
import { frozenSnapshot, ISLAND, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { useFrozenApi } from '../testing/useFrozenApi.js'
import type { QuotesBody } from '../wire/quotesBody.js'
import type { ErrorBody, QuoteBody } from '../wire/responses.js'

const api = useFrozenApi()

const pathOf = (endpoint: string, params: Readonly<Record<string, string>>) =>
  `/swap/v1/999/${endpoint}?${new URLSearchParams({ src: WHYPE, dst: USDC, ...params })}`
const quotes = async (amounts: string, params: Readonly<Record<string, string>> = {}) => {
  const path = pathOf('quotes', { amounts, ...params })
  const answer = await api.get<QuotesBody>(path)
  expect(checkAnswer({ path, ...answer })).toEqual([])
  return answer
}

it('answers each amount as /quote does, or with its code', async () => {
  const amount = fc.oneof(fc.bigInt(1n, 10n ** 24n), fc.bigInt(1n, (1n << 128n) - 1n))
  const flags = fc.constantFrom('includeGas', 'includeGraph', 'maxHops')
  const asked = fc.tuple(fc.array(amount, { minLength: 1, maxLength: 4 }), flags)
  await fc.assert(
    fc.asyncProperty(asked, async ([amounts, flag]) => {
      const { body } = await quotes(amounts.join(), { [flag]: '1' })
      expect(body.quotes.map((each) => each.amount)).toEqual(amounts.map(String))
      for (const { amount: own, ...entry } of body.quotes) {
        const alone = await api.get<QuoteBody & ErrorBody>(
          pathOf('quote', { amount: own, [flag]: '1' }),
        )
        if ('error' in entry) {
          const { code, message, retryable } = alone.body
          expect([alone.status, entry.error]).toEqual([422, { code, message, retryable }])
        } else {
          expect(entry).toEqual({ ...alone.body, quoteId: alone.headers.get('x-quote-id') })
        }
      }
    }),
    { numRuns: 12 },
  )
})

it('answers all amounts from the state at which the request came, though blocks come meanwhile', async () => {
  const amounts = Array.from({ length: 20 }, (_, n) => `${BigInt(n + 1) * 10n ** 20n}`).join()
  const before = await quotes(amounts)
  const asked = quotes(amounts)
  const pools = frozenSnapshot.pools.filter(({ family }) => family !== 'uniswapV3')
  const block = { ...frozenSnapshot.block, number: 124n }
  const moving = setInterval(() => {
    const graph = buildGraph({ ...frozenSnapshot, block, pools })
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
  }, 1)
  const during = await asked
  const after = await quotes(amounts)
  clearInterval(moving)
  const numbers = [before, during, after].map(({ headers }) => headers.get('x-block-number'))
  expect(numbers[0]).toBe('123')
  expect([before.body, after.body]).toContainEqual(during.body)
  expect(after.body).not.toEqual(before.body)
})

it('costs as many requests as it has amounts, and almost nothing if nothing changed', async () => {
  const left = ({ headers }: { readonly headers: Headers }) =>
    Number(headers.get('ratelimit-remaining'))
  const one = await quotes('1000000000000000000')
  const seven = await quotes(Array(7).fill('1000000000000000000').join())
  expect(left(one) - left(seven)).toBe(7)
  const etag = seven.headers.get('etag')!
  const path = pathOf('quotes', { amounts: Array(7).fill('1000000000000000000').join() })
  const same = await api.get(path, { 'if-none-match': etag })
  expect([same.status, left(seven) - left(same)]).toEqual([304, 1])
})

it.each([
  ['', 'INVALID_AMOUNT'],
  ['1,', 'INVALID_AMOUNT'],
  ['1, 2', 'INVALID_AMOUNT'],
  ['5,0', 'AMOUNT_ZERO'],
  [`1,${1n << 128n}`, 'AMOUNT_OUT_OF_RANGE'],
  [Array(21).fill('1').join(), 'INVALID_AMOUNT'],
])('refuses the list "%s" as a whole: %s', async (amounts, code) => {
  const { status, body } = await api.get<ErrorBody>(pathOf('quotes', { amounts }))
  expect([status, body.code, body.issues[0]?.path]).toEqual([400, code, 'amounts'])
})

it('says what is wrong with the whole request once, and names the pair once', async () => {
  const amounts = `${10n ** 18n},${10n ** 19n}`
  const none = await api.get<ErrorBody>(pathOf('quotes', {}))
  expect([none.status, none.body.code]).toEqual([400, 'MISSING_PARAMETER'])
  const astray = await api.get<ErrorBody>(pathOf('quote', { amounts }))
  expect([astray.status, astray.body.message]).toEqual([400, expect.stringContaining('/quotes')])
  const sushi = await api.get<ErrorBody>(pathOf('quotes', { amounts, includeProtocols: 'sushi' }))
  expect([sushi.status, sushi.body.code]).toEqual([400, 'INVALID_ENUM'])
  const island = await quotes(amounts, { dst: ISLAND })
  const codes = island.body.quotes.map((each) => 'error' in each && each.error.code)
  expect(codes).toEqual(['NO_ROUTE', 'NO_ROUTE'])
  api.setState(null)
  expect((await api.get(pathOf('quotes', { amounts }))).status).toBe(503)
})
