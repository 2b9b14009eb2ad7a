import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import type { Hex } from '../../hex.js'
import type { UniswapV3Pool } from '../../pools/uniswapV3/index.js'
import { AmountTooSmallError, quote } from '../../quote.js'
import { snapshotOf, token } from '../../testing/arbitraryMarkets.js'

const pool = (
  id: number,
  tokens: readonly [number, number],
  state: Pick<
    UniswapV3Pool,
    'feePpm' | 'tickSpacing' | 'sqrtPriceX96' | 'tick' | 'liquidity' | 'ticks'
  >,
): UniswapV3Pool => ({
  family: 'uniswapV3',
  id: `0x${id.toString(16).padStart(40, '0')}` as Hex,
  venue: 'test-v3',
  tokens: [token(tokens[0]), token(tokens[1])],
  ...state,
})

describe('the trade of an edge at its own spot price', () => {
  it('is a number if the first range of the pool is all but empty', () => {
    const pools = [
      pool(1, [1, 2], {
        ...{ feePpm: 500, tickSpacing: 10, tick: 175653, liquidity: 23n },
        sqrtPriceX96: 516351347979529438740263844849080n,
        ticks: [
          { index: 172160, liquidityNet: 23n },
          { index: 180370, liquidityNet: 4048774508126593003n },
          { index: 180570, liquidityNet: -4048774508126593003n },
          { index: 190870, liquidityNet: -23n },
        ],
      }),
      pool(2, [4, 2], {
        ...{ feePpm: 100, tickSpacing: 1, tick: -297880, liquidity: 0n },
        sqrtPriceX96: 26966275540668918581232n,
        ticks: [
          { index: -296857, liquidityNet: 60302063850n },
          { index: -280462, liquidityNet: -60302063850n },
        ],
      }),
      pool(3, [3, 1], {
        ...{ feePpm: 10000, tickSpacing: 200, tick: -46352, liquidity: 72388685456437558319n },
        sqrtPriceX96: 7805648944225012982527634160n,
        ticks: [
          { index: -49600, liquidityNet: 72388685456437558319n },
          { index: -28000, liquidityNet: -72388685456437558319n },
        ],
      }),
    ]
    const order = { tokenIn: token(3), tokenOut: token(4), amountIn: 1n }
    const graph = buildGraph(snapshotOf(pools))
    expect(() => quote(graph, order)).toThrow(AmountTooSmallError)
  })
})
