import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Box, boxOf, findRoom, overlap } from './labels.js'

const at = (x: number, y: number): Box => ({ x, y, width: 40, height: 10 })

describe('words in the picture', () => {
  it('stand in one another’s way where both their sides meet', () => {
    expect(overlap(at(0, 0), at(39, 9))).toBe(true)
    expect(overlap(at(0, 0), at(40, 0))).toBe(false)
    expect(overlap(at(0, 0), at(0, 10))).toBe(false)
  })

  it('take more room the longer they are', () => {
    const [short, long] = ['UBTC', 'a longer name'].map((text) => boxOf(text, 14, { x: 0, y: 0 }))
    expect(long!.width).toBeGreaterThan(short!.width * 2)
  })

  it('are moved apart and kept inside, up to four in one place', () => {
    const places = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(places, fc.constantFrom<1 | -1>(1, -1), (xs, step) => {
        const taken: Box[] = []
        for (const x of xs) taken.push(findRoom(at(x, 50), taken, { width: 300, step }))
        for (const [i, box] of taken.entries()) {
          expect(box.x).toBeGreaterThanOrEqual(20)
          expect(box.x).toBeLessThanOrEqual(280)
          for (const other of taken.slice(i + 1)) expect(overlap(box, other)).toBe(false)
        }
      }),
      { endOnFailure: true },
    )
  })
})
