import { describe, expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { NATIVE } from '../hex.js'
import type { Pool } from '../pools/index.js'
import { amountOutOf } from '../replay.js'
import { pair, snapshotOf, token, WRAPPED } from '../testing/arbitraryMarkets.js'
import { quoteDelivery } from './quoteDelivery.js'
import { quoteExactOut } from './quoteExactOut.js'

const E18 = 10n ** 18n
const A = token(1)
const B = token(2)
const wrap: Pool = { family: 'wrap', id: WRAPPED, tokens: [NATIVE, WRAPPED], venue: 'whype' }
const graph = buildGraph(
  snapshotOf([wrap, pair(1, [1, 2], [E18, E18]), pair(2, [0, 1], [E18, E18])]),
)

describe('quoteDelivery', () => {
  it('sells the least input raised by the slippage, which pays the wanted output', () => {
    const wanted = { tokenIn: A, tokenOut: B, amountOut: E18 / 100n }
    const { least, sale } = quoteDelivery(graph, wanted, { slippagePpm: 5_000n })
    expect(least.order).toEqual(quoteExactOut(graph, wanted).order)
    expect(sale.order.amountIn).toBe((least.order.amountIn * 1_005_000n + 999_999n) / 1_000_000n)
    expect(sale.amountOut).toBeGreaterThan(wanted.amountOut)
    expect(amountOutOf(sale.route, sale.order)).toBe(sale.amountOut)
  })

  it('sells the least input itself without slippage, and for a wrap', () => {
    const wanted = { tokenIn: A, tokenOut: B, amountOut: 1_000n }
    const exact = quoteDelivery(graph, wanted, { slippagePpm: 0n })
    expect(exact.sale).toBe(exact.least)
    const wrapped = { tokenIn: NATIVE, tokenOut: WRAPPED, amountOut: 7n }
    const { sale } = quoteDelivery(graph, wrapped, { slippagePpm: 500_000n })
    expect([sale.order.amountIn, sale.amountOut]).toEqual([7n, 7n])
  })

  it('begins with one wrap if the token in is native', () => {
    const wanted = { tokenIn: NATIVE, tokenOut: A, amountOut: E18 / 100n }
    const { sale } = quoteDelivery(graph, wanted, { slippagePpm: 10_000n })
    expect(sale.route.map(({ pool }) => pool.family)).toEqual(['wrap', 'uniswapV2'])
  })
})
