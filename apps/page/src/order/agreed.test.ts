import { NATIVE } from '@braid-swap/core'
import { expect, it } from 'vitest'
import { hop, name } from '../testing/routes.js'
import { agreedOf } from './agreed.js'
import { AUTO } from './order.js'

const [src, dst] = [name(0), name(1)]
const quote = { dstAmount: 1_000n, graph: [hop(0, 1, 1n)], gas: 10n, meta: { gasPrice: 5n } }
/** 12 gas, at 11 wei after six full blocks: the order is worth less than 50 times that. */
const fee = { most: 132n, isDear: true }

it('an amount to pay is sold as it is, and the slippage lowers the floor', () => {
  const order = { src, dst, amount: 500n }
  expect(agreedOf(order, quote, '1')).toEqual({ sale: order, floor: 990n, slippage: '1', fee })
  expect(agreedOf(order, quote, 'much')).toBeUndefined()
  const wrap = { ...hop(0, 1, 1n), from: NATIVE }
  expect(agreedOf(order, { ...quote, graph: [wrap] }, '1')?.floor).toBe(1_000n)
})

it('an amount to receive is the floor, and the slippage raises what is sold', () => {
  const order = { src, dst, dstAmountExact: 1_000n }
  const sold = (srcAmount: bigint, slippage: string) =>
    agreedOf(order, { ...quote, srcAmount }, slippage)
  const sale = { src, dst, amount: 505n }
  expect(sold(500n, '1')).toEqual({ sale, floor: 1_000n, slippage: '1', fee })
  expect(sold(501n, '0.5')?.sale.amount).toBe(504n)
  expect(sold(501n, '0')?.sale.amount).toBe(501n)
  expect(sold(501n, '51')).toBeUndefined()
  expect(agreedOf(order, quote, '1')).toBeUndefined()
})

it('a bare wrap sells exactly the amount to receive', () => {
  const order = { src: NATIVE, dst, dstAmountExact: 1_000n }
  const wrap = { ...hop(0, 1, 1n), from: NATIVE }
  const agreed = agreedOf(order, { ...quote, srcAmount: 1_000n, graph: [wrap] }, '3')
  expect(agreed?.sale.amount).toBe(1_000n)
})

it('auto is the suggestion of the very quote, and nothing is agreed without one', () => {
  const order = { src, dst, amount: 500n }
  const suggested = { ...quote, dstAmount: 100_000n, meta: { suggestedSlippageBps: 62 } }
  expect(agreedOf(order, suggested, AUTO)).toEqual({
    sale: order,
    floor: 99_380n,
    slippage: '0.62',
    // Neither the price of gas nor its worth is known.
    fee: { most: 1n, isDear: true },
  })
  const bought = { ...suggested, srcAmount: 100_000n }
  expect(agreedOf({ src, dst, dstAmountExact: 100_000n }, bought, AUTO)?.sale.amount).toBe(100_620n)
  expect(agreedOf(order, { ...quote, meta: {} }, AUTO)).toBeUndefined()
  // A choice of the visitor's own is not the API's.
  expect(agreedOf(order, suggested, '1')?.slippage).toBe('1')
})
