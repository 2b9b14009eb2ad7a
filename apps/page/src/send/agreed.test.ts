import { NATIVE } from '@braid-swap/core'
import { expect, it } from 'vitest'
import { hop, name } from '../testing/routes.js'
import { agreedOf } from './agreed.js'

const [src, dst] = [name(0), name(1)]
const quote = { dstAmount: 1_000n, graph: [hop(0, 1, 1n)] }

it('an amount to pay is sold as it is, and the slippage lowers the floor', () => {
  const order = { src, dst, amount: 500n }
  expect(agreedOf(order, quote, '1')).toEqual({ sale: order, floor: 990n })
})

it('an amount to receive is the floor, and the slippage raises what is sold', () => {
  const order = { src, dst, dstAmountExact: 1_000n }
  const sold = (srcAmount: bigint, slippage: string) =>
    agreedOf(order, { ...quote, srcAmount }, slippage)
  expect(sold(500n, '1')).toEqual({ sale: { src, dst, amount: 505n }, floor: 1_000n })
  expect(sold(501n, '0.5')?.sale.amount).toBe(504n)
  expect(sold(501n, '0')?.sale.amount).toBe(501n)
  expect(sold(501n, '51')).toBeUndefined()
  expect(agreedOf(order, quote, '1')).toBeUndefined()
})

it('a bare wrap sells exactly the amount to receive', () => {
  const order = { src: NATIVE, dst, dstAmountExact: 1_000n }
  const wrap = { ...hop(0, 1, 1n), from: NATIVE }
  const agreed = agreedOf(order, { dstAmount: 1_000n, srcAmount: 1_000n, graph: [wrap] }, '3')
  expect(agreed?.sale.amount).toBe(1_000n)
})
