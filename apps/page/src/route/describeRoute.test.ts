import { expect, it } from 'vitest'
import { hop, name } from '../testing/routes.js'
import { describeRoute } from './describeRoute.js'

const tokens = new Map(
  ['HYPE', 'USDC', 'UBTC'].map((symbol, i) => [
    name(i),
    { address: name(i), symbol, name: symbol, decimals: 18, verified: true },
  ]),
)

it('names the real ends of a route, even if a direct hop comes first', () => {
  const graph = [hop(0, 1, 5n), hop(0, 2, 5n), hop(2, 1, 5n)]
  expect(describeRoute(graph, tokens)).toBe(
    'Route from HYPE to USDC via UBTC: 3 hops, listed below',
  )
  expect(describeRoute(graph.slice(0, 1), tokens)).toBe(
    'Route from HYPE to USDC: 1 hop, listed below',
  )
  expect(describeRoute([], tokens)).toBe('No route yet')
})
