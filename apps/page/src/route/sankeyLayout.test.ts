import type { GraphEntry } from '@braid-swap/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hop, name, routes } from '../testing/routes.js'
import { layOut, partsOf } from './sankeyLayout.js'

describe('the parts of a route', () => {
  it('are conserved: everything that leaves the first token arrives at the last', () => {
    fc.assert(
      fc.property(routes, ({ graph, last }) => {
        const parts = partsOf(graph)
        const sum = (isIn: (entry: GraphEntry) => boolean) =>
          graph.reduce((total, entry, i) => total + (isIn(entry) ? parts[i]! : 0), 0)
        expect(sum(({ from }) => from === name(0))).toBeCloseTo(1, 9)
        expect(sum(({ to }) => to === name(last))).toBeCloseTo(1, 9)
      }),
    )
  })
})

describe('the picture of a route', () => {
  const rooms = fc.record({
    ...{ width: fc.integer({ min: 250, max: 1_200 }), height: fc.integer({ min: 250, max: 600 }) },
    isUpright: fc.boolean(),
  })

  it('stays inside its size and contains every token and every hop once', () => {
    fc.assert(
      fc.property(routes, rooms, ({ graph }, room) => {
        const { tokens, ribbons } = layOut(graph, room)
        const names = new Set(graph.flatMap(({ from, to }) => [from, to]))
        expect(new Set(tokens.map(({ token }) => token))).toEqual(names)
        expect(tokens).toHaveLength(names.size)
        expect(ribbons.map(({ index }) => index)).toEqual(graph.map((_, i) => i))
        for (const { x, y, width, height } of tokens) {
          expect(Math.min(x, y, width, height)).toBeGreaterThanOrEqual(-0.01)
          expect(x + width).toBeLessThanOrEqual(room.width + 0.01)
          expect(y + height).toBeLessThanOrEqual(room.height + 0.01)
        }
        expect(ribbons.map(({ path }) => path).join()).not.toMatch(/NaN|Infinity/)
      }),
      { endOnFailure: true },
    )
  })

  it('runs from the first token to the last', () => {
    const graph = [hop(0, 1, 40n), hop(0, 2, 60n), hop(1, 2, 40n)]
    const { tokens } = layOut(graph, { width: 600, height: 300, isUpright: false })
    expect(tokens.map(({ x, isFirst, isLast }) => [Math.round(x), isFirst, isLast])).toEqual([
      [0, true, false],
      [294, false, false],
      [588, false, true],
    ])
    expect(layOut([], { width: 600, height: 300, isUpright: false }).ribbons).toEqual([])
  })
})

describe('the places in a picture', () => {
  const lying = { width: 600, height: 300, isUpright: false }
  const upright = { width: 300, height: 600, isUpright: true }
  const widths = (graph: readonly GraphEntry[], room = lying) =>
    layOut(graph, room).ribbons.map(({ width, middle }) => [width, middle.x, middle.y])

  it('a ribbon runs from the end of one bar to the start of the next', () => {
    const [one] = layOut([hop(0, 1, 5n)], lying).ribbons
    expect(one!.path).toBe(
      'M12.00,150.00C156.00,150.00 156.00,150.00 300.00,150.00C444.00,150.00 444.00,150.00 588.00,150.00',
    )
    expect(layOut([hop(0, 1, 5n)], upright).ribbons[0]!.path).toBe(
      'M150.00,12.00C150.00,156.00 150.00,156.00 150.00,300.00C150.00,444.00 150.00,444.00 150.00,588.00',
    )
    expect(layOut([hop(0, 1, 5n)], lying).tokens).toMatchObject([
      { x: 0, y: 0, width: 12, height: 300, part: 1 },
      { x: 588, y: 0, width: 12, height: 300, part: 1 },
    ])
    expect(layOut([hop(0, 1, 5n)], upright).tokens[1]).toMatchObject({
      ...{ x: 0, y: 588, width: 300, height: 12 },
    })
  })

  it('ribbons are as wide as their parts, with a gap between them', () => {
    const halves = [hop(0, 1, 5n, 1), hop(0, 1, 5n, 2)]
    expect(widths(halves)).toEqual([
      [142.5, 300, 71.25],
      [142.5, 300, 228.75],
    ])
    expect(widths(halves, upright)).toEqual([
      [145.5, 72.75, 300],
      [145.5, 227.25, 300],
    ])
  })

  it('a tiny hop can still be seen', () => {
    const [, tiny] = layOut([hop(0, 1, 999_999n, 1), hop(0, 1, 1n, 2)], lying).ribbons
    expect([tiny!.part, tiny!.width]).toEqual([1e-6, 1.5])
  })

  it('a wrap is shorter than a swap, unless it is alone', () => {
    const wrap = { ...hop(0, 1, 5n), poolType: 'wrap' }
    const places = (graph: readonly GraphEntry[]) =>
      layOut(graph, lying).tokens.map(({ x }) => Math.round(x * 1e6) / 1e6)
    expect(places([wrap, hop(1, 2, 5n)])).toEqual([0, 168, 588])
    expect(places([hop(0, 1, 5n), { ...hop(1, 2, 5n), poolType: 'unwrap' }])).toEqual([0, 420, 588])
    expect(places([wrap])).toEqual([0, 588])
    // A swap beside it needs the length.
    expect(places([wrap, hop(0, 1, 5n, 1)])).toEqual([0, 588])
  })

  it('the samples of a ribbon lie on its path', () => {
    const [up] = layOut([hop(0, 1, 5n, 1), hop(0, 1, 5n, 2)], lying).ribbons
    const [from, to] = [up!.points[0]!, up!.points[24]!]
    expect(up!.points).toHaveLength(50)
    expect(up!.path).toContain(`M${from.x.toFixed(2)},${from.y.toFixed(2)}C`)
    expect([to, up!.points[25]]).toEqual([up!.middle, up!.middle])
    // The curve of de Casteljau at a quarter and at the half of its first bend.
    const between = (t: number) => from.y + (to.y - from.y) * t
    const along = (t: number) => from.x + (to.x - from.x) * t
    expect(up!.points[6]!.x).toBeCloseTo(along(0.296875), 9)
    expect(up!.points[6]!.y).toBeCloseTo(between(0.15625), 9)
    expect(up!.points[12]!.x).toBeCloseTo(along(0.5), 9)
    expect(up!.points[12]!.y).toBeCloseTo(between(0.5), 9)
    expect(up!.points[18]!.x).toBeCloseTo(along(0.703125), 9)
    expect(up!.points[18]!.y).toBeCloseTo(between(0.84375), 9)
  })
  it('a ribbon keeps its own way beside the tokens that others pass', () => {
    const graph = [hop(0, 1, 40n, 1), hop(0, 3, 60n, 2), hop(1, 2, 40n, 3), hop(2, 3, 40n, 4)]
    const { tokens, ribbons } = layOut(graph, lying)
    const direct = ribbons[1]!
    for (const { x, y, width, height } of tokens.filter((of) => !of.isFirst && !of.isLast)) {
      const at = direct.points.find((point) => point.x >= x + width / 2)!
      expect(Math.abs(at.y - (y + height / 2))).toBeGreaterThan((direct.width + height) / 2)
    }
  })
})
