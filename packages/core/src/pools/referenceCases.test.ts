/** Rows that contracts of others, and public tables, answered: our integers give each to the wei. */

import { describeReferenceCases } from '@braid-swap/vectors/testing'
import { expect, it } from 'vitest'
import type { Address } from '../hex.js'
import { faultOf } from '../shape/check.js'
import type { Direction } from './family.js'
import { families, getAmountOut, type Pool } from './index.js'

const E18 = 10n ** 18n
const BASE = { id: '0x0000000000000000000000000000000000000abc', venue: 'reference' } as const
const [THERE, HOME] = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
]

/** A JSON value whose decimal strings are integers. */
function withIntegers(value: unknown): unknown {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(withIntegers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withIntegers(one)]))
}

/** A row's output, or the reason why the pool has none: a state that no text may contain. */
function answerOf(pool: Pool, direction: Direction, amountIn: bigint): string {
  try {
    return `${getAmountOut(pool, direction, amountIn)}`
  } catch (error) {
    if (faultOf(families[pool.family].shape as never, pool) === undefined) throw error
    return '0'
  }
}

type EclpSet = { readonly [field in 'c' | 's' | 'l' | 'u' | 'v' | 'w' | 'z' | 'dSq']: string } & {
  readonly ta: readonly [string, string]
  readonly tb: readonly [string, string]
}
type EclpFile = {
  readonly sets: Readonly<Record<string, EclpSet>>
  readonly rows: readonly {
    readonly set: string
    readonly balances: readonly string[]
    readonly zeroForOne: boolean
    readonly amountIn: string
    readonly amountOut: string
  }[]
}

function eclpPool(set: EclpSet, balances: readonly string[]): Pool {
  const [ta, tb] = [set.ta.map(BigInt), set.tb.map(BigInt)]
  const { c, s, l: lambda, u, v, w, z, dSq } = set
  const numbers = withIntegers({ c, s, lambda, u, v, w, z, dSq }) as object
  const tau = { tauAlpha: { x: ta[0], y: ta[1] }, tauBeta: { x: tb[0], y: tb[1] } }
  return {
    ...{ ...BASE, family: 'balancerV3', tokens: ['0x0a', '0x0b'] as Address[] },
    ...{ balancesRaw: balances.map(BigInt), decimalScalingFactors: [1n, 1n] },
    ...{ tokenRates: [E18, E18], swapFee: 0n, aggregateSwapFee: 0n, minTradeAmount: 0n },
    form: { kind: 'eclp', ...numbers, ...tau },
  } as unknown as Pool
}

describeReferenceCases('rows that contracts answered', (readCase) => {
  it('of the E-CLP are reproduced to the wei', () => {
    const { sets, rows } = readCase('eclp-contract-executed.json') as EclpFile
    const wrong = rows.filter(({ set, balances, zeroForOne, amountIn, amountOut }) => {
      const pool = eclpPool(sets[set]!, balances)
      return answerOf(pool, zeroForOne ? THERE : HOME, BigInt(amountIn)) !== amountOut
    })
    expect(wrong).toEqual([])
    expect(rows.length).toBeGreaterThan(1_800)
  })

  it('of pairs of Liquidity Book 2.2 are reproduced to the wei', () => {
    const { states, rows } = readCase('lb22-contract-executed.json') as {
      readonly states: readonly object[]
      readonly rows: readonly {
        readonly state: number
        readonly at: string
        readonly swapForY: boolean
        readonly amountIn: string
        readonly amountOut: string
      }[]
    }
    const wrong = rows.filter(({ state, at, swapForY, amountIn, amountOut }) => {
      const pool = { ...(withIntegers(states[state]) as Pool), quotedAt: BigInt(at) }
      return answerOf(pool, swapForY ? THERE : HOME, BigInt(amountIn)) !== amountOut
    })
    expect(wrong).toEqual([])
    expect(rows.length).toBeGreaterThan(350)
  })
})

/** Rows of the public tables that are no answer of the pool in the row, by their number, and why. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [3, 'a weighted pool of the first version, which computes the power 1 too'],
  [5, 'a swap through a buffer and the pool'],
  [9, 'a swap through a buffer and the pool'],
  [12, 'a swap through a buffer and the pool'],
  [31, 'a fee of 3000 ppm, which the row does not have'],
  [32, 'a pair of Liquidity Book 2.0, without its bins'],
  [36, 'an ellipse in the second vault, in a table of unknown version: 8 parts in 10^7 less'],
])

type PublicRow = {
  readonly family: Pool['family']
  readonly pool: unknown
  readonly i: number
  readonly o: number
  readonly amt: string
  /** `null` if the pool must refuse. */
  readonly exp: string | null
}

/** Live balances are those of the vault with its rates. */
function publicPool({ family, pool: of }: PublicRow): Pool {
  const pool = withIntegers(of) as Record<string, unknown> & { readonly live?: readonly bigint[] }
  const ticks = pool['ticks'] as readonly { index: bigint }[] | undefined
  const [rates, scales] = [pool['tokenRates'], pool['decimalScalingFactors']] as bigint[][]
  return {
    ...{ ...BASE, family, ...pool },
    ...(pool.live && {
      balancesRaw: pool.live.map((live, k) => (live * E18) / rates![k]! / scales![k]!),
    }),
    ...(ticks && { ticks: ticks.map((tick) => ({ ...tick, index: Number(tick.index) })) }),
    ...(ticks && { tick: Number(pool['tick']), feePpm: Number(pool['feePpm']) }),
    ...(family === 'solidly' && { feePpm: Number(pool['feePpm']) }),
  } as unknown as Pool
}

describeReferenceCases('rows of public tables', (readCase) => {
  it('are reproduced to the wei, refused, or of another version', () => {
    const { rows } = readCase('public-rows.json') as { readonly rows: readonly PublicRow[] }
    const differing = [...rows.entries()].filter(([, row]) => {
      if (typeof row.pool === 'string') return true
      const answer = answerOf(publicPool(row), { in: row.i, out: row.o }, BigInt(row.amt))
      return answer !== (row.exp ?? '0')
    })
    expect(differing.map(([number]) => number)).toEqual([...OTHERS.keys()])
    expect(rows.length).toBe(43)
    // With the fee that its note implies the swap is ours too.
    const moved = { ...publicPool(rows[31]!), feePpm: 3_000 } as Pool
    expect(answerOf(moved, HOME, BigInt(rows[31]!.amt))).toBe(rows[31]!.exp)
  })
})
