// @vitest-environment happy-dom
// The theme that is kept, and the block of the last quote.

import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it } from 'vitest'
import type { PageQuote } from './order/usePolling.js'
import type { PageConfig } from './pageConfig.js'
import { chain } from './testing/chain.js'
import { shown } from './testing/shown.js'
import { TopBar } from './topBar.js'
import type { WalletConnection } from './wallet/useWallet.js'

afterEach(() => localStorage.clear())

const bar = (change: Partial<Parameters<typeof TopBar>[0]> = {}) =>
  shown(
    h(TopBar, {
      config: { chainId: 999, chain, demo: null } as PageConfig,
      quote: { meta: { blockNumber: 1_234_567n } } as PageQuote,
      ...{ isStale: false, wallet: {} as WalletConnection, onWallet: () => {}, ...change },
    }),
  )

it('shows the block of the last quote, and whether it is old', async () => {
  const on = await bar()
  expect([on.text('.block'), on.root.querySelector('.stale, .demo')]).toEqual([
    ...['Block 1,234,567', null],
  ])
  const demo = { account: toHex(1, 20) }
  const old = await bar({ isStale: true, config: { chainId: 999, chain, demo } as PageConfig })
  expect(old.texts('.block.stale, .demo')).toEqual(['devnet', 'Block 1,234,567'])
  expect((await bar({ quote: undefined })).root.querySelector('.block')).toBeNull()
})

it('goes through the themes, and keeps the last one', async () => {
  const on = await bar()
  const scheme = () => document.documentElement.style.colorScheme
  const button = () => on.root.querySelector<HTMLElement>('button.round')!
  const press = () => act(async () => button().click())
  expect([button().getAttribute('aria-label'), scheme()]).toEqual([
    ...['Colours: system. Change to light', 'light dark'],
  ])
  await press()
  expect([button().title, scheme()]).toEqual(['Colours: light', 'light'])
  await press()
  expect([button().title, scheme()]).toEqual(['Colours: dark', 'dark'])
  expect((await bar()).root.querySelector<HTMLElement>('button.round')?.title).toBe('Colours: dark')
  await press()
  expect([button().title, scheme()]).toEqual(['Colours: system', 'light dark'])
})
