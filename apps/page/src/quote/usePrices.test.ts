// @vitest-environment happy-dom
// The price of a token, and what a missing one does.

import { type Braid, UnreachableError } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { h } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Prices } from '../order/valuation.js'
import { name } from '../testing/routes.js'
import { pass, shown } from '../testing/shown.js'
import { usePrices } from './usePrices.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

type Price = { readonly buyPriceUsd: number | null; readonly sellPriceUsd: number | null }

async function pricesOf(wanted: readonly Address[], answer: (token: Address) => Price) {
  const asked: Address[] = []
  const token = async (address: Address) => {
    asked.push(address)
    return answer(address)
  }
  let prices: Prices = new Map()
  const Shown = () => {
    prices = usePrices({ token } as unknown as Braid, wanted)
    return null
  }
  await shown(h(Shown, {}))
  await pass(0)
  return { asked, prices: () => [...prices] }
}

it('is the mean of the two prices, or the one that is known', async () => {
  const answers = new Map<Address, Price>([
    [name(1), { buyPriceUsd: 2, sellPriceUsd: 1 }],
    [name(2), { buyPriceUsd: null, sellPriceUsd: 5 }],
    [name(3), { buyPriceUsd: null, sellPriceUsd: null }],
  ])
  const wanted = [name(4), name(3), name(2), name(1), name(2)]
  const on = await pricesOf(wanted, (token) => {
    const answer = answers.get(token)
    if (!answer) throw new Error('no token')
    return answer
  })
  expect(on.asked).toEqual([1, 2, 3, 4].map(name))
  expect(on.prices()).toEqual([
    [name(1), 1.5],
    [name(2), 5],
  ])
})

it('is read every 15 seconds, and stays while the API is gone', async () => {
  let price: number | undefined = 1
  const on = await pricesOf([name(1)], () => {
    if (price === undefined) throw new UnreachableError('gone', {})
    return { buyPriceUsd: price, sellPriceUsd: price }
  })
  price = 2
  await pass(14_999)
  expect(on.prices()).toEqual([[name(1), 1]])
  await pass(1)
  expect(on.prices()).toEqual([[name(1), 2]])
  price = undefined
  await pass(15_000)
  expect([on.prices(), on.asked.length]).toEqual([[[name(1), 2]], 3])
})
