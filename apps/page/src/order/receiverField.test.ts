// @vitest-environment happy-dom
// Who gets the output, and that a link never decides it.

import { h } from 'preact'
import { act } from 'preact/test-utils'
import { expect, it } from 'vitest'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import type { Draft } from './order.js'
import { ReceiverField } from './receiverField.js'

const draft: Draft = { src: name(1), dst: name(2), amount: '1', slippage: '1' }
const receiver = name(7)

async function field(of: Draft = draft) {
  const drafts: Draft[] = []
  const props = { reading: { is: 'payer' } as never, onDraft: (next: Draft) => drafts.push(next) }
  const on = await shown(h(ReceiverField, { ...props, draft: of }))
  const button = (words: string) =>
    [...on.root.querySelectorAll('button')].find(({ textContent }) => textContent === words)!
  return {
    ...{ ...on, drafts },
    input: () => on.root.querySelector<HTMLInputElement>('input'),
    press: (words: string) => act(async () => button(words).click()),
    become: (next: Draft, is = 'payer') =>
      on.draw(h(ReceiverField, { ...props, draft: next, reading: { is } as never })),
  }
}

it('is closed until another receiver is wanted, and forgets it when it closes', async () => {
  const on = await field()
  expect(on.input()).toBeNull()
  await on.press('Send to another address')
  await act(async () => {
    on.input()!.value = '0x12'
    on.input()!.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await on.become({ ...draft, receiver: '0x12' }, 'wrong')
  expect([on.input()?.value, on.input()?.getAttribute('aria-invalid')]).toEqual(['0x12', 'true'])
  await on.press('My own account')
  expect([on.drafts, on.input()]).toEqual([[{ ...draft, receiver: '0x12' }, draft], null])
})

it('is open for an order that has one', async () => {
  const on = await field({ ...draft, receiver })
  expect([on.input()?.value, on.input()?.getAttribute('aria-invalid')]).toEqual([receiver, 'false'])
})

it('a receiver of a link is a question', async () => {
  const on = await field({ ...draft, linkReceiver: receiver })
  expect([on.text('[role=status] code'), on.input()]).toEqual([receiver, null])
  await on.press('Send it to 0x000000…000007')
  expect(on.drafts).toEqual([{ ...draft, receiver }])
  expect(on.input()).not.toBeNull()
  await on.press('Send it to me')
  expect([on.drafts[1], on.input()]).toEqual([draft, null])
  expect((await field()).root.querySelector('[role=status]')).toBeNull()
})
