import type { GraphEntry } from '@braid-swap/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hop, name, routes } from '../testing/routes.js'
import { type Box, boxOf, covers, overlap, placeLabels } from './labelPlacement.js'
import { type DrawnRibbon, type DrawnToken, layOut, type Room } from './sankeyLayout.js'

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

describe('the place of a label', () => {
  const lying = { width: 600, height: 300, isUpright: false }
  const upright = { ...lying, isUpright: true }
  const bar = (n: number, change: Partial<DrawnToken> = {}): DrawnToken => ({
    ...{ token: name(n), x: 100, y: 100, width: 12, height: 40, part: 1 },
    ...{ isFirst: false, isLast: false, ...change },
  })
  /** A ribbon that runs straight along the picture. */
  const ribbon = (index: number, y: number, change: Partial<DrawnRibbon> = {}): DrawnRibbon => ({
    ...{ hop: hop(0, 1, 1n, index), index, path: '', width: 40, part: 0.5, middle: { x: 300, y } },
    points: Array.from({ length: 51 }, (_, i) => ({ x: i * 12, y })),
    ...change,
  })
  const round = (box: Box) => [box.x, box.y].map((n) => Math.round(n * 100) / 100)
  const namesOf = (tokens: readonly DrawnToken[], room: Room, text = 'AB') =>
    placeLabels({ tokens, ribbons: [] }, room, () => text).names.map(({ box }) => round(box))
  const sharesOf = (
    ribbons: readonly DrawnRibbon[],
    room: Room = lying,
    tokens: readonly DrawnToken[] = [],
  ) =>
    placeLabels({ tokens, ribbons }, room, () => 'AB').shares.map(
      ({ index, venue, share, box }) => [
        ...[index, `${venue}${share}`, Math.round(box.x), Math.round(box.y)],
      ],
    )

  it('is as wide as its letters', () => {
    const sizes = ['W', 'A', '9', 'i', 'a', 'aa'].map((text) => boxOf(text, 10, { x: 0, y: 0 }))
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      ...[
        [10, 12],
        [7.3, 12],
        [7.3, 12],
        [4.2, 12],
        [6.4, 12],
        [12.8, 12],
      ],
    ])
  })

  it('a name stands beside its bar, on the side that is free', () => {
    expect(namesOf([bar(1)], lying)).toEqual([[128.22, 120]])
    expect(namesOf([bar(1, { isLast: true })], lying)).toEqual([[83.78, 120]])
    expect(namesOf([bar(1, { isFirst: true, isLast: true })], lying)).toEqual([[128.22, 120]])
    expect(namesOf([bar(1)], upright)).toEqual([[106, 152.4]])
    expect(namesOf([bar(1, { isLast: true })], upright)).toEqual([[106, 87.6]])
  })

  it('names at one place are moved apart, and left out where there is no room', () => {
    const heights = (count: number, room: Room, change: Partial<DrawnToken> = {}) =>
      namesOf(
        Array.from({ length: count }, (_, i) => bar(i, change)),
        room,
      ).map(([, y]) => y)
    expect(heights(2, lying)).toEqual([120, 136.8])
    // At the lower end of an upright picture there is room above only.
    expect(heights(2, upright, { y: 200, isLast: true })).toEqual([187.6, 170.8])
    expect(heights(8, lying).length).toBeLessThan(8)
  })

  it('a name stays inside the picture', () => {
    expect(namesOf([bar(1, { y: 0, height: 4 })], lying)).toEqual([[128.22, 8.4]])
    expect(namesOf([bar(1, { y: 296, height: 4 })], lying)).toEqual([[128.22, 291.6]])
    expect(namesOf([bar(1, { x: 590 })], lying)).toEqual([[589.78, 120]])
    expect(namesOf([bar(1)], { ...lying, width: 10 })).toEqual([[5, 120]])
  })

  it('a share stands in the middle of its ribbon, and gives way along it', () => {
    expect(sharesOf([ribbon(0, 150)])).toEqual([[0, 'v 50.0 %', 300, 150]])
    expect(sharesOf([ribbon(0, 150)], upright)).toEqual([[0, '50.0 %', 300, 150]])
    const inTheWay = (x: number) => bar(1, { x, y: 130 })
    expect(sharesOf([ribbon(0, 150)], lying, [inTheWay(272)])).toEqual([[0, 'v 50.0 %', 240, 150]])
    const both = [inTheWay(272), bar(2, { x: 212, y: 130 })]
    expect(sharesOf([ribbon(0, 150)], lying, both)).toEqual([[0, 'v 50.0 %', 360, 150]])
  })

  it('the widest ribbon is labelled first, and a ribbon under others is not', () => {
    const crossed = [ribbon(0, 150, { part: 0.1 }), ribbon(1, 150, { part: 0.9 })]
    expect(sharesOf(crossed)).toEqual([])
    const apart = [ribbon(0, 60, { part: 0.1 }), ribbon(1, 240, { part: 0.9 })]
    expect(sharesOf(apart).map(([index]) => index)).toEqual([1, 0])
  })

  it('a wrap has no share, and none reaches over the edge', () => {
    const wrap = ribbon(0, 150, { hop: { ...hop(0, 1, 1n), poolType: 'wrap' } })
    expect(sharesOf([wrap])).toEqual([])
    expect(sharesOf([ribbon(0, 7.1)])).toEqual([])
    expect(sharesOf([ribbon(0, 7.3)])).toHaveLength(1)
  })

  it('without room for the venue the share stands alone', () => {
    const points = Array.from({ length: 51 }, () => ({ x: 30, y: 150 }))
    expect(sharesOf([ribbon(0, 150, { points })])).toEqual([[0, '50.0 %', 30, 150]])
  })
})
