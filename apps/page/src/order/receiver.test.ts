import { type Address, NATIVE } from '@braid-swap/core'
import { expect, it } from 'vitest'
import { chain } from '../testing/chain.js'
import { readReceiver } from './receiver.js'

const [payer, other]: Address[] = [`0x${'1a'.repeat(20)}`, `0x${'2b'.repeat(20)}`]
const [router, wrappedNative]: Address[] = [`0x${'3c'.repeat(20)}`, `0x${'55'.repeat(20)}`]
const dst: Address = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const read = (text: string) =>
  readReceiver(text, {
    src: NATIVE,
    dst,
    payer,
    config: { chain, router: router!, wrappedNative: wrappedNative! },
  })

it('no text and the payer’s own address are the payer', () => {
  expect(read(' ')).toEqual({ is: 'own' })
  expect(read(payer!)).toEqual({ is: 'own' })
})

it('another address is named before anything is sent', () => {
  expect(read(` ${other} `)).toMatchObject({
    ...{ is: 'other', address: other },
    caution: { isGrave: false, text: expect.stringContaining('0x2b2b') },
  })
})

it.each([
  ['a name', 'alice.hl', /not an address/],
  ['a digit too few', `0x${'2b'.repeat(19)}2`, /not an address/],
  ['a wrong checksum', '0xB88339CB7199b77E23DB6E890353E22632Ba630F', /checksum/],
  ['the token out', dst, /token out/],
  ['the router', router!, /router/],
  ['the native placeholder', NATIVE, /placeholder/],
  ['a system address of HyperCore', `0x${'22'.repeat(20)}`, /HyperCore/],
])('%s is refused', (_, text, why) => {
  expect(read(text)).toEqual({ is: 'wrong', why: expect.stringMatching(why) })
})

it('a burn address needs a confirmation', () => {
  expect(read('0x000000000000000000000000000000000000dEaD')).toMatchObject({
    caution: { isGrave: true },
  })
})
