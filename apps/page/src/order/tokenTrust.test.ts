import type { Address } from '@braid-swap/core'
import { expect, it } from 'vitest'
import type { PageToken, Tokens } from '../format.js'
import { findImitated, tokenCautions } from './tokenTrust.js'

const token = (digit: string, symbol: string, verified = false): PageToken => ({
  ...{ address: `0x${digit.repeat(40)}` as Address, symbol, name: symbol, decimals: 6, verified },
})
const usdc = token('1', 'USDC', true)
const usdt = token('2', 'USD₮0', true)
const world = (...others: PageToken[]): Tokens =>
  new Map([usdc, usdt, ...others].map((each) => [each.address, each]))

it.each(['USDC', 'usdc', 'USDС', 'US DC', 'ＵＳＤＣ', 'U$DC', 'USDC\u200b'])(
  '%s of a stranger imitates USDC, which needs a confirmation',
  (symbol) => {
    const fake = token('3', symbol)
    expect(findImitated(fake, world(fake))).toBe(usdc)
    expect(tokenCautions([usdc.address, fake.address], world(fake))).toEqual([
      { isGrave: true, text: expect.stringContaining('not the verified USDC') },
    ])
  },
)

it('USDTO of a stranger imitates USD₮0', () => {
  const fake = token('3', 'USDTO')
  expect(findImitated(fake, world(fake))).toBe(usdt)
})

it('another unverified token is a warning, and a verified one is none', () => {
  const meme = token('4', 'CATBAL')
  expect(tokenCautions([meme.address, usdc.address], world(meme))).toEqual([
    { isGrave: false, text: expect.stringContaining('CATBAL (0x4444') },
  ])
  expect(findImitated(token('5', ''), world())).toBeUndefined()
  expect(findImitated(usdc, world())).toBeUndefined()
})
