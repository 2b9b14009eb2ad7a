import { toHex } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { type DrawnHop, type DrawnQuote, type TokenLabels, toDrawnHops } from './plan.js'
import { drawQuote } from './quote.js'
import { percentText, toSixDigits } from './text.js'
import { drawTree } from './tree.js'

const [HYPE, USDC, BTC, ETH] = [toHex(0xa, 20), toHex(0xb, 20), toHex(0xc, 20), toHex(0xd, 20)]
const labels: TokenLabels = new Map([
  [HYPE, { symbol: 'WHYPE', decimals: 18 }],
  [USDC, { symbol: 'USDC', decimals: 6 }],
  [BTC, { symbol: 'UBTC', decimals: 8 }],
])
const E18 = 10n ** 18n

function hop(
  pool: number,
  [tokenIn, amountIn]: readonly [DrawnHop['tokenIn'], bigint],
  [tokenOut, amountOut]: readonly [DrawnHop['tokenIn'], bigint],
): DrawnHop {
  const deployed = { pool: toHex(pool, 20), venue: 'devnet-v3a', family: 'uniswapV3', feePpm: 500 }
  return { tokenIn, tokenOut, amountIn, amountOut, ...deployed }
}

const braided: DrawnQuote = {
  tokenIn: HYPE,
  tokenOut: ETH,
  amountIn: 3n * E18,
  amountOut: 90n,
  gas: 512_000n,
  block: 7n,
  hops: [
    hop(1, [HYPE, E18], [USDC, 40_000_000n]),
    hop(2, [HYPE, E18 / 2n], [USDC, 20_000_000n]),
    hop(3, [HYPE, (3n * E18) / 2n], [BTC, 61_803n]),
    hop(4, [USDC, 15_000_000n], [BTC, 15_000n]),
    hop(5, [USDC, 45_000_000n], [ETH, 40n]),
    hop(6, [BTC, 76_803n], [ETH, 50n]),
  ],
}

describe('a route', () => {
  it('is drawn with one line per hop, a token’s hops below the last hop that outputs it', () => {
    expect(drawTree(braided, { labels })).toMatchInlineSnapshot(`
      "3 WHYPE
      ├─     33.33 %  1 WHYPE          → 40 USDC                 devnet-v3a  uniswapV3  0.05 %  0x000000…000001  continues below
      ├─     16.67 %  0.5 WHYPE        → 20 USDC                 devnet-v3a  uniswapV3  0.05 %  0x000000…000002
      │  ├─  25.00 %  15 USDC          → 0.00015 UBTC            devnet-v3a  uniswapV3  0.05 %  0x000000…000004  continues below
      │  └─  75.00 %  45 USDC          → 40 wei 0x000000…00000d  devnet-v3a  uniswapV3  0.05 %  0x000000…000005
      └─     50.00 %  1.5 WHYPE        → 0.00061803 UBTC         devnet-v3a  uniswapV3  0.05 %  0x000000…000003
         └─ 100.00 %  0.00076803 UBTC  → 50 wei 0x000000…00000d  devnet-v3a  uniswapV3  0.05 %  0x000000…000006"
    `)
  })

  it('marks an output that is a lower bound, computed here or answered by an API', () => {
    const sampled = { ...hop(1, [HYPE, E18], [USDC, 40_000_000n]), sampled: true as const }
    const drawn = { ...braided, tokenOut: USDC, amountIn: E18 }
    expect(drawTree({ ...drawn, hops: [sampled] }, { labels })).toContain('→ ≥ 40 USDC')
    const { tokenIn, tokenOut, pool, venue, family, amountIn, amountOut } = sampled
    const entry = { from: tokenIn, to: tokenOut, pool, exchange: venue, poolType: family }
    const amounts = { amountIn: `${amountIn}`, amountOut: `${amountOut}` }
    const [answered] = toDrawnHops([{ ...entry, ...amounts, sampled: true }])
    expect(answered).toMatchObject({ sampled: true })
    expect(toDrawnHops([{ ...entry, ...amounts }])[0]).not.toHaveProperty('sampled')
  })

  it('shows prices and full addresses on request', () => {
    expect(drawTree(braided, { labels, details: 'prices' })).toMatchInlineSnapshot(`
      "3 WHYPE
      ├─     33.33 %  1 WHYPE          → 40 USDC                 40 USDC/WHYPE                  devnet-v3a  uniswapV3  0.05 %  0x0000000000000000000000000000000000000001  continues below
      ├─     16.67 %  0.5 WHYPE        → 20 USDC                 40 USDC/WHYPE                  devnet-v3a  uniswapV3  0.05 %  0x0000000000000000000000000000000000000002
      │  ├─  25.00 %  15 USDC          → 0.00015 UBTC            0.00001 UBTC/USDC              devnet-v3a  uniswapV3  0.05 %  0x0000000000000000000000000000000000000004  continues below
      │  └─  75.00 %  45 USDC          → 40 wei 0x000000…00000d  0.888889 0x000000…00000d/USDC  devnet-v3a  uniswapV3  0.05 %  0x0000000000000000000000000000000000000005
      └─     50.00 %  1.5 WHYPE        → 0.00061803 UBTC         0.00041202 UBTC/WHYPE          devnet-v3a  uniswapV3  0.05 %  0x0000000000000000000000000000000000000003
         └─ 100.00 %  0.00076803 UBTC  → 50 wei 0x000000…00000d  65101.6 0x000000…00000d/UBTC   devnet-v3a  uniswapV3  0.05 %  0x0000000000000000000000000000000000000006"
    `)
  })
})

describe('a quote', () => {
  it('is shown to the wei above its route', () => {
    expect(drawQuote(braided, { labels })).toBe(
      `pay      3 WHYPE (3000000000000000000 wei)
receive  90 wei of 0x000000000000000000000000000000000000000d
rate     30 0x000000…00000d/WHYPE
gas      512000 (estimate)
block    7

${drawTree(braided, { labels })}`,
    )
  })

  it('shows its gap to the best route if it is known', () => {
    expect(drawQuote({ ...braided, gapBps: 0.123 }, { labels })).toContain(
      'gap      at most 0.13 bps below the best route',
    )
  })

  it('says that the gap is unknown where the route is above its bound', () => {
    expect(drawQuote({ ...braided, gapBps: null }, { labels })).toContain('gap      unknown')
  })

  it('is drawn in the same way from an API’s graph', () => {
    const graph = braided.hops.map((entry) => ({
      from: entry.tokenIn.toUpperCase().replace('0X', '0x'),
      to: entry.tokenOut,
      pool: entry.pool,
      exchange: entry.venue,
      poolType: entry.family,
      amountIn: `${entry.amountIn}`,
      amountOut: `${entry.amountOut}`,
      fee: 0.05,
    }))
    expect(toDrawnHops(graph)).toEqual(braided.hops)
  })
})

describe('numbers', () => {
  it('keep six digits', () => {
    expect([0, 1, 0.1 + 0.2, 123_456.789, 1e20, 1.5e-12, 40].map(toSixDigits)).toEqual([
      ...['0', '1', '0.3', '123457', '1.00000e+20', '1.50000e-12', '40'],
    ])
  })

  it('round percents to the nearest hundredth', () => {
    expect([percentText(1n, 3n), percentText(2n, 3n), percentText(5n, 5n)]).toEqual([
      ...['33.33 %', '66.67 %', '100.00 %'],
    ])
  })
})
