import { expect, it } from 'vitest'
import { getSqrtPriceAtTick } from '../../math/tickMath.js'
import { estimateGas, getAmountOut, type Pool } from '../../pools/index.js'
import { WORD_GAS } from '../../pools/uniswapV3/swap.js'
import { pair, token } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { gasAfter, gasAt, inputSaving } from './gas.js'

const E18 = 10n ** 18n
const ranges: Pool = {
  ...{ family: 'uniswapV3', id: `0x${'31'.repeat(20)}`, venue: 'test', feePpm: 500 },
  ...{ tokens: [token(1), token(2)], tickSpacing: 60, tick: 0, liquidity: 1000n * E18 },
  sqrtPriceX96: getSqrtPriceAtTick(0),
  ticks: [
    { index: -1200, liquidityNet: 500n * E18 },
    { index: -60, liquidityNet: 500n * E18 },
    { index: 60, liquidityNet: -500n * E18 },
    { index: 1200, liquidityNet: -500n * E18 },
  ],
}

it('charges an edge for every tick that its flow crosses, and never below its least', () => {
  const problem = problemOf([ranges], [1, 2, E18])
  const [i] = edgesOf(problem, 1, 2)
  const { graph, edges } = problem
  const e = edges[i!]!
  const [within, beyond] = [gasAt(problem, i!, 1e18), gasAt(problem, i!, 1e19)]
  expect(within).toBeGreaterThanOrEqual(graph.gas[e]!)
  expect(beyond - within).toBeGreaterThanOrEqual(graph.stepGas[e]!)
  expect(graph.stepGas[e]).toBeGreaterThan(0)
})

it('lets a pair be paid by the pair before it, without the gas of custody', () => {
  const pools = [pair(0, [1, 2], [E18, E18]), pair(1, [2, 3], [E18, E18])]
  const problem = problemOf(pools, [1, 3, E18 / 100n])
  const [first, second] = [edgesOf(problem, 1, 2)[0]!, edgesOf(problem, 2, 3)[0]!]
  expect(gasAfter(problem, first, second, 1e16)).toBe(
    gasAt(problem, second, 1e16) - problem.graph.custodyGas[problem.edges[second]!]!,
  )
})

it('counts ticks and words of the bitmap as the pool does, in both directions and at any price in a word', () => {
  const directions = [
    [1, 2],
    [2, 1],
  ] as const
  for (const tick of [0, 59, 15_359, -15_361, 200_000]) {
    const own = { ...ranges, tick, sqrtPriceX96: getSqrtPriceAtTick(tick) + 1n }
    const shifted = (index: number) => Math.floor(tick / 60) * 60 + index
    const wide: Pool = {
      ...own,
      ticks: [
        { index: shifted(-90_000), liquidityNet: 500n * E18 },
        { index: shifted(-60), liquidityNet: 500n * E18 },
        { index: shifted(120), liquidityNet: -500n * E18 },
        { index: shifted(90_000), liquidityNet: -500n * E18 },
      ],
    }
    for (const [a, b] of directions) {
      const problem = problemOf([wide], [a, b, E18])
      const [i] = edgesOf(problem, a, b)
      const direction = a === 1 ? { in: 0, out: 1 } : { in: 1, out: 0 }
      let words = 0
      for (let bits = 40n; bits < 100n; bits++) {
        const amountIn = 3n ** bits % 2n ** bits
        if (getAmountOut(wide, direction, amountIn) === 0n) continue
        const predicted = gasAt(problem, i!, Number(amountIn))
        expect(predicted, `${amountIn} from tick ${tick}`).toBe(
          estimateGas(wide, direction, amountIn),
        )
        // The rest without the least gas and the crossed ticks.
        words = Math.max(words, (predicted - 92_000) % 66_000)
      }
      expect(words).toBeGreaterThan(0)
    }
  }
})

it('saves the gas of words by less input', () => {
  const wide: Pool = {
    ...ranges,
    ticks: [
      { index: -90_000, liquidityNet: 1000n * E18 },
      { index: 90_000, liquidityNet: -1000n * E18 },
    ],
  }
  const problem = problemOf([wide], [1, 2, E18])
  const [i] = edgesOf(problem, 1, 2)
  problem.x[i!] = 3e22
  const gas = gasAt(problem, i!)
  for (const excess of [1, WORD_GAS, WORD_GAS + 1, 20_000]) {
    const input = inputSaving(problem, i!, excess)
    expect(input).toBeGreaterThan(0)
    expect(gas - gasAt(problem, i!, input)).toBe(WORD_GAS * Math.ceil(excess / WORD_GAS))
    expect(gas - gasAt(problem, i!, input * 1.001)).toBeLessThan(
      WORD_GAS * Math.ceil(excess / WORD_GAS),
    )
  }
  expect(inputSaving(problem, i!, 1e6)).toBe(0)
})

it('saves no gas by less input where only hops and ticks cost it', () => {
  const problem = problemOf([pair(1, [1, 2], [100n * E18, 100n * E18])], [1, 2, E18])
  const [i] = edgesOf(problem, 1, 2)
  expect(inputSaving(problem, i!, 1)).toBe(0)
})
