// @vitest-environment happy-dom
// Which tokens the list offers, what it says of each, and how it is left.

import type { Address } from '@braid-swap/core'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it } from 'vitest'
import type { PageToken } from '../format.js'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { TokenPicker } from './tokenPicker.js'

type Props = Parameters<typeof TokenPicker>[0]
const token = (n: number, symbol: string, of: Partial<PageToken> = {}): PageToken => ({
  ...{ address: name(n), symbol, name: `${symbol} coin`, decimals: 6, verified: true, ...of },
})
const all = [
  token(1, 'HYPE', { sellPriceUsd: 40.5 }),
  token(2, 'USDC', { sellPriceUsd: 1 }),
  token(3, 'CAT'),
]
const fake = token(4, 'USDC', { verified: false })
const plain = token(5, 'DOG', { verified: false })

afterEach(() => localStorage.clear())

/** The open list, for a payer who holds 1.5 of the second token. */
async function picker(change: Partial<Props> = {}) {
  const picked: Address[] = []
  const props: Props = {
    ...{ label: 'Token', token: name(1), onPick: (address) => picked.push(address) },
    tokens: new Map([...all, fake, plain].map((one) => [one.address, one])),
    lookUp: async (address) => ({ ...token(9, 'FAR'), address }),
    picks: {
      common: [name(1)],
      balanceOf: async (address) => (address === name(2) ? 1_500_000n : 0n),
    },
    ...change,
  }
  const on = await shown(h(TokenPicker, props))
  const button = () => on.root.querySelector<HTMLElement>('.token-button')!
  const input = () => on.root.querySelector<HTMLInputElement>('search input')!
  await act(async () => button().click())
  return {
    ...{ ...on, picked, button, input },
    entries: () => [...on.root.querySelectorAll<HTMLElement>('search ul button')],
    symbols: () => on.texts('search ul b.cut'),
    open: () => act(async () => button().click()),
    press: (element: HTMLElement) => act(async () => element.click()),
    search: (words: string) =>
      act(async () => {
        input().value = words
        input().dispatchEvent(new Event('input', { bubbles: true }))
      }),
    key: (key: string, at: HTMLElement = input()) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
      return act(async () => void at.dispatchEvent(event)).then(() => event.defaultPrevented)
    },
  }
}

it('what the payer holds stands first, and shows the balance instead of the price', async () => {
  const on = await picker()
  await expect.poll(() => on.symbols()[0]).toBe('USDC')
  expect(on.symbols()).toEqual(['USDC', 'HYPE', 'CAT', 'USDC', 'DOG'])
  expect(on.texts('.token-facts > :first-child')).toEqual(['1.5', '$40.50', '', '', ''])
  expect(on.texts('[data-testid=held]')).toEqual(['1.5'])
  expect(on.texts('.token-facts > :last-child')[0]).toBe('≈ $1.50')
  expect(on.entries().map((one) => one.getAttribute('aria-current'))).toEqual([
    ...[null, 'true', null, null, null],
  ])
})

it('a token that is not verified says so, and whose symbol it has', async () => {
  const on = await picker()
  expect(on.texts('.bad')).toEqual(['Not the verified USDC'])
  expect(on.texts('.warn')).toEqual(['Not verified · DOG coin'])
  expect(on.texts('.token-names .soft')).toEqual(['HYPE coin', 'USDC coin', 'CAT coin'])
})

it.each([
  ['symbol', ' ca ', ['CAT']],
  ['name', 'dog COIN', ['DOG']],
  ['address', name(1).slice(-8), ['HYPE']],
])('finds a token by its %s', async (_, words, symbols) => {
  const on = await picker()
  await on.search(words)
  expect(on.symbols()).toEqual(symbols)
  expect(on.root.querySelector('.none')).toBeNull()
})

it('looks up an address that is none of the market’s', async () => {
  const on = await picker()
  await on.search('nothing')
  expect(on.text('.none')).toBe('No matching token. Paste an address to find any token.')
  await on.search(name(0xfa).toUpperCase().replace('X', 'x'))
  await expect.poll(() => on.symbols()[0]).toBe('FAR')
  await on.press(on.entries()[0]!)
  expect(on.picked).toEqual([name(0xfa)])
})

it('says that an address is looked up, and that it is no token', async () => {
  let fail: (why: Error) => void = () => {}
  const lookUp = () => new Promise<PageToken>((_, refuse) => (fail = refuse))
  const on = await picker({ lookUp })
  await on.search(name(0xfa))
  expect(on.text('.none')).toBe('Looking up this address…')
  await act(async () => fail(new Error('none')))
  await expect.poll(() => on.text('.none')).toBe('No token was found at this address.')
})

it('Enter takes the first token, and nothing else does', async () => {
  const on = await picker()
  await on.search('cat')
  expect(await on.key('a')).toBe(false)
  await on.search('nothing')
  expect([await on.key('Enter'), on.picked]).toEqual([false, []])
  await on.search('cat')
  expect([await on.key('Enter'), on.picked]).toEqual([true, [name(3)]])
  expect(on.root.querySelector('search')).toBeNull()
})

it('arrows move along the list and stop at its ends', async () => {
  const on = await picker({ picks: { common: [], balanceOf: undefined } })
  const at = () => on.entries().indexOf(document.activeElement as HTMLElement)
  const move = async (key: string) => {
    const isTaken = await on.key(key, document.activeElement as HTMLElement)
    return [at(), isTaken]
  }
  on.input().focus()
  expect(await move('Home')).toEqual([-1, false])
  const moves: unknown[] = []
  for (const key of ['Down', 'Down', 'Up', 'Up', 'Down', 'Down', 'Down', 'Down', 'Down']) {
    moves.push(await move(`Arrow${key}`))
  }
  expect(moves).toEqual([0, 1, 0, 0, 1, 2, 3, 4, 4].map((place) => [place, true]))
})

it('a token’s disc has no letter, and two colours that its address decides', async () => {
  const mark = async (of: Address) => {
    const on = await picker({
      token: of,
      tokens: new Map([[of, { ...token(1, 'CAT'), address: of }]]),
    })
    const { style, textContent } = on.button().querySelector<HTMLElement>('.mark')!
    return [textContent, ...['--hue', '--turn'].map((name) => style.getPropertyValue(name))]
  }
  expect(await mark(`0x00012c${'0'.repeat(34)}`)).toEqual(['', '300', '0'])
  expect(await mark(`0x000168000001${'0'.repeat(28)}`)).toEqual(['', '0', '1'])
})
