import type { GraphEntry } from '@braid-swap/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hop, name, routes } from '../testing/routes.js'
import { type Box, boxOf, covers, overlap, placeLabels } from './labelPlacement.js'
import { layOut, type Room } from './sankeyLayout.js'

const at = (x: number, y: number): Box => ({ x, y, width: 40, height: 10 })

describe('words in the picture', () => {
  it('overlap only if they overlap in both directions', () => {
    expect(overlap(at(0, 0), at(39, 9))).toBe(true)
    expect(overlap(at(0, 0), at(40, 0))).toBe(false)
    expect(overlap(at(0, 0), at(0, 10))).toBe(false)
  })

  it('are wider for longer texts and for capital letters', () => {
    const [short, long, capitals] = ['ubtc', 'a longer name', 'WWMM'].map(
      (text) => boxOf(text, 14, { x: 0, y: 0 }).width,
    )
    expect(long!).toBeGreaterThan(short! * 2)
    expect(capitals!).toBeGreaterThan(short!)
  })

  it('are covered by a ribbon within half of its width', () => {
    const points = Array.from({ length: 50 }, (_, i) => ({ x: i * 2, y: 50 }))
    expect(covers({ points, width: 4 }, at(50, 50))).toBe(true)
    expect(covers({ points, width: 4 }, at(50, 42))).toBe(false)
    expect(covers({ points, width: 20 }, at(50, 42))).toBe(true)
  })
})

describe('the labels of a route', () => {
  const rooms = fc.record({
    ...{ width: fc.integer({ min: 250, max: 900 }), height: fc.integer({ min: 250, max: 600 }) },
    isUpright: fc.boolean(),
  })
  const nameOf = (token: string) => `TOKEN${Number(token)}`
  const place = (graph: readonly GraphEntry[], room: Room) => {
    const drawn = layOut(graph, room)
    return { drawn, ...placeLabels(drawn, room, nameOf) }
  }

  it('stay inside the picture and overlap no other label and no foreign ribbon', () => {
    fc.assert(
      fc.property(routes, rooms, ({ graph }, room) => {
        const { drawn, names, shares } = place(graph, room)
        const boxes = [...names, ...shares].map(({ box }) => box)
        for (const [i, box] of boxes.entries()) {
          expect(box.x - box.width / 2).toBeGreaterThanOrEqual(-0.01)
          expect(box.x + box.width / 2).toBeLessThanOrEqual(room.width + 0.01)
          for (const other of boxes.slice(i + 1)) expect(overlap(box, other)).toBe(false)
        }
        for (const { index, box } of shares) {
          const others = drawn.ribbons.filter((ribbon) => ribbon.index !== index)
          expect(others.some((ribbon) => covers(ribbon, box))).toBe(false)
        }
      }),
      { endOnFailure: true },
    )
  })

  it('are left out on thin ribbons between others and drawn on wide ones', () => {
    const thin = Array.from({ length: 12 }, (_, i) => hop(0, 1, 1n, i))
    const graph = [...thin, hop(0, 1, 500n, 50), hop(0, 1, 488n, 51)]
    const { shares } = place(graph, { width: 700, height: 300, isUpright: false })
    const labelled = shares.map(({ index }) => index)
    expect(labelled).toEqual(expect.arrayContaining([12, 13]))
    expect(labelled.length).toBeLessThan(14)
  })

  it('include both ends of every route', () => {
    const graph = [hop(0, 1, 5n), hop(1, 2, 5n)]
    const { names } = place(graph, { width: 320, height: 500, isUpright: true })
    expect(names.map(({ key }) => key)).toEqual([0, 1, 2].map(name))
  })
})
