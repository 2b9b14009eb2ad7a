import type { Bound } from '@braid-swap/core'
import { expect, it } from 'vitest'
import type { Market } from '../market.js'
import type { Request } from '../request.js'
import { countBounds } from './countBounds.js'
import type { ReadyRouter } from './router.js'

it('counts every bound that is checked, after updates too, and those that are refused', async () => {
  const ready: ReadyRouter = {
    ...{ name: 'a', capsLegs: true, quote: () => undefined },
    proves: (_, { amount }) => amount > 1n,
    update: () => ready,
  }
  const tally = { checked: 0, refused: 0 }
  const counted = await countBounds({ name: 'a', ready: () => ready }, tally).ready({} as Market)
  const proves = (amount: bigint) => counted.proves!({} as Request, { amount } as Bound)
  expect([proves(1n), proves(2n)]).toEqual([false, true])
  expect(counted.update!([]).proves!({} as Request, { amount: 0n } as Bound)).toBe(false)
  expect(tally).toEqual({ checked: 3, refused: 2 })
})
