import { type Address, NATIVE } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import type { PageToken } from '../format.js'
import type { PageConfig } from '../pageConfig.js'
import { chain } from '../testing/chain.js'
import { defaultDst, draftHash, isSameOrder, orderOf, readDraft, saleAt } from './order.js'

const usdc: Address = `0x${'b8'.repeat(20)}`
const config: PageConfig = {
  ...{ chainId: 999, router: `0x${'1'.repeat(40)}`, wrappedNative: `0x${'5'.repeat(40)}` },
  ...{ usdTokens: [usdc], demo: null, apiKey: null, isKeyless: false, chain, executors: [] },
}
const token = (address: Address, symbol: string, decimals: number): [Address, PageToken] => [
  address,
  { address, symbol, name: symbol, decimals, verified: true, sellPriceUsd: null },
]
const tokens = new Map([token(NATIVE, 'HYPE', 18), token(usdc, 'USDC', 6)])

describe('a draft', () => {
  it('is the same after a round trip through the page address', () => {
    const draft = { src: usdc, dst: NATIVE, amount: '1000.5', slippage: '1' }
    expect(readDraft(draftHash(draft), config)).toEqual(draft)
  })

  it('never takes a receiver from a link, but asks', () => {
    const receiver = `0x${'ab'.repeat(20)}`
    const draft = { src: NATIVE, dst: usdc, amount: '1', slippage: '1' }
    const read = readDraft(draftHash({ ...draft, receiver }), config)
    expect(read).toEqual({ ...draft, linkReceiver: receiver })
    // It stays a question after other changes, until it is answered.
    expect(draftHash({ ...read, amount: '2' })).toContain(receiver)
  })

  it('keeps which of the two amounts was typed', () => {
    const draft = { src: NATIVE, dst: usdc, amount: '40', side: 'receive', slippage: '1' } as const
    expect(draftHash(draft)).toContain('receive=40')
    expect(readDraft(draftHash(draft), config)).toEqual(draft)
    expect(orderOf(draft, tokens)).toEqual({
      order: { src: NATIVE, dst: usdc, dstAmountExact: 40_000_000n },
    })
    expect(orderOf({ ...draft, amount: '0.0000001' }, tokens)).toEqual({
      why: 'USDC has 6 decimals; this amount has more',
    })
  })

  it.each([
    ['src=javascript:alert(1)', 'src'],
    [`src=${usdc.slice(0, 30)}`, 'src'],
    ['src=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'src'],
    ['dst=', 'dst'],
    ['receiver=', 'receiver'],
    ['slippage=0,5', 'slippage'],
    ['amp;dst=0x12', 'amp;dst'],
    ['amount=1&amount=2', 'amount'],
    ['amount=1&receive=2', 'receive'],
    ['srcAmount=5', 'srcAmount'],
    ['amount', 'amount'],
  ])('names the part of “%s” that it does not understand', (link, part) => {
    const { linkFaults = [] } = readDraft(`#${link}`, config)
    expect(linkFaults).toHaveLength(1)
    expect(linkFaults[0]).toContain(part)
  })

  it('says how often a part stands in a link', () => {
    const { linkFaults } = readDraft('#amount=1&amount=2&amount=3', config)
    expect(linkFaults).toEqual(['“amount” stands there 3 times.'])
  })

  it('reads its own links, any part of them, and checksums', () => {
    const src = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    for (const link of ['', '#', `#dst=${usdc}`, '#slippage=auto&receive=1', `#src=${src}`]) {
      expect(readDraft(link, config).linkFaults).toBeUndefined()
    }
    expect(readDraft(`#src=${src}`, config).src).toBe(src.toLowerCase())
  })
})

it('the default pair is one of the market', () => {
  const other: Address = `0x${'cc'.repeat(20)}`
  expect(defaultDst(NATIVE, tokens, config)).toBe(usdc)
  expect(defaultDst(usdc, tokens, config)).toBe(NATIVE)
  const market = new Map([token(NATIVE, 'HYPE', 18), token(other, 'OTHER', 6)])
  expect(defaultDst(NATIVE, market, config)).toBe(other)
  expect(defaultDst(NATIVE, new Map(), config)).toBeUndefined()
})

describe('the slippage of a link', () => {
  it.each([
    ['0', '0'],
    ['0.7', '0.7'],
    ['1', '1'],
    ['1e-1', '0.1'],
    ['auto', 'auto'],
  ])('of %s percent is taken', (slippage, taken) => {
    expect(readDraft(`#slippage=${slippage}`, config)).toMatchObject({ slippage: taken })
  })

  it.each(['1.01', '3', '50', '0.5e2'])('of %s percent is not applied but reported', (slippage) => {
    const draft = readDraft(`#slippage=${slippage}`, config)
    expect(draft.slippage).toBe('0.5')
    expect(Number(draft.linkSlippage)).toBe(Number(slippage))
    // The page address contains the link's slippage only after the visitor has accepted it.
    expect(draftHash(draft)).toContain('slippage=0.5')
  })

  it.each(['', '51', '-1', 'x', '1,5', 'Infinity'])('of "%s" is named', (slippage) => {
    const { src, dst, amount } = readDraft('', config)
    expect(readDraft(`#slippage=${slippage}`, config)).toEqual({
      ...{ src, dst, amount, slippage: '0.5' },
      linkFaults: [expect.stringContaining('slippage')],
    })
  })
})

describe('an order', () => {
  const draft = readDraft('', config)
  it.each([
    ['2500', 2_500n * 10n ** 18n],
    ['.5', 5n * 10n ** 17n],
    ['3.', 3n * 10n ** 18n],
  ])('of %s', (amount, wei) => {
    expect(orderOf({ ...draft, amount }, tokens)).toEqual({
      order: { src: NATIVE, dst: usdc, amount: wei },
    })
  })

  it.each([
    ['1,000.5', '1000.5'],
    ['1.000,5', '1000.5'],
    ['0,5', '0.5'],
  ])('of %s reports how it was read', (amount, readAs) => {
    const wei = BigInt(Number(readAs) * 10) * 10n ** 17n
    expect(orderOf({ ...draft, amount }, tokens)).toEqual({
      ...{ order: { src: NATIVE, dst: usdc, amount: wei }, readAs },
    })
  })

  it('offers no amount with more decimals than the token has', () => {
    const reading = orderOf({ ...draft, src: usdc, dst: NATIVE, amount: '1,5000001' }, tokens)
    expect(reading).toMatchObject({ values: ['15000001'] })
  })

  it.each(['', '.', '0', '0.0', '-1', '1e3', 'x', `0.${'0'.repeat(18)}1`])(
    'is not made from "%s", and the page says why',
    (amount) => {
      expect(orderOf({ ...draft, amount }, tokens)).toHaveProperty('why')
    },
  )
})

it('an order to receive sells what its quote needs', () => {
  const bought = { src: NATIVE, dst: usdc, dstAmountExact: 7n }
  const sold = { src: NATIVE, dst: usdc, amount: 7n }
  expect(isSameOrder(bought, sold)).toBe(false)
  expect(saleAt(sold, {})).toEqual(sold)
  expect(saleAt(bought, { srcAmount: 9n })).toEqual({ ...sold, amount: 9n })
  expect(saleAt(bought, {})).toBeUndefined()
})

it('a chosen tip is part of what is quoted and sent, and no link sets it', () => {
  const draft = { src: NATIVE, dst: usdc, amount: '1', slippage: '1', tip: 5n }
  const order = { src: NATIVE, dst: usdc, amount: 10n ** 18n, maxPriorityFeePerGas: 5n }
  expect(orderOf(draft, tokens)).toEqual({ order })
  expect(isSameOrder(order, { ...order, maxPriorityFeePerGas: 6n })).toBe(false)
  expect(saleAt(order, {})).not.toHaveProperty('maxPriorityFeePerGas')
  expect(draftHash(draft)).not.toContain('tip')
  expect(readDraft('#tip=5', config).linkFaults).toHaveLength(1)
})
