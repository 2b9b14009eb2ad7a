// @vitest-environment happy-dom
import { NATIVE } from '@braid-swap/core'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it } from 'vitest'
import type { PageConfig } from '../pageConfig.js'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { useDraft } from './useDraft.js'

afterEach(() => history.replaceState(null, '', '/'))

it('the draft is the page’s address, and a link that is followed changes it', async () => {
  const config = { usdTokens: [name(2)], wrappedNative: name(5) } as unknown as PageConfig
  history.replaceState(null, '', '/?embed=1#amount=3&slippage=1')
  let [draft, change]: ReturnType<typeof useDraft> = [undefined as never, () => {}]
  const Shown = () => {
    ;[draft, change] = useDraft(config)
    return null
  }
  const on = await shown(h(Shown, {}))
  const first = { src: NATIVE, dst: name(2), amount: '3', slippage: '1' }
  expect(draft).toEqual(first)
  await act(async () => change({ ...first, amount: '4' }))
  expect(draft.amount).toBe('4')
  expect([location.search, location.hash]).toEqual([
    ...['?embed=1', `#src=${NATIVE}&dst=${name(2)}&amount=4&slippage=1`],
  ])
  const follow = (hash: string) =>
    act(async () => {
      history.replaceState(null, '', hash)
      dispatchEvent(new Event('hashchange'))
    })
  await follow('#amount=5&slippage=1')
  expect(draft).toEqual({ ...first, amount: '5' })
  await on.draw(null)
  await follow('#amount=6')
  expect(draft.amount).toBe('5')
})
