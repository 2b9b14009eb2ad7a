// What `meta` says of a quote: core's findings, with the names that the node gives.

import type { TokenText } from '@braid-swap/chain'
import type { PaidFee } from '@braid-swap/core'
import { type Finding, judge } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import type { QuoteAnswer } from '../quoting/quoting.js'
import { findingsOf } from './meta.js'

const [HYPE, USDC, PURR] = [
  `0x${'1'.repeat(40)}`,
  `0x${'2'.repeat(40)}`,
  `0x${'3'.repeat(40)}`,
] as const
const texts = new Map<string, TokenText>([
  [HYPE, { address: HYPE, symbol: 'HYPE', name: '', decimals: 18 }],
  [USDC, { address: USDC, symbol: 'USDC', name: '', decimals: 6 }],
  [PURR, { address: PURR, symbol: 'PURR', name: '', decimals: 5 }],
])
const order = { tokenIn: HYPE, tokenOut: USDC, amountIn: 10n ** 20n }
const answer = {
  mode: 'exact',
  amountOut: 4_000_000_000n,
  gas: 1n,
  isSampled: false,
} as QuoteAnswer
const hop = { pool: { tokens: [HYPE, PURR] }, direction: { in: 0, out: 1 } }
const fee: PaidFee = { of: 'tokenOut', ppm: 9_000, recipient: PURR, amount: 36_000_000n }
type Quoted = Parameters<typeof findingsOf>[2]
const calm: Quoted = { answer, order, impactBps: 3 }

const rows: readonly (readonly [Finding['code'], Partial<Quoted>, number])[] = [
  ['PRICE_IMPACT_HIGH', { impactBps: 9_821, spotDstAmount: '8000000000' }, 1],
  ['PRICE_IMPACT_UNKNOWN', { impactBps: null }, 1],
  ['WORTH_LOST', { answer: { ...answer, worthLostBps: 1_500 } }, 1],
  ['GAS_ABOVE_OUTPUT', { gasCostInDst: '5000000000' }, 1],
  ['TOKEN_UNTRUSTED', { answer: { ...answer, route: [hop] as never } }, 1],
  ['STATE_OLD', {}, 70_000],
  ['AMOUNT_ROUNDED', { order: { ...order, amountIn: 2n } }, 1],
  ['FEE_HIGH', { answer: { ...answer, fee } }, 1],
]

describe.each(rows)('%s', (code, change, ageMs) => {
  const find = (read: () => Promise<ReadonlyMap<string, TokenText>>) =>
    findingsOf(
      { tokens: { read, isKnown: () => true } as never, vouched: () => new Set() },
      { ageMs },
      { ...calm, ...change },
    )

  it('is core’s finding, also where the node gives no names', async () => {
    const found = await find(async () => texts)
    expect(found.map((one) => one.code)).toEqual([code])
    const nameless = await find(() => Promise.reject(new Error('down')))
    const figures = ({ message: _, ...rest }: Finding) => rest
    expect(nameless.map(figures)).toEqual(found.map(figures))
    for (const { message } of [...found, ...nameless]) expect(message).not.toMatch(/\d{7,}|--/)
  })
})

it('an everyday quote has no finding, and asks for no name', async () => {
  const read = () => Promise.reject(new Error('asked'))
  const need = { tokens: { read, isKnown: () => true } as never, vouched: () => new Set<never>() }
  expect(await findingsOf(need, { ageMs: 1 }, calm)).toEqual([])
  expect(judge(order, { amountOut: 1n, impactBps: 3 }, {})).toMatchObject([
    { code: 'AMOUNT_ROUNDED' },
  ])
})
