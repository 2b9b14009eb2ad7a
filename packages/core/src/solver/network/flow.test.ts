import { expect, it } from 'vitest'
import { topologicalOrder } from './flow.js'

const ends = (edges: readonly (readonly [number, number])[]) => ({
  from: Int32Array.from(edges, ([a]) => a),
  to: Int32Array.from(edges, ([, b]) => b),
  tokens: new Int32Array(5),
})

it('puts every token behind all that lead to it, and leaves out tokens that no edge passes', () => {
  const edges = [
    [3, 1],
    [0, 3],
    [0, 1],
    [1, 4],
  ] as const
  const order = topologicalOrder(ends(edges), Int32Array.of(0, 1, 2, 3))!
  expect([...order].sort()).toEqual([0, 1, 3, 4])
  for (const [a, b] of edges) expect(order.indexOf(a)).toBeLessThan(order.indexOf(b))
})

it('is undefined for a cycle, and ignores edges that are not given', () => {
  const network = ends([
    [0, 1],
    [1, 2],
    [2, 1],
    [2, 4],
  ])
  expect(topologicalOrder(network, Int32Array.of(0, 1, 2, 3))).toBeUndefined()
  expect(topologicalOrder(network, Int32Array.of(0, 1, 3))).toEqual([0, 1, 2, 4])
})
