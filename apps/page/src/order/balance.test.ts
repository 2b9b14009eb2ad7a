// @vitest-environment happy-dom
// Which amounts the buttons beside the balance set.

import { NATIVE } from '@braid-swap/core'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { expect, it } from 'vitest'
import { shown } from '../testing/shown.js'
import { Balance } from './balance.js'
import type { Draft } from './order.js'

type Props = Parameters<typeof Balance>[0]
const draft: Draft = { src: NATIVE, dst: NATIVE, amount: '1', side: 'receive', slippage: '1' }
const { side: _, ...paying } = draft
const token = { address: NATIVE, symbol: 'HYPE', name: 'HYPE', decimals: 18, verified: true }

/** The buttons, and the drafts that they make. */
async function balance(change: Partial<Props>) {
  const drafts: Draft[] = []
  const props: Props = {
    ...{ draft, tokens: new Map([[NATIVE, token]]), balance: 3n * 10n ** 18n, gasPrice: 0n },
    onDraft: (next) => drafts.push(next),
    ...change,
  }
  const on = await shown(h(Balance, props))
  const press = (place: number) =>
    act(async () => on.root.querySelectorAll<HTMLElement>('button')[place]!.click())
  return { ...on, drafts, press }
}

it('half and all of a balance are amounts to pay', async () => {
  const on = await balance({})
  expect([on.text('div'), on.texts('button')]).toEqual(['Balance 3 HYPE HalfMax', ['Half', 'Max']])
  await on.press(0)
  await on.press(1)
  expect(on.drafts).toEqual([
    { ...paying, amount: '1.5' },
    { ...paying, amount: '3' },
  ])
})

it('all of a balance that pays for gas leaves two blocks of it', async () => {
  const on = await balance({ gasPrice: 10n ** 11n })
  await on.press(1)
  expect(on.drafts).toEqual([{ ...paying, amount: '2.4' }])
})

it.each([
  ['the gas is all of it', { gasPrice: 5n * 10n ** 11n }, ['Half']],
  ['the price of gas is unknown', { gasPrice: undefined }, ['Half']],
  ['the balance is unknown', { balance: undefined }, []],
  ['the token is unknown', { tokens: new Map() }, []],
])('offers only what can be sold if %s', async (_, change, buttons) => {
  expect((await balance(change)).texts('button')).toEqual(buttons)
})
