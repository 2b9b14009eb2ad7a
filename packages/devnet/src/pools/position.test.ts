import { divUp, getSqrtPriceAtTick } from '@braid-swap/core/families'
import { expect, it } from 'vitest'
import { amountsOf } from './position.js'

const Q96 = 1n << 96n

it.each([
  [-45_350, -44_800],
  [-20, 10],
  [391_000, 391_060],
  [-887_200, 887_200],
])(
  'gives a position from tick %s to %s what its liquidity takes, and little more',
  (lower, upper) => {
    const liquidity = 10n ** 26n + 7n
    for (const tick of [lower, Math.round((lower + upper) / 2), upper]) {
      const [low, s, high] = [lower, tick, upper].map(getSqrtPriceAtTick) as [
        bigint,
        bigint,
        bigint,
      ]
      // Floats keep 16 digits of the virtual reserves; the position may be a small part of them.
      const price = Number(s) / 2 ** 96
      const noise = 2 + 1e-15 * Number(liquidity) * Math.max(price, 1 / price)
      const taken = [
        divUp(liquidity * Q96 * (high - s), high * s),
        divUp(liquidity * (s - low), Q96),
      ] as const
      const given = amountsOf({ tickLower: lower, tickUpper: upper, liquidity }, s)
      for (const i of [0, 1] as const) {
        expect(given[i]).toBeGreaterThanOrEqual(taken[i])
        expect(Number(given[i] - taken[i])).toBeLessThanOrEqual(noise + 2e-11 * Number(given[i]))
      }
    }
  },
)
