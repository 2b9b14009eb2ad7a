// @vitest-environment happy-dom
// The sentence about what arrived.

import { NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { expect, it } from 'vitest'
import type { PageConfig } from '../pageConfig.js'
import { chain } from '../testing/chain.js'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { Arrived } from './arrived.js'
import type { Sent } from './sendSwap.js'

const dst = name(2)
const tokens = new Map([
  [NATIVE, { address: NATIVE, symbol: 'HYPE', name: 'HYPE', decimals: 18, verified: true }],
  [dst, { address: dst, symbol: 'B', name: 'B', decimals: 6, verified: true }],
])
const sent = {
  ...{ sale: { src: NATIVE, dst, amount: 2n * 10n ** 18n }, quoted: 80_000_000n },
  ...{ received: 80_000_000n, before: 1_000_000n, after: 81_000_000n, receiver: name(7) },
  ...{ hash: toHex(1, 32), blockNumber: 1_234_567n, gasUsed: 210_000n },
} as Sent
const arrived = (of: Partial<Sent> = {}, change: object = {}) =>
  shown(
    h(Arrived, {
      ...{ sent: { ...sent, ...of }, tokens, isEarlier: false, isElsewhere: false },
      config: { chainId: 999, chain } as PageConfig,
      ...change,
    }),
  )

it.each([
  [80_000_000n, 'Exactly as quoted, to the last digit.'],
  [80_800_000n, '1.00 % more than quoted.'],
  [79_200_000n, '1.00 % less than quoted.'],
])('%s of 80,000,000 wei are “%s”', async (received, verdict) => {
  expect((await arrived({ received })).text('p')).toBe(verdict)
})

it('shows the figures, and where the output went', async () => {
  const on = await arrived()
  expect(on.texts('dd')).toEqual(['80 B', '80 B', '1 B', '81 B', '1,234,567 · 210,000 gas'])
  expect(on.text('strong')).toBe('80 B arrived')
  const other = await arrived({}, { isEarlier: true, isElsewhere: true })
  expect(other.text('.soft')).toBe('Your earlier swap of 2 HYPE')
  expect(other.text('strong')).toBe('80 B arrived at 0x000000…000007')
})
