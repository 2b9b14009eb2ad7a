import { type Address, NATIVE, type Pool, quote } from '@braid-swap/core'
import { replay, toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { frozenGraph, PURR, USDC, WHYPE } from '../testing/frozenMarket.js'
import { toGraph } from './graph.js'
import { graphEntrySchema } from './responses.js'

const [a, b, c] = [1, 2, 3].map((n): Address => toHex(n, 20)) as [Address, Address, Address]

const pair: Pool = {
  ...{ family: 'uniswapV2', id: toHex(0x10, 20), venue: 'test', feePpm: 3000 },
  ...{ tokens: [a, b], reserves: [10n ** 24n, 10n ** 24n] },
}
const sampled: Pool = {
  ...{ family: 'ladder', id: toHex(0x11, 20), venue: 'test', protocol: 'estimateSwap' },
  ...{ tokens: [b, c], ladders: [[[10n ** 24n, 10n ** 24n]], []] },
  ...{ sampledAt: 1n, quotedAt: 2n },
}

it('marks what a pool pays at least, and nothing else', () => {
  const direction = { in: 0, out: 1 } as const
  const hops = [
    { pool: pair, direction, share: 0 },
    { pool: sampled, direction, share: 0 },
  ]
  const order = { tokenIn: a, tokenOut: c, amountIn: 10n ** 20n }
  const [exact, least] = toGraph(replay(hops, order)!.route)
  expect(exact).not.toHaveProperty('sampled')
  expect(least).toMatchObject({ poolType: 'ladder', sampled: true })
  for (const entry of [exact, least]) expect(graphEntrySchema.parse(entry)).toEqual(entry)
})

it('shows the contract that keeps a pool, and the id of the pool there', () => {
  const id = toHex(0xabc, 32)
  const kept: Pool = {
    ...{ family: 'uniswapV4', id, manager: toHex(0x13, 20), venue: 'test', tokens: [a, b] },
    ...{ isNative: false, lpFeePpm: 3000, tickSpacing: 60, tick: 0 },
    protocolFeesPpm: [0, 0] as const,
    ...{ hooks: toHex(0, 20), sqrtPriceX96: 1n << 96n, liquidity: 10n ** 24n },
    ticks: [
      { index: -60_000, liquidityNet: 10n ** 24n },
      { index: 60_000, liquidityNet: -(10n ** 24n) },
    ],
  }
  const order = { tokenIn: a, tokenOut: b, amountIn: 10n ** 20n }
  const hops = [{ pool: kept, direction: { in: 0, out: 1 }, share: 0 }]
  const [entry] = toGraph(replay(hops, order)!.route)
  expect(entry).toMatchObject({ pool: toHex(0x13, 20), poolId: id, poolType: 'uniswapV4' })
  expect(graphEntrySchema.parse(entry)).toEqual(entry)
})

it('shows the fee of the hop, which may differ from that of the other direction', () => {
  const camelot: Pool = {
    ...{ family: 'camelot', id: toHex(0x12, 20), venue: 'test', tokens: [a, b] },
    ...{ stableSwap: false, reserves: [10n ** 24n, 10n ** 24n], ownerFeeShare: 0 },
    ...{ precisionMultipliers: [10n ** 18n, 10n ** 18n], feePercents: [180, 500] },
  }
  const feeOf = (direction: { readonly in: 0 | 1; readonly out: 0 | 1 }) => {
    const ends = {
      tokenIn: camelot.tokens[direction.in]!,
      tokenOut: camelot.tokens[direction.out]!,
    }
    const order = { ...ends, amountIn: 10n ** 20n }
    return toGraph(replay([{ pool: camelot, direction, share: 0 }], order)!.route)[0]!.fee
  }
  expect([feeOf({ in: 0, out: 1 }), feeOf({ in: 1, out: 0 })]).toEqual([0.18, 0.5])
})

it.each([
  [NATIVE, WHYPE],
  [WHYPE, NATIVE],
  [NATIVE, USDC],
  [USDC, NATIVE],
  [PURR, USDC],
])('names a wrap by family, by tokens and by poolType alike from %s to %s', (tokenIn, tokenOut) => {
  const amountIn = tokenIn === USDC ? 10n ** 9n : 10n ** 18n
  const { route } = quote(frozenGraph, { tokenIn, tokenOut, amountIn })
  const byFamily = route.map(({ pool }) => pool.family === 'wrap')
  const graph = toGraph(route)
  expect(graph.map(({ poolType }) => /^(un)?wrap$/.test(poolType))).toEqual(byFamily)
  expect(graph.map(({ from, to }) => [from, to].includes(NATIVE))).toEqual(byFamily)
  expect(route.map(({ pool }) => pool.tokens.includes(NATIVE))).toEqual(byFamily)
})
