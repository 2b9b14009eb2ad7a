// Which swaps a venue on trial is asked, of pools whose quotes core knows.
import type { Hex, Pool, Snapshot } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { getAmountOut, MIN_SQRT_PRICE_X96 } from '@braid-swap/core/families'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Choice, questionsOf } from './questions.js'
import { startTrials, type Trial } from './trials.js'

const [fresh] = startTrials({ trust: {} }, [{ id: 'venue' }], new Map()).trust.trials as [Trial]
const [A, B, C] = [0xa, 0xb, 0xc].map((i) => toHex(i, 20)) as [Hex, Hex, Hex]
const E24 = 10n ** 24n
const pairOf = (reserves: readonly [bigint, bigint], n: number, tokens = [A, B]) =>
  ({
    ...{ family: 'uniswapV2', id: toHex(n, 20), venue: 'venue', tokens, feePpm: 3_000 },
    reserves,
  }) as unknown as Pool
const deep = (n: number, tokens = [A, B]) => pairOf([E24, E24], n, tokens)

/** The questions to one venue. */
const ask = (
  pools: readonly Pool[],
  trial: Partial<Trial> = {},
  {
    named = [],
    trusted,
    ...more
  }: { readonly named?: readonly Hex[]; readonly trusted?: Hex[] } & Pick<
    Partial<Choice>,
    'depths'
  > = {},
) =>
  questionsOf({ pools } as unknown as Snapshot, [{ ...fresh, ...trial }], {
    ...{ mostGas: 10_000_000, named: new Set(named) },
    ...{ ...(trusted && { trusted: new Set(trusted) }), ...more },
  })
const accusation = (pool: Hex) => ({
  ...{ pool, kind: 'less' as const, reason: 'pays less', since: 1n, times: 1 },
})
const swapOf = ({ pool, direction }: ReturnType<typeof ask>[number]) => [
  Number(pool.id),
  direction.in,
  direction.out,
]

it('asks a venue in every turn through a pool that has an amount, however many are dry', () => {
  const anyReserve = fc.constantFrom(0n, 1n, E24)
  fc.assert(
    fc.property(
      fc.array(anyReserve, { minLength: 1, maxLength: 6 }),
      fc.nat(50),
      (reserves, turn) => {
        const asked = ask(
          reserves.map((reserve, n) => pairOf([reserve, reserve], n)),
          { turn },
        )
        const canAsk = reserves.some((reserve) => reserve > 1n)
        expect(asked.map(({ quoted }) => quoted > 0n)).toEqual(canAsk ? [true] : [])
      },
    ),
  )
})

describe('the turns of a venue', () => {
  const turns = (pools: readonly Pool[], count: number) =>
    Array.from({ length: count }, (_, turn) => ask(pools, { turn })[0]!)

  it('ask each pool once before any twice, in changing directions', () => {
    const swaps = turns([deep(1), deep(2), deep(3)], 6).map(swapOf)
    expect(swaps).toEqual([
      [1, 0, 1],
      [2, 1, 0],
      [3, 0, 1],
      [1, 1, 0],
      [2, 0, 1],
      [3, 1, 0],
    ])
  })

  it('ask for the largest round amount at which the price has moved little, then for smaller ones', () => {
    const pool = deep(1)
    const amounts = turns([pool], 8).map(({ amountIn, direction, quoted }) => {
      expect(quoted).toBe(getAmountOut(pool, direction, amountIn))
      return amountIn
    })
    // A tenth of the reserve moves the price by a tenth, the whole of it by a half.
    const [one, ten, most] = [E24 / 1_000n, E24 / 100n, E24 / 10n]
    expect(amounts).toEqual([most, most, ten, ten, one, one, most, most])
  })

  it('ask for an output of a hundred thousand at least, if the pool has as much', () => {
    const amountsOf = (reserve: bigint) =>
      turns([pairOf([reserve, reserve], 1)], 6).map(({ amountIn }) => amountIn)
    expect(new Set(amountsOf(10_000_000n))).toEqual(new Set([1_000_000n]))
    expect(new Set(amountsOf(100_000n))).toEqual(new Set([10_000n]))
  })
})

it('no pool is asked for more gas than a call has, so that far pools speak for nobody', () => {
  const far = {
    ...{ family: 'uniswapV3', venue: 'venue', tokens: [A, B], feePpm: 100, tickSpacing: 1 },
    ...{ liquidity: 0n, tick: -887_272, sqrtPriceX96: MIN_SQRT_PRICE_X96 },
    ticks: [
      { index: 250_000, liquidityNet: E24 },
      { index: 250_200, liquidityNet: -E24 },
    ],
  }
  const fars = Array.from({ length: 40 }, (_, i) => ({ ...far, id: toHex(100 + i, 20) }))
  const pools = [...fars, deep(1)] as unknown as Pool[]
  for (let turn = 0; turn < 90; turn++) {
    expect(ask(pools, { turn }, { named: fars.map(({ id }) => id) })).toHaveLength(1)
  }
  expect(ask(pools.slice(0, 40))).toEqual([])
})

describe('a pool for which there is a sign', () => {
  it('is asked there and back in place of the turn’s, up to four of them', () => {
    const pools = Array.from({ length: 6 }, (_, i) => deep(i + 1))
    const named = pools.slice(1).map(({ id }) => id)
    const asked = ask(pools, { turn: 0 }, { named }).map(swapOf)
    expect(asked.map(([id]) => id)).toEqual([2, 2, 3, 3, 4, 4, 5, 5])
    for (let i = 0; i < asked.length; i += 2) {
      expect(asked[i + 1]!.slice(1)).toEqual(asked[i]!.slice(1).reverse())
    }
    // The deepest of the others are witnesses: they clear the venue, or speak against it too.
    const accused = [accusation(pools[2]!.id)]
    const depths = new Map(pools.map(({ id }, i) => [id, i]))
    const ids = ask(pools, { accused }, { depths }).map(({ pool }) => Number(pool.id))
    expect(ids).toEqual([3, 3, 6, 6, 5, 5])
    // One that is out is asked beside the turn's.
    const out = [{ ...accused[0]!, times: 2 }]
    expect(ask(pools, { accused: out }).map(({ pool }) => Number(pool.id))).toEqual([1, 3, 3])
    expect(ask(pools, {}, { named: [toHex(99, 20)] }).map(swapOf)).toEqual([[1, 0, 1]])
  })

  it('is asked in the direction of the turn first, for the largest amount', () => {
    const asked = ask([deep(1), deep(2)], { turn: 1, accused: [accusation(toHex(2, 20))] })
    expect(asked.slice(0, 2).map(swapOf)).toEqual([
      [2, 1, 0],
      [2, 0, 1],
    ])
    const far = ask([deep(1)], { turn: 5, accused: [accusation(toHex(1, 20))] })
    expect(far.map(({ amountIn }) => amountIn)).toEqual([E24 / 10n, E24 / 10n])
  })

  it('does not keep its venue from being asked if it is dry', () => {
    const dry = pairOf([0n, 0n], 2)
    expect(ask([deep(1), dry], {}, { named: [dry.id] }).map(swapOf)).toEqual([[1, 0, 1]])
    expect(ask([deep(1), dry], { accused: [accusation(dry.id)] }).map(swapOf)).toEqual([[1, 0, 1]])
  })
})

describe('tokens that may lie', () => {
  const pools = [deep(1, [A, C]), deep(2, [A, B])]

  it('decide nothing where a pool of others is there', () => {
    for (let turn = 0; turn < 4; turn++) {
      const [asked] = ask(pools, { turn }, { trusted: [A, B] })
      expect([asked!.pool.id, asked!.isWeak]).toEqual([toHex(2, 20), false])
    }
    expect(ask(pools)[0]!.isWeak).toBe(false)
  })

  it('can prove a venue without another pool by what it pays in a token that cannot', () => {
    for (let turn = 0; turn < 4; turn++) {
      const [asked] = ask(pools, { turn }, { trusted: [A] })
      expect(asked!.isWeak).toBe(true)
      expect(asked!.pool.tokens[asked!.direction.out]).toBe(A)
      expect(ask(pools, { turn, state: 'serving' }, { trusted: [A] })).toEqual([])
    }
    expect(ask(pools, {}, { trusted: [] })).toEqual([])
  })
})
