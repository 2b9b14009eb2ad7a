/**
 * Measures the distance of float curves from integers in every family, as a table. The
 * bound relies on one side of it: no pool pays more than its curve, `extraIn` wei later, but for floats.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyDirectionOf } from '../testing/conformance.js'
import { poolsOfFamily } from '../testing/everyFamily.js'
import { getAmountOut, type Pool, toCurve } from './index.js'

const numRuns = Number(process.env['BRAID_FUZZ_RUNS'] ?? 1_000)
const seed = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)

/** The checker's margins of what is traded, and of what is summed, which covers the end of a curve. */
const TURNOVER_MARGIN = 1e-12
const MARGIN = 1e-9
/** Smaller amounts, in or out, are dominated by the rounding of a wei. */
const MIN_WEI = 1_000_000n
/** The smallest inputs are this many powers of ten below the limit. */
const DECADES = 14

type Errors = Readonly<Record<'above' | 'below' | 'later' | 'end', number>>

/**
 * Relative distances of a curve from the integers, 0 or more: above them, below them, and below them
 * `extraIn` wei later, unless the curve has ended there (`end`); `undefined` if the pool takes nothing or pays too little to compare.
 */
function errorsOf(pool: Pool, n: number, decades: number): Errors | undefined {
  const direction = anyDirectionOf(pool, n)
  const curve = toCurve(pool, direction)
  const most = Math.min(curve.limit, 2 ** 128)
  const amountIn = most >= 1 ? BigInt(Math.floor(most * 10 ** -decades)) : 0n
  const exact = getAmountOut(pool, direction, amountIn)
  if (amountIn < MIN_WEI || exact < MIN_WEI) return undefined
  const ratio = (input: number) => curve.out(input) / Number(exact) - 1
  const after = Number(amountIn) + (curve.extraIn ?? 0)
  const [above, below] = [
    Math.max(0, ratio(Number(amountIn))),
    Math.max(0, -ratio(Number(amountIn))),
  ]
  const behind = Math.max(0, -ratio(after))
  const hasEnded = after > curve.limit
  return { above, below, later: hasEnded ? 0 : behind, end: hasEnded ? behind : 0 }
}

function rowOf(name: string, pools: fc.Arbitrary<Pool>): string {
  const drawn = fc.sample(
    fc.tuple(pools, fc.nat(), fc.double({ min: 0, max: DECADES, noNaN: true })),
    {
      ...{ numRuns, seed },
    },
  )
  const errors = drawn.flatMap((one) => errorsOf(...one) ?? [])
  const most = (pick: (one: Errors) => number) => Math.max(0, ...errors.map(pick))
  const digits = (value: number) => (value === 0 ? '0' : value.toExponential(1))
  const share = errors.filter(({ below }) => below > 0).length / errors.length
  expect(errors.length).toBeGreaterThan(numRuns / 10)
  expect(most(({ later }) => later)).toBeLessThan(TURNOVER_MARGIN)
  expect(most(({ end }) => end)).toBeLessThan(MARGIN)
  const cells = [
    ...[name, `${errors.length}`, digits(most(({ above }) => above))],
    ...[`${(100 * share).toFixed(1)} %`, digits(most(({ below }) => below))],
    ...[digits(most(({ later }) => later)), digits(most(({ end }) => end))],
  ]
  return `| ${cells.join(' | ')} |`
}

const rows: string[] = []

it.each(
  Object.entries(poolsOfFamily).flatMap(([family, forms]) =>
    Object.entries(forms).map(
      ([form, pools]) => [`${family}${form && `, ${form}`}`, pools] as const,
    ),
  ),
)('the curve of %s is not below the integers by more than the margin', (name, pools) => {
  rows.push(rowOf(name, pools))
})

it('prints the table', () => {
  const head = [
    'family',
    'swaps',
    'most above',
    'share below',
    'most below',
    'with `extraIn`',
    'at the end',
  ]
  const rule = head.map((_, i) => (i === 0 ? '---' : '--:'))
  console.log([`| ${head.join(' | ')} |`, `| ${rule.join(' | ')} |`, ...rows].join('\n'))
})
