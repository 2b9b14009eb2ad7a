// What is found in a quote, from which measure on, and in which words.

import { describe, expect, it } from 'vitest'
import {
  type FindingCode,
  type JudgedMarket,
  type JudgedQuote,
  judge,
  judgeSlippage,
  LIMITS,
  unaccepted,
} from './judge.js'
import { token } from './testing/arbitraryMarkets.js'

const UNIT = 10n ** 18n
const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 1_250n * UNIT + UNIT / 2n }
const calm: JudgedQuote = { amountOut: 144_768_120_000n, impactBps: 5 }
const words = new Map([
  [token(1), { symbol: 'HYPE', decimals: 18 }],
  [token(2), { symbol: 'USDC', decimals: 6 }],
  [token(3), { symbol: 'PURR', decimals: 5 }],
])
const named: JudgedMarket = { wordsOf: (of) => words.get(of) }
const fee = { of: 'tokenOut', ppm: 10_000, recipient: token(9), amount: 1_500_000n } as const

/** The quote of each code whose measure is given, and the code's sentence. */
const rows: readonly [
  FindingCode,
  (measure: number) => readonly [JudgedQuote, JudgedMarket],
  RegExp,
][] = [
  [
    'PRICE_IMPACT_HIGH',
    (of) => [{ ...calm, impactBps: of, spotAmountOut: 8_091_670_000_000n }, named],
    /^the price impact is \d+\.\d\d %: the order gets 144,768\.12 USDC, and 8,091,670 USDC at the rates before it$/,
  ],
  [
    'WORTH_LOST',
    (of) => [{ ...calm, worthLostBps: of }, named],
    /^the output is worth \d+\.\d\d % less than the input at the prices of the market$/,
  ],
  [
    'GAS_ABOVE_OUTPUT',
    (of) => [{ ...calm, amountOut: 10n ** 9n, gasCost: 10n ** 5n * BigInt(Math.round(of)) }, named],
    /^the gas costs more than the output is worth: 1,000(\.\d+)? USDC against 1,000 USDC$/,
  ],
  [
    'TOKEN_UNTRUSTED',
    (of) => [{ ...calm, untrusted: Array.from({ length: of }, () => token(3)) }, named],
    /^the route passes PURR \(0x0{6}…0{5}3\), whose code nobody vouches for/,
  ],
  ['STATE_OLD', (of) => [calm, { ...named, ageMs: of }], /^the market is \d+ s old$/],
  [
    'FEE_HIGH',
    (of) => [{ ...calm, fee: { ...fee, ppm: of * 100 } }, named],
    /^\d\.\d\d % of the output, 1\.5 USDC, goes to an integrator$/,
  ],
]

describe.each(rows)('%s', (code, of, sentence) => {
  const { warn, ask } = LIMITS[code]
  const isFrom = warn === ask
  const findings = (measure: number) => judge(order, ...of(measure))

  it('is found above its limits, with measure, limit and words', () => {
    const step = isFrom ? 0 : 1
    expect(findings(isFrom ? warn - 1 : warn)).toEqual([])
    const level = isFrom ? 'ask' : 'warn'
    const message = expect.stringMatching(sentence)
    expect(findings(warn + step)).toEqual([
      { code, level, measure: warn + step, limit: warn, message },
    ])
    if (Number.isFinite(ask)) {
      expect(findings(ask + step)).toMatchObject([{ code, level: 'ask', limit: ask }])
    }
  })

  it('has no raw wei in its words, whether tokens have names or not', () => {
    const [quote, { ageMs }] = of(Number.isFinite(ask) ? ask + 1 : warn + 1)
    for (const market of [named, {}]) {
      for (const { message } of judge(order, quote, { ageMs, ...market })) {
        expect(message).not.toMatch(/\d{7,}|\d\.\d{9,}| wei|--/)
      }
    }
  })
})

it('an unknown impact is no small one', () => {
  expect(judge(order, { ...calm, impactBps: null }, named)).toMatchObject([
    { code: 'PRICE_IMPACT_UNKNOWN', level: 'ask', measure: null },
  ])
})

it('no impact is found that rounding explains, but that the amount is so small', () => {
  const dust = { ...order, amountIn: 50n }
  expect(judge(dust, { ...calm, amountOut: 10n ** 9n, impactBps: 150 }, named)).toEqual([
    {
      ...{ code: 'AMOUNT_ROUNDED', level: 'warn', measure: 200, limit: 100 },
      message: 'the amount of HYPE is so small that rounding alone is 2.00 % of it',
    },
  ])
})

it('the caller’s own limit refuses what it is below, and accepts what it is above', () => {
  const quote = { ...calm, impactBps: 9_821 }
  const own = (maxPriceImpactBps: number) => judge(order, quote, named, { maxPriceImpactBps })
  expect(own(100)).toMatchObject([
    { level: 'refuse', limit: 100, message: 'the price impact is 98.21 %; the limit is 1.00 %' },
  ])
  expect(judge(order, { ...calm, impactBps: null }, named, { maxPriceImpactBps: 1 })).toMatchObject(
    [{ code: 'PRICE_IMPACT_UNKNOWN', level: 'refuse' }],
  )
  expect(unaccepted(own(100), { codes: ['PRICE_IMPACT_HIGH'] })).toHaveLength(1)
  expect(unaccepted(own(9_900), { maxPriceImpactBps: 9_900 })).toEqual([])
  expect(unaccepted(own(9_900))).toHaveLength(1)
  expect(unaccepted(own(9_900), { codes: ['PRICE_IMPACT_HIGH'] })).toEqual([])
  expect(unaccepted(judge(order, { ...calm, impactBps: 200 }, named))).toEqual([])
})

it('a loss is said once', () => {
  const both = judge(order, { ...calm, impactBps: 9_800, worthLostBps: 9_810 }, named)
  expect(both.map(({ code }) => code)).toEqual(['PRICE_IMPACT_HIGH'])
  const hidden = judge(order, { ...calm, impactBps: 150, worthLostBps: 9_810 }, named)
  expect(hidden.map(({ code }) => code)).toEqual(['PRICE_IMPACT_HIGH', 'WORTH_LOST'])
})

it.each([
  [10_000, [], false],
  [10_100, ['warn'], false],
  [50_100, ['ask'], true],
])('a slippage of %s ppm: %j', (ppm, levels, isPurchase) => {
  const found = judgeSlippage(ppm, isPurchase)
  expect(found.map(({ level }) => level)).toEqual(levels)
  for (const { message } of found) expect(message).toContain(isPurchase ? 'pay' : 'receive')
})
