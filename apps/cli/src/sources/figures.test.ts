// Each finding of core's judge in a quote on a market of our own, with core's limits. The age of a state is an API's.

import { buildGraph, NATIVE, type Pool, quote } from '@braid-swap/core'
import { LIMITS } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'
import { judgeQuote } from './figures.js'
import { readMarket } from './marketSource.js'

const { snapshot, tokens } = readMarket(frozen[1]!, frozen[3], {})
const graph = buildGraph(snapshot)
const of = (wanted: string) => tokens.find(({ symbol }) => symbol === wanted)!.address
const usdc = of('USDC')
const sale = (amountIn: bigint) => ({ tokenIn: NATIVE, tokenOut: usdc, amountIn })
const sell = (amountIn: bigint, of = graph) => quote(of, sale(amountIn))
const HYPE = 10n ** 18n
const calm = sell(HYPE)

type Pair = Extract<Pool, { readonly family: 'uniswapV2' }>
/** The market with one pair of the order alone, which pays half. */
function halved() {
  const isPair = (pool: Pool) =>
    pool.family === 'uniswapV2' &&
    [snapshot.wrappedNative, usdc].every((token) => pool.tokens.includes(token))
  const pair = snapshot.pools.find(isPair) as Pair
  const [first, second] = pair.reserves
  const halved: Pair = {
    ...pair,
    reserves: pair.tokens[0] === usdc ? [first / 2n, second] : [first, second / 2n],
  }
  const wrap = snapshot.pools.filter(({ family }) => family === 'wrap')
  return buildGraph({ ...snapshot, pools: [...wrap, halved] })
}
/** A route with tokens between its ends, and a list of the user without them. */
const long = quote(graph, { tokenIn: of('UETH'), tokenOut: of('PURR'), amountIn: HYPE / 100n })
const fewer = tokens.map(({ isListed, ...token }) =>
  isListed && ['UETH', 'PURR'].includes(token.symbol) ? { ...token, isListed } : token,
)
const fee = { of: 'tokenOut', ppm: 9_000, recipient: usdc, amount: 36_000n } as const

it.each([
  ['PRICE_IMPACT_HIGH', sell(100_000n * HYPE), tokens],
  ['PRICE_IMPACT_UNKNOWN', { ...calm, route: [] }, tokens],
  ['WORTH_LOST', sell(HYPE / 1_000n, halved()), tokens],
  ['GAS_ABOVE_OUTPUT', { ...calm, gas: 10 ** 12 }, tokens],
  ['TOKEN_UNTRUSTED', long, fewer],
  ['AMOUNT_ROUNDED', { ...calm, order: sale(50n) }, tokens],
  ['FEE_HIGH', { ...calm, fee }, tokens],
] as const)('%s', (code, quoted, names) => {
  expect(judgeQuote(graph, calm, { tokens })).toEqual([])
  const found = judgeQuote(graph, quoted, { tokens: names }).filter((one) => one.code === code)
  expect(found).toHaveLength(1)
  const [{ level, limit, measure, message }] = found as [(typeof found)[0]]
  expect([level, limit]).toEqual(
    level === 'ask' ? ['ask', LIMITS[code].ask] : ['warn', LIMITS[code].warn],
  )
  expect(measure ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(limit)
  expect(message).not.toMatch(/\d{7,}|--/)
})

it('SLIPPAGE_HIGH', async () => {
  const words = ['--in', 'HYPE', '--out', 'USDC', '--amount', '1', '--slippage', '6', '--json']
  const { findings } = JSON.parse((await runCli(['swap', ...frozen, ...words])).out)
  expect(findings).toMatchObject([
    { code: 'SLIPPAGE_HIGH', level: 'ask', measure: 600, limit: LIMITS.SLIPPAGE_HIGH.ask },
  ])
})
