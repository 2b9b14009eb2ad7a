import type { Address } from '@braid-swap/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { erc20Abi, uniswapV2Abi, uniswapV3Abi } from '../abis.js'
import { createTokens } from '../market/tokens.js'
import { type Chain, startChain } from '../node/chain.js'
import { sortTokens } from '../node/deploy.js'
import { approveCall } from '../node/erc20.js'
import { fullRange } from './position.js'
import { createV2Pool, deployUniswapV2, type UniswapV2, v2SwapCall } from './uniswapV2.js'
import { createV3Pool, deployUniswapV3, type UniswapV3, v3SwapCall } from './uniswapV3.js'

let chain: Chain
let v2: UniswapV2
let v3: UniswapV3
let tokens: readonly [Address, Address]
let from: Address

beforeAll(async () => {
  chain = await startChain()
  v2 = await deployUniswapV2(chain, 'test-v2')
  v3 = await deployUniswapV3(chain, 'test-v3')
  const [a, b] = await createTokens(chain, [
    { symbol: 'A', name: 'A', decimals: 18 },
    { symbol: 'B', name: 'B', decimals: 18 },
  ])
  tokens = sortTokens(a!.address, b!.address)
  from = chain.accounts[1]!.address
  await chain.fund(from, tokens[0], 10n ** 24n)
  await chain.execute(
    [v2.router, v3.router].map((spender) => approveCall(tokens[0], { owner: from, spender })),
  )
})

afterAll(() => chain.stop())

test('a venue states its factory and its first block', async () => {
  for (const { venue, factory } of [v2, v3]) {
    expect(venue.factory).toBe(factory)
    const at = (blockNumber: bigint) => chain.client.getCode({ address: factory, blockNumber })
    expect(await at(venue.fromBlock!)).toBeDefined()
    expect(await at(venue.fromBlock! - 1n)).toBeUndefined()
  }
})

test('a V2 pool starts with its amounts and pays by the constant-product formula', async () => {
  const amounts = [10n ** 21n, 3n * 10n ** 20n] as const
  const pool = await createV2Pool(chain, v2, { tokens, amounts })
  expect(pool).toMatchObject({ venue: 'test-v2', family: 'uniswapV2', tokens, feePpm: 3000 })
  const [reserve0, reserve1] = await chain.client.readContract({
    address: pool.address,
    abi: uniswapV2Abi,
    functionName: 'getReserves',
  })
  expect([reserve0, reserve1]).toEqual(amounts)
  const amountIn = 7n * 10n ** 18n + 1n
  const swap = { from, tokenIn: tokens[0], tokenOut: tokens[1], amountIn }
  const received = await received1(() => chain.execute([v2SwapCall(v2, swap)]))
  // UniswapV2Library.getAmountOut
  const x = amountIn * 997n
  expect(received).toBe((x * reserve1) / (reserve0 * 1000n + x))
})

test('a V3 pool starts at its price with its liquidities and crosses ticks', async () => {
  const wide = { ...fullRange(10), liquidity: 10n ** 20n }
  const narrow = { tickLower: -20, tickUpper: 30, liquidity: 5n * 10n ** 20n }
  const above = { tickLower: 40, tickUpper: 80, liquidity: 10n ** 20n }
  const sqrtPriceX96 = 2n ** 96n + 12345n
  const positions = [wide, narrow, above]
  const pool = await createV3Pool(chain, v3, { tokens, feePpm: 500, sqrtPriceX96, positions })
  expect(pool).toMatchObject({ venue: 'test-v3', family: 'uniswapV3', tokens, feePpm: 500 })
  const contract = { address: pool.address, abi: uniswapV3Abi } as const
  const [price, tick] = await chain.client.readContract({ ...contract, functionName: 'slot0' })
  expect([price, tick]).toEqual([sqrtPriceX96, 0])
  const liquidity = await chain.client.readContract({ ...contract, functionName: 'liquidity' })
  expect(Number(liquidity)).toBeCloseTo(6e20, -10)
  const amountIn = 10n ** 19n
  const { result } = await chain.client.simulateContract({
    address: v3.quoter,
    abi: uniswapV3Abi,
    functionName: 'quoteExactInputSingle',
    args: [{ tokenIn: tokens[0], tokenOut: tokens[1], amountIn, fee: 500, sqrtPriceLimitX96: 0n }],
  })
  const [quoted, , ticksCrossed] = result
  expect(ticksCrossed).toBe(1)
  const swap = { from, tokenIn: tokens[0], tokenOut: tokens[1], amountIn, feePpm: 500 }
  expect(await received1(() => chain.execute([v3SwapCall(v3, swap)]))).toBe(quoted)
})

test('any fee a deployment enables can have pools', async () => {
  const other = await deployUniswapV3(chain, 'odd-v3', { 1234: 7 })
  expect(other.tickSpacings).toEqual({ 500: 10, 1234: 7, 3000: 60, 10000: 200 })
  const pool = await createV3Pool(chain, other, {
    ...{ tokens, feePpm: 1234, sqrtPriceX96: 2n ** 96n },
    positions: [{ tickLower: -7, tickUpper: 14, liquidity: 10n ** 18n }],
  })
  const spacing = await chain.client.readContract({
    address: pool.address,
    abi: uniswapV3Abi,
    functionName: 'tickSpacing',
  })
  expect(spacing).toBe(7)
})

test('tokens that are not in ascending order are rejected', async () => {
  const wrong = [tokens[1], tokens[0]] as const
  const expected = { code: 'TOKEN_ORDER', details: { token0: tokens[1], token1: tokens[0] } }
  await expect(createV2Pool(chain, v2, { tokens: wrong, amounts: [1n, 1n] })).rejects.toMatchObject(
    expected,
  )
  await expect(
    createV3Pool(chain, v3, { tokens: wrong, feePpm: 500, sqrtPriceX96: 1n, positions: [] }),
  ).rejects.toMatchObject(expected)
})

test('the contract rejects a position off the tick spacing, and the error names it', async () => {
  const positions = [{ tickLower: -5, tickUpper: 10, liquidity: 10n ** 18n }]
  await expect(
    createV3Pool(chain, v3, { tokens, feePpm: 3000, sqrtPriceX96: 2n ** 96n, positions }),
  ).rejects.toMatchObject({
    code: 'TRANSACTION_REVERTED',
    details: { label: expect.stringContaining('[-5, 10]') },
  })
})

/** The amount of token1 that the sender gains by an action, in wei. */
async function received1(action: () => Promise<unknown>): Promise<bigint> {
  const balance = () =>
    chain.client.readContract({
      address: tokens[1],
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [from],
    })
  const before = await balance()
  await action()
  return (await balance()) - before
}
