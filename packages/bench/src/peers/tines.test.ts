import { estimateGas } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { leastGas } from '../leastGas.js'
import { madeAddress, makeRanges } from '../markets/build.js'
import { V3_STEP_GAS } from './tines.js'

describe('the gas given to Tines', () => {
  it('is the gas of core for a crossed tick', () => {
    const tokens = [0, 1].map((n) => ({ address: madeAddress('token', n), decimals: 18, price: 1 }))
    const pool = makeRanges({
      n: 0,
      ends: [tokens[0]!, tokens[1]!],
      depth: 100,
      feePpm: 3000,
      tickSpacing: 60,
      ranges: [
        { halfWidth: 6000, part: 1 },
        { halfWidth: 600, part: 1 },
      ],
    })
    // A twentieth of the liquidity in range moves the price by a tenth, past the end of only one
    // range.
    const gas = estimateGas(pool, { in: 1, out: 0 }, 10n * 10n ** 18n)
    expect(gas - leastGas(pool)).toBe(V3_STEP_GAS)
  })
})
