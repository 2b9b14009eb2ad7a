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
