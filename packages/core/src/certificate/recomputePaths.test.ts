import fc from 'fast-check'
import { expect, it } from 'vitest'
import { token } from '../testing/arbitraryMarkets.js'
import { bestSimplePath, type Link } from './recomputePaths.js'

const anyLink = fc
  .record({
    from: fc.nat(4),
    to: fc.nat(4),
    factor: fc.double({ min: 0.5, max: 1.5, noNaN: true }),
    cost: fc.double({ min: 0, max: 0.1, noNaN: true }),
  })
  .filter(({ from, to }) => from !== to)
  .map(({ from, to, ...link }): Link => ({ tokenIn: token(from), tokenOut: token(to), ...link }))

/** The same by trying all paths. */
function tryAll(links: readonly Link[], from: string, value: number, hops: number): number {
  if (from === token(1)) return value
  if (hops === 0) return Number.NEGATIVE_INFINITY
  const left = links.filter((link) => link.tokenOut !== from)
  return links
    .filter(({ tokenIn }) => tokenIn === from)
    .map((l) => tryAll(left, l.tokenOut, value * l.factor, hops - 1) - l.cost)
    .reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
}

it('finds the best simple path, and no cycle however much it earns', () => {
  fc.assert(
    fc.property(
      fc.array(anyLink, { maxLength: 14 }),
      fc.integer({ min: 1, max: 5 }),
      (links, hops) => {
        const found = bestSimplePath(links, { from: token(0), to: token(1), hops }, 1)
        const best = tryAll(links, token(0), 1, hops)
        if (Number.isFinite(best)) expect(found).toBeCloseTo(best, 12)
        else expect(found).toBe(best)
      },
    ),
    { numRuns: 500, endOnFailure: true },
  )
})
