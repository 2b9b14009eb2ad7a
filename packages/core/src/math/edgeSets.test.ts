import { expect, it } from 'vitest'
import { edgesByToken, findLongWalk, removeDeadEnds, topologicalOrder, union } from './edgeSets.js'

const ends = (edges: readonly (readonly [number, number])[]) => ({
  from: Int32Array.from(edges, ([a]) => a),
  to: Int32Array.from(edges, ([, b]) => b),
  tokens: new Int32Array(5),
})

// 1 → 2 → 3 → 4 in line, and 1 → 3 beside it; 2 and 3 trade both ways.
const line = ends([
  [1, 2],
  [2, 3],
  [3, 2],
  [3, 4],
  [1, 3],
])
const network = { ...line, source: 1, sink: 4 }
const [a, b, back, c, d] = [0, 1, 2, 3, 4]

it('lists edges by the token they begin or end at', () => {
  const some = Int32Array.of(d, a, c)
  expect(edgesByToken(line.from, some, 5)).toEqual([[], [d, a], [], [c], []])
  expect(edgesByToken(line.to, some, 5)).toEqual([[], [], [a], [d], [c]])
})

it('adds edges that are not there yet, after the others', () => {
  expect([...union(Int32Array.of(c, a), [a, d, c])]).toEqual([c, a, d])
})

it('drops edges that lead nowhere, and those that only they fed', () => {
  expect([...removeDeadEnds(network, Int32Array.of(a, b, d))]).toEqual([])
  expect([...removeDeadEnds(network, Int32Array.of(a, c, d))].sort()).toEqual([c, d].sort())
})

it('finds a cycle and the path that is too long, and neither where there is none', () => {
  expect(findLongWalk(network, Int32Array.of(a, b, back, c), 9)).toEqual(
    expect.arrayContaining([b, back]),
  )
  expect(findLongWalk(network, Int32Array.of(a, b, c, d), 3)).toBeUndefined()
  expect(findLongWalk(network, Int32Array.of(a, b, c, d), 2)).toEqual([a, b, c])
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
  const cyclic = ends([
    [0, 1],
    [1, 2],
    [2, 1],
    [2, 4],
  ])
  expect(topologicalOrder(cyclic, Int32Array.of(0, 1, 2, 3))).toBeUndefined()
  expect(topologicalOrder(cyclic, Int32Array.of(0, 1, 3))).toEqual([0, 1, 2, 4])
})
