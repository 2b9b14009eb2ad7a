import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { claim, release } from './follow.js'

it('a swap is followed by one, until it is released', () => {
  const [a, b] = [toHex(1, 32), toHex(2, 32)]
  expect([claim(a), claim(a), claim(b)]).toEqual([true, false, true])
  release(a)
  expect([claim(a), claim(b)]).toEqual([true, false])
})
