import type { Hex } from '@braid-swap/core'
import { algebraAbi, uniswapV2Abi, uniswapV3Abi } from '../abis.js'
import type { Account } from '../node/accounts.js'
import type { Chain } from '../node/chain.js'
import type { Call } from '../node/transactions.js'
import type { DevnetPool } from '../pools/pool.js'
import type { Position } from '../pools/position.js'
import { type Deployment, swapCall } from './deployment.js'
import type { Random } from './random.js'

/** A pool the trader swaps in. */
export type TradedPool = DevnetPool & {
  readonly deployment: Deployment
  /** The fair price for the trader, in wei of token1 per wei of token0. */
  readonly fairPrice: number
  /** Initial wei of each token in the pool. */
  readonly amounts: readonly [bigint, bigint]
  /** The ranges of its liquidity; absent for a pool without ticks. */
  readonly positions?: readonly Position[]
}

/** The pools, the sender and the random source of the trader. */
export type TradedMarket = {
  readonly pools: readonly TradedPool[]
  readonly trader: Account
  readonly random: Random
}

/** Swap sizes, as fractions of the pool's initial amount of the input token. */
const MIN_SIZE = 0.0001
const MAX_SIZE = 0.02

/** The bias towards the fair price, per unit of log distance from it. */
const PULL = 8

/**
 * Sends `swaps` random swaps to the transaction pool. Sizes are log-uniform. The direction leans
 * towards the fair price, so that prices do not drift away in a long run.
 */
export async function trade(
  chain: Chain,
  market: TradedMarket,
  swaps: number,
): Promise<readonly Hex[]> {
  const { pools, trader, random } = market
  const picked = Array.from({ length: swaps }, () => random.pick(pools))
  const prices = await Promise.all(picked.map((pool) => readPrice(chain, pool)))
  const calls = picked.map((pool, i): Call => {
    const lean = 0.5 + PULL * Math.log(prices[i]! / pool.fairPrice)
    const sell0 = random.next() < Math.min(Math.max(lean, 0.05), 0.95)
    const part = MIN_SIZE * (MAX_SIZE / MIN_SIZE) ** random.next()
    const [token0, token1] = pool.tokens
    const depth = pool.amounts[sell0 ? 0 : 1]
    return swapCall(pool.deployment, {
      ...{ pool, from: trader.address },
      tokenIn: sell0 ? token0 : token1,
      tokenOut: sell0 ? token1 : token0,
      amountIn: (depth * BigInt(Math.round(part * 1e9))) / 1_000_000_000n,
    })
  })
  return chain.send(calls)
}

/** The current price of the pool before fees, in wei of token1 per wei of token0. */
export async function readPrice(
  chain: Pick<Chain, 'client'>,
  pool: Pick<DevnetPool, 'address' | 'family'>,
): Promise<number> {
  const { address } = pool
  if (pool.family === 'uniswapV2') {
    const [reserve0, reserve1] = await chain.client.readContract({
      address,
      abi: uniswapV2Abi,
      functionName: 'getReserves',
    })
    return Number(reserve1) / Number(reserve0)
  }
  const [sqrtPriceX96] =
    pool.family !== 'uniswapV3'
      ? await chain.client.readContract({
          ...{ address, abi: algebraAbi, functionName: 'globalState' },
        })
      : await chain.client.readContract({ address, abi: uniswapV3Abi, functionName: 'slot0' })
  return (Number(sqrtPriceX96) / 2 ** 96) ** 2
}
