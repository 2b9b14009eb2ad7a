import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Concentrated, sellAcrossTicks } from './concentrated.js'
import { getSqrtPriceAtTick } from './tickMath.js'

const E18 = 10n ** 18n
const pool: Concentrated = {
  ...{ sqrtPriceX96: getSqrtPriceAtTick(0), tick: 0, liquidity: E18 },
  ticks: [
    { index: -600, liquidityNet: E18 },
    { index: 600, liquidityNet: -E18 },
  ],
}
const anySale = fc.record({
  zeroForOne: fc.boolean(),
  amountIn: fc.bigInt({ min: 0n, max: 4n }).map((n) => n * 10n ** 16n),
  feePpm: fc.constantFrom(0, 3000),
  ticksPerBit: fc.constantFrom(60, undefined),
  takesRest: fc.boolean(),
  limitX96: fc.constantFrom(undefined, getSqrtPriceAtTick(-60), getSqrtPriceAtTick(60)),
})

it('answers every sale by its own walk, whatever was sold to the same state before', () => {
  fc.assert(
    fc.property(fc.array(anySale, { minLength: 2, maxLength: 6 }), (sales) => {
      for (const sale of sales)
        expect(sellAcrossTicks(pool, sale)).toEqual(sellAcrossTicks({ ...pool }, sale))
    }),
  )
})
