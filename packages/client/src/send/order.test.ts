import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { orderKey } from './order.js'

const [from, other] = [toHex(1, 20), toHex(2, 20)]
const order = { src: toHex(3, 20), dst: toHex(4, 20), amount: 5n, slippage: 1 }

it('is the same order with no receiver and with the payer, and another with another receiver', () => {
  const keyOf = (receiver?: typeof from) =>
    orderKey({ ...order, ...(receiver && { receiver }) }, { from })
  expect([keyOf(ZERO_ADDRESS), keyOf(from)]).toEqual([keyOf(), keyOf()])
  expect(keyOf(other)).not.toBe(keyOf())
})
