import { expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { solve } from './solve.js'
import type { Options } from './terms.js'

const E18 = 10n ** 18n
const snapshot = snapshotOf(
  [
    pair(1, [0, 1], [900n * E18, 1000n * E18]),
    pair(2, [1, 2], [1000n * E18, 2000n * E18]),
    pair(3, [1, 2], [500n * E18, 1000n * E18]),
  ],
  10n ** 9n,
)
const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 10n * E18 }
const answer = (options?: Options) => {
  const { hops, bound } = solve(buildGraph(snapshot), order, options)!
  return { hops: hops.map(({ pool, share }) => ({ pool: pool.id, share })), bound }
}

it('have the defaults that they state', () => {
  const stated: Required<Omit<Options, 'maxHops' | 'onlyIntermediates'>> = {
    objective: 'net',
    gasPrice: snapshot.block.gasPrice,
    maxGas: 0.8 * Number(snapshot.block.gasLimit),
    maxLegs: 24,
    certificate: 'paths',
    excludedPools: new Set(),
    start: {},
    shouldStop: () => false,
  }
  expect(answer(stated)).toEqual(answer())
})

it('exclude pools', () => {
  const [first] = snapshot.pools.filter((pool) => pool.tokens.includes(token(2)))
  const { hops } = answer({ excludedPools: new Set([first!.id]) })
  expect(answer().hops.length).toBe(2)
  expect(hops.map(({ pool }) => pool)).not.toContain(first!.id)
})
