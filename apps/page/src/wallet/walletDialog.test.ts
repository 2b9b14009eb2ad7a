// @vitest-environment happy-dom
// What the dialog and its button show before and after a wallet is connected.

import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { expect, it } from 'vitest'
import { shown } from '../testing/shown.js'
import type { FoundWallet } from './discovery.js'
import { clientOf, type Provider } from './payer.js'
import type { WalletConnection } from './useWallet.js'
import { WalletButton, WalletDialog } from './walletDialog.js'

const provider = { request: async () => null } as unknown as Provider
const icon = 'data:image/svg+xml,<svg/>'
const [fox, owl]: FoundWallet[] = [
  { info: { name: 'fox', rdns: 'example.fox' }, provider },
  { info: { name: 'Owl', rdns: 'example.owl', icon }, provider },
]
const address = toHex(0xa1, 20)
const client = clientOf(provider)
const connected = { ...{ wallet: fox!, client, address, chainId: 999 }, canBatch: false }

/** A connection, and what it was asked; a wallet connects if it is the fox. */
function connection(change: Partial<WalletConnection> = {}) {
  const done: string[] = []
  const of: WalletConnection = {
    ...{ found: [fox!, owl!], connected: undefined, asked: undefined, error: undefined },
    connect: async (wallet) => done.push(wallet.info.name) > 0 && wallet === fox,
    disconnect: () => done.push('disconnect'),
    switchChain: async () => {},
    ...change,
  }
  return { of, done }
}

async function dialog(change: Partial<WalletConnection> = {}) {
  const { of, done } = connection(change)
  const props = { connection: of, isOpen: true, onClose: () => done.push('close') }
  const on = await shown(h(WalletDialog, props))
  const buttons = (selector = 'button') => [
    ...on.root.querySelectorAll<HTMLButtonElement>(`.picker-body ${selector}`),
  ]
  return {
    ...{ ...on, done, buttons },
    press: (words: string) =>
      act(async () =>
        buttons()
          .find(({ textContent }) => textContent?.includes(words))!
          .click(),
      ),
  }
}

it('lists the wallets, and closes once one has connected', async () => {
  const on = await dialog()
  expect(on.texts('li b')).toEqual(['fox', 'Owl'])
  expect(on.texts('li .soft')).toEqual(['example.fox', 'example.owl'])
  expect(on.text('h2')).toBe('Connect a wallet')
  await on.press('Owl')
  expect(on.done).toEqual(['Owl'])
  await on.press('fox')
  expect(on.done).toEqual(['Owl', 'fox', 'close'])
})

it('while one is asked, none can be chosen', async () => {
  const on = await dialog({ asked: owl })
  expect(on.texts('li .soft')).toEqual(['example.fox', 'Confirm in the wallet…'])
  expect(on.buttons('li button').map(({ disabled }) => disabled)).toEqual([true, true])
  const free = await dialog()
  expect(free.buttons('li button').map(({ disabled }) => disabled)).toEqual([false, false])
})

it('says that there is no wallet, and what went wrong with one', async () => {
  const on = await dialog({ found: [], error: new Error('no') })
  expect(on.text('.none')).toContain('No wallet was found')
  expect(on.root.querySelectorAll('.error')).toHaveLength(1)
  expect((await dialog()).root.querySelectorAll('.error, .none')).toHaveLength(0)
})

it('shows the account of the connected one, and leaves it', async () => {
  const on = await dialog({ connected })
  expect([on.text('h2'), on.text('[data-testid=account]')]).toEqual(['fox', address])
  await on.press('Disconnect')
  expect(on.done).toEqual(['disconnect', 'close'])
})

it('copies the address', async () => {
  const on = await dialog({ connected })
  await on.press('Copy address')
  expect(await navigator.clipboard.readText()).toBe(address)
})

it('the button shows the account, with the icon of its wallet or a letter', async () => {
  let opened = 0
  const button = async (change: Partial<WalletConnection>) => {
    const props = { connection: connection(change).of, onOpen: () => opened++ }
    const on = await shown(h(WalletButton, props))
    const mark = on.root.querySelector<HTMLElement>('.mark')?.dataset['letter']
    return { ...on, words: on.text('button'), mark, icon: on.root.querySelector('img')?.src }
  }
  const free = await button({})
  expect([free.words, free.mark, free.icon]).toEqual(['Connect wallet', undefined, undefined])
  await act(async () => free.root.querySelector('button')!.click())
  expect(opened).toBe(1)
  const short = 'Wallet 0x0000…00a1'
  const byFox = await button({ connected })
  expect([byFox.words, byFox.mark, byFox.icon]).toEqual([short, 'F', undefined])
  const byOwl = await button({ connected: { ...connected, wallet: owl! } })
  expect([byOwl.words, byOwl.mark, byOwl.icon]).toEqual([short, undefined, icon])
})

it('an icon that is no image in itself is not loaded', async () => {
  const wallet = { ...owl!, info: { ...owl!.info, icon: 'https://example.org/owl.svg' } }
  const on = await dialog({ found: [wallet] })
  expect(on.root.querySelector('img')).toBeNull()
})
