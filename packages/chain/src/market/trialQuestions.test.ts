import type { Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Market } from './market.js'
import { questionsOf } from './trialQuestions.js'
import { startTrials, type Trial } from './venueTrials.js'

const [fresh] = startTrials({}, [{ id: 'venue' }], new Map()).trials as [Trial]
const tokens = [toHex(0xa, 20), toHex(0xb, 20)]
const pairOf = (reserve: bigint, n: number) =>
  ({
    ...{ family: 'uniswapV2', id: toHex(n, 20), venue: 'venue', tokens, feePpm: 3_000 },
    reserves: [reserve, reserve],
  }) as unknown as Pool

it('asks a venue in every turn through a pool that has an amount, however many are dry', () => {
  const anyReserve = fc.constantFrom(0n, 1n, 10n ** 24n)
  fc.assert(
    fc.property(
      fc.array(anyReserve, { minLength: 1, maxLength: 6 }),
      fc.nat(50),
      (reserves, turn) => {
        const pools = reserves.map(pairOf)
        const market = { snapshot: { pools } } as unknown as Market
        const asked = questionsOf(market, [{ ...fresh, turn }], { named: new Set() })
        const canAsk = reserves.some((reserve) => reserve > 1n)
        expect(asked.map(({ quoted }) => quoted > 0n)).toEqual(canAsk ? [true] : [])
      },
    ),
  )
})
