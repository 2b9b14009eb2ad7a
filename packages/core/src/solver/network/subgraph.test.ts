import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import type { Pool } from '../../pools/index.js'
import {
  anyCleanMarket,
  anyEnds,
  orderOf,
  pair,
  snapshotOf,
  token,
} from '../../testing/arbitraryMarkets.js'
import { requestFor } from '../../testing/problem.js'
import { type Options, type SolveInput, solveInputOf } from '../terms.js'
import { relaxOrder, selectProblem } from './subgraph.js'

const E18 = 10n ** 18n
const equal = (id: number, ends: readonly [number, number]) => pair(id, ends, [E18, E18])

function select(request: SolveInput) {
  const relaxation = relaxOrder(request)
  return relaxation && selectProblem(relaxation)
}

/** The edges of the problem of selling token 1 for token 3, as pairs of token addresses. */
function edgesFor(pools: readonly Pool[], options: Options = {}): readonly string[] {
  const { tokens, from, to, graph } = select(requestFor(pools, [1, 3, 1000n], options))!
  const at = (k: number) => Number(graph.tokens[tokens[k]!])
  return Array.from(from, (a, i) => `${at(a)}>${at(to[i]!)}`).sort()
}

it('leaves out edges into the source, out of the sink, and on no path', () => {
  const pools = [equal(0, [1, 2]), equal(1, [2, 3]), equal(2, [3, 4]), equal(3, [2, 5])]
  expect(edgesFor(pools)).toEqual(['1>2', '2>3'])
})

it('leaves out excluded pools', () => {
  const pools = [equal(0, [1, 2]), equal(1, [2, 3]), equal(2, [1, 3])]
  expect(edgesFor(pools, { excludedPools: new Set([pools[2]!.id]) })).toEqual(['1>2', '2>3'])
})

it('chooses some of many tokens, and knows the others as outside', () => {
  const inner = Array.from({ length: 150 }, (_, n) => n + 10)
  const pools = inner.flatMap((n) => [
    pair(2 * n, [1, n], [BigInt(n) * E18, BigInt(n) * E18]),
    pair(2 * n + 1, [n, 3], [BigInt(n) * E18, BigInt(n) * E18]),
  ])
  const request = requestFor(pools, [1, 3, 1000n])
  const { tokens, outside, graph } = select(request)!
  expect(tokens.length).toBeLessThan(96)
  expect(tokens.length + outside.length).toBe(152)
  const chosen = [...tokens].map((k) => graph.tokens[k])
  expect(chosen).toContain(token(159))
  expect(chosen).not.toContain(token(10))
  expect(relaxOrder(request)!.tokens.length).toBe(152)
})

it('has no problem between a token and itself, a token unknown, or tokens that nothing connects', () => {
  const pools = [equal(0, [1, 2]), equal(1, [2, 3])]
  const excludedPools = new Set([pools[0]!.id])
  expect(select(requestFor(pools, [1, 3, 1000n], { excludedPools }))).toBeUndefined()
  expect(select(requestFor(pools, [1, 1, 1000n]))).toBeUndefined()
  expect(select(requestFor(pools, [1, 9, 1000n]))).toBeUndefined()
})

it('lists every edge once at the token that it leads to, with its start and its first price', () => {
  fc.assert(
    fc.property(anyCleanMarket, anyEnds, (pools, ends) => {
      const graph = buildGraph(snapshotOf(pools))
      const relaxation = relaxOrder(solveInputOf(graph, orderOf(pools, ends, 10n)))
      if (!relaxation) return
      const { from, to, tokens, edges, logSpot, entering } = relaxation
      const { firstInto, into, fromOfInto, logSpotOfInto } = entering
      const listed = [...tokens.keys()].flatMap((k) =>
        [...into.keys()].slice(firstInto[k], firstInto[k + 1]).map((n) => {
          expect(fromOfInto[n]).toBe(from[into[n]!])
          expect(logSpotOfInto[n]).toBe(graph.logSpot[edges[into[n]!]!])
          return `${into[n]} to ${k}`
        }),
      )
      expect(listed.sort()).toEqual([...to].map((k, i) => `${i} to ${k}`).sort())
      expect([...logSpot]).toEqual([...edges].map((e) => graph.logSpot[e]))
    }),
    { numRuns: 30 },
  )
})
