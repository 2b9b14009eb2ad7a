import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeHeap, popHeap, pushHeap } from './maxHeap.js'

it('gives entries by key, the greatest first, and equal keys by entry', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 40 }), (keys) => {
      const heap = makeHeap(keys.length)
      for (const [entry, key] of keys.entries()) pushHeap(heap, key, entry)
      const popped: (readonly [number, number])[] = []
      while (popHeap(heap)) popped.push([heap.keys[heap.size]!, heap.entries[heap.size]!])
      const sorted = [...keys.entries()].map(([entry, key]) => [key, entry] as const)
      expect(popped).toEqual(sorted.sort(([a, i], [b, j]) => b - a || i - j))
    }),
  )
})
