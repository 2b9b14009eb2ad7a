import type { UniswapV3Pool } from '@braid-swap/core/families'
import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { IGNORED_TOPICS, POOL_EVENTS } from './abi.js'
import { applyLog } from './applyLog.js'

const id = `0x${'11'.repeat(20)}` as const
const owner = `0x${'22'.repeat(20)}` as const
const pool: UniswapV3Pool = {
  ...{ family: 'uniswapV3', id, venue: 'test', feePpm: 3000, tickSpacing: 10 },
  tokens: [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`],
  ...{ sqrtPriceX96: 1n << 96n, tick: 0, liquidity: 100n },
  ticks: [
    { index: -50, liquidityNet: 100n },
    { index: 50, liquidityNet: -100n },
  ],
}

const change = (eventName: 'Mint' | 'Burn', [lower, upper]: [number, number], amount: bigint) => ({
  topics: encodeEventTopics({
    abi: POOL_EVENTS,
    eventName,
    args: { owner, tickLower: lower, tickUpper: upper },
  }) as readonly Hex[],
  data: encodeAbiParameters(
    [...(eventName === 'Mint' ? ['address'] : []), 'uint128', 'uint256', 'uint256'].map((type) => ({
      type,
    })),
    [...(eventName === 'Mint' ? [owner] : []), amount, 0n, 0n],
  ),
})
const swap = (sqrtPriceX96: bigint, liquidity: bigint, tick: number) => ({
  topics: encodeEventTopics({
    abi: POOL_EVENTS,
    eventName: 'Swap',
    args: { sender: owner, recipient: owner },
  }) as readonly Hex[],
  data: encodeAbiParameters(
    ['int256', 'int256', 'uint160', 'uint128', 'int24'].map((type) => ({ type })),
    [1n, -1n, sqrtPriceX96, liquidity, tick],
  ),
})

describe('a swap', () => {
  it('sets price, liquidity and tick', () => {
    const next = applyLog(pool, swap(123n << 90n, 100n, 13))
    expect(next).toEqual({ ...pool, sqrtPriceX96: 123n << 90n, tick: 13 })
  })

  it('reloads if the ticks do not sum to its liquidity, because a log was missed', () => {
    expect(applyLog(pool, swap(123n << 90n, 101n, 13))).toBe('reload')
    expect(applyLog(pool, swap(123n << 90n, 0n, 60))).toMatchObject({ liquidity: 0n, tick: 60 })
  })
})

describe('a mint', () => {
  it('in range adds liquidity; the lower tick is inclusive, the upper one exclusive', () => {
    expect(applyLog(pool, change('Mint', [0, 10], 7n))).toMatchObject({ liquidity: 107n })
    expect(applyLog(pool, change('Mint', [-10, 0], 7n))).toMatchObject({ liquidity: 100n })
  })

  it('keeps the ticks in order', () => {
    const next = applyLog(pool, change('Mint', [-60, 50], 7n)) as UniswapV3Pool
    expect(next.ticks).toEqual([
      { index: -60, liquidityNet: 7n },
      { index: -50, liquidityNet: 100n },
      { index: 50, liquidityNet: -107n },
    ])
  })

  it('keeps a tick with zero net liquidity: it is still initialised, and a swap still stops there', () => {
    const next = applyLog(pool, change('Mint', [50, 100], 100n)) as UniswapV3Pool
    expect(next.ticks).toContainEqual({ index: 50, liquidityNet: 0n })
  })
})

describe('a burn', () => {
  it('removes a part of the liquidity', () => {
    const next = applyLog(pool, change('Burn', [-50, 50], 40n)) as UniswapV3Pool
    expect(next.liquidity).toBe(60n)
    expect(next.ticks.map((tick) => tick.liquidityNet)).toEqual([60n, -60n])
  })

  it('of zero changes nothing', () => {
    expect(applyLog(pool, change('Burn', [-50, 50], 0n))).toBe(pool)
  })

  it('that leaves a tick with zero net liquidity reloads, because the tick may be gone', () => {
    expect(applyLog(pool, change('Burn', [-50, 50], 100n))).toBe('reload')
  })
})

describe('another log', () => {
  it('reloads, also for a first price', () => {
    const topics = encodeEventTopics({ abi: POOL_EVENTS, eventName: 'Initialize' }) as Hex[]
    const data = encodeAbiParameters([{ type: 'uint160' }, { type: 'int24' }], [1n << 96n, 0])
    expect(applyLog(pool, { topics, data })).toBe('reload')
    expect(applyLog(pool, { topics: [`0x${'00'.repeat(32)}`], data: '0x' })).toBe('reload')
  })

  it('is ignored only if it is known to change nothing', () => {
    const known = parseAbi([
      'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
      'event SetFeeProtocol(uint8 feeProtocol0Old, uint8 feeProtocol1Old, uint8 feeProtocol0New, uint8 feeProtocol1New)',
    ])
    for (const event of known) {
      expect(IGNORED_TOPICS).toContain(encodeEventTopics({ abi: [event] })[0])
    }
  })
})
