import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstOf } from '../../edgeOrder.js'
import { hopsFrom } from '../../math/hopsFrom.js'
import { boundLegs } from './upperBound.js'

const [SOURCE, SINK, TOKENS] = [0, 1, 4]

type Edge = { readonly from: number; readonly to: number; readonly worth: number }

const anyEdge: fc.Arbitrary<Edge> = fc
  .record({
    from: fc.constantFrom(0, 2, 3),
    to: fc.constantFrom(1, 2, 3),
    worth: fc.double({ min: -1, max: 3, noNaN: true }),
  })
  .filter(({ from, to }) => from !== to)

function boundOf(unsorted: readonly Edge[], legs: number): number {
  const edges = unsorted.toSorted((a, b) => a.from - b.from)
  const [from, to] = (['from', 'to'] as const).map((end) => Int32Array.from(edges, (e) => e[end]))
  const ends = { from: from!, to: to!, source: SOURCE, sink: SINK }
  const direct = [...edges.keys()].filter((i) => from![i] === SOURCE && to![i] === SINK)
  const first = firstOf(from!, TOKENS)
  const before = hopsFrom(SOURCE, first, to!)
  const back = edges.toSorted((a, b) => a.to - b.to)
  const firstInto = firstOf(to!, TOKENS)
  const after = hopsFrom(
    SINK,
    firstInto,
    Int32Array.from(back, (edge) => edge.from),
  )
  const isWithin = Uint8Array.from(
    edges,
    (edge) => +(before[edge.from]! + 1 + after[edge.to]! <= legs),
  )
  const walks = { ...ends, first, legs, direct, isWithin }
  const worth = Float64Array.from(edges, (edge) => edge.worth)
  const { sum, unpaid } = boundLegs(walks, worth)
  return sum - unpaid
}

/** The tokens that a token leads to, itself included. */
function ahead(edges: readonly Edge[], start: number): ReadonlySet<number> {
  const found = new Set([start])
  for (const k of found) for (const { from, to } of edges) if (from === k) found.add(to)
  return found
}

/** Returns true if each edge is on a path from source to sink, and none is on a cycle. */
function isRoute(edges: readonly Edge[]): boolean {
  const reached = ahead(edges, SOURCE)
  return edges.every(({ from, to }) => {
    const next = ahead(edges, to)
    return reached.has(from) && next.has(SINK) && !next.has(from)
  })
}

describe('the bound on the worth of legs', () => {
  it('is not below that of any route of several hops', () => {
    fc.assert(
      fc.property(
        fc.array(anyEdge, { minLength: 2, maxLength: 8 }),
        fc.integer({ min: 2, max: 5 }),
        (edges, legs) => {
          const bound = boundOf(edges, legs)
          for (let set = 0; set < 2 ** edges.length; set++) {
            const route = edges.filter((_, i) => (set >> i) & 1)
            if (route.length < 2 || route.length > legs || !isRoute(route)) continue
            const worth = route.reduce((sum, edge) => sum + edge.worth, 0)
            expect(bound).toBeGreaterThanOrEqual(worth - 1e-9)
          }
        },
      ),
      { numRuns: 300, endOnFailure: true },
    )
  })

  // Two pools at each end of a path whose pool in the middle is worth nothing.
  const chain: readonly Edge[] = [
    ...[
      { from: 0, to: 2, worth: 3 },
      { from: 0, to: 2, worth: 2 },
    ],
    { from: 2, to: 3, worth: 0 },
    ...[
      { from: 3, to: 1, worth: 3 },
      { from: 3, to: 1, worth: 2 },
    ],
  ]

  it('counts the hop in the middle of a path as a leg', () => {
    expect(boundOf(chain, 3)).toBe(6)
    expect(boundOf(chain, 4)).toBe(8)
    expect(boundOf(chain, 5)).toBe(10)
  })

  it('leaves out an edge that is on no path with so few hops', () => {
    const short: readonly Edge[] = [
      { from: 0, to: 1, worth: 1 },
      { from: 0, to: 1, worth: 1 },
    ]
    expect(boundOf([...short, ...chain], 2)).toBe(2)
  })
})
