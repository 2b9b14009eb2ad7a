import { expect, it } from 'vitest'
import { bestWalks } from './bestWalks.js'

it('knows the best walk by its number of hops, and stops where a further hop makes no more', () => {
  // 0 → 3 directly, or through 1, or through 1 and 2.
  const network = {
    from: Int32Array.of(0, 0, 1, 1, 2),
    to: Int32Array.of(3, 1, 3, 2, 3),
    tokens: new Int32Array(4),
    sink: 3,
  }
  const walks = bestWalks(network, Float64Array.of(0.5, 1, 0.6, 0.9, 0.8), 9)
  expect(walks.map((most) => most[0])).toEqual([0, 0.5, 0.6, 0.9 * 0.8])
  expect(walks.length).toBe(4)
})
