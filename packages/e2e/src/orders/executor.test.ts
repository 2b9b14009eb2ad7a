import { TEST_ROUTER, WHYPE } from '@braid-swap/api/testing'
import { knownExecutors } from '@braid-swap/contracts'
import { swapLayouts } from '@braid-swap/core/families'
import { expect, it } from 'vitest'

it('the families of the executor are those that core encodes a swap for', () => {
  const [{ families }] = knownExecutors(TEST_ROUTER, WHYPE)
  const encoded = Object.entries(swapLayouts).flatMap(([name, layout]) => (layout ? [name] : []))
  expect([...families].sort()).toEqual(encoded.sort())
})
