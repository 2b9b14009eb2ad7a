/**
 * Keeps the prices of pools with the same tokens close together. Each swap of the trader moves the
 * price of one pool away from the others. Without correction, the pools of a pair drift apart by
 * several percent and the best route becomes a tour of mispriced pools. The arbitrageur trades each
 * pool back to the price table, as against a deep market elsewhere. The amount has a closed form,
 * because the devnet knows every position it minted.
 */
import type { Hex } from '@braid-swap/core'
import { algebraAbi, uniswapV2Abi, uniswapV3Abi } from '../abis.js'
import type { Chain } from '../node/chain.js'
import type { Call } from '../node/transactions.js'
import { amountsOfUnit } from '../pools/position.js'
import { swapCall } from './deployment.js'
import { NOISE_OF_FEE } from './marketPlan.js'
import type { TradedMarket, TradedPool } from './trader.js'

/** The maximum of swaps per block, so that other transactions fit in the block. */
const MAX_SWAPS = 6

/** A swap that closes the gap between a pool's price and the fair price. */
export type PriceCorrection = {
  /** The index of the input token in the pool's tokens. */
  readonly tokenIn: 0 | 1
  /** The input in wei, including the pool's fee. */
  readonly amountIn: bigint
  /** The logarithm of the gap divided by the pool's tolerance; above 1. */
  readonly urgency: number
}

/**
 * Sends swaps that close the widest gaps, at most {@link MAX_SWAPS}, at the prices after pending
 * transactions. The trader sends them, because it has the tokens and the approvals.
 */
export async function arbitrage(chain: Chain, market: TradedMarket): Promise<readonly Hex[]> {
  const { pools, trader } = market
  const prices = await readPendingPrices(chain, pools)
  const corrections = pools.flatMap((pool, i) => {
    const correction = correctPrice(pool, prices[i]!)
    return correction === undefined ? [] : [{ pool, correction }]
  })
  const widest = corrections
    .sort((a, b) => b.correction.urgency - a.correction.urgency)
    .slice(0, MAX_SWAPS)
  return chain.send(
    widest.map(({ pool, correction: { tokenIn, amountIn } }): Call => {
      const [from, to] = tokenIn === 0 ? pool.tokens : [pool.tokens[1], pool.tokens[0]]
      return swapCall(pool.deployment, {
        ...{ pool, from: trader.address, tokenIn: from, tokenOut: to, amountIn },
      })
    }),
  )
}

/**
 * The swap that moves a pool from `price` (wei of token1 per wei of token0) to its fair price.
 * Undefined if the price is within the tolerance of a new pool.
 */
export function correctPrice(
  pool: Pick<TradedPool, 'fairPrice' | 'feePpm' | 'amounts' | 'positions'>,
  price: number,
): PriceCorrection | undefined {
  const fee = pool.feePpm / 1e6
  const urgency = Math.abs(Math.log(price / pool.fairPrice)) / (NOISE_OF_FEE * fee)
  if (urgency <= 1) return undefined
  // Selling token0 lowers the price.
  const tokenIn = price > pool.fairPrice ? 0 : 1
  const missing = holdingAt(pool, pool.fairPrice)[tokenIn] - holdingAt(pool, price)[tokenIn]
  const amountIn = BigInt(Math.round(Math.max(missing, 0) / (1 - fee)))
  return amountIn === 0n ? undefined : { tokenIn, amountIn, urgency }
}

/** The reserves of the pool's liquidity at a price, in wei of each token. */
function holdingAt(
  { amounts, positions }: Pick<TradedPool, 'amounts' | 'positions'>,
  price: number,
): readonly [number, number] {
  const s = Math.sqrt(price)
  if (positions === undefined) {
    // x·y = k. Fees added to k are ignored, because they are smaller than the tolerated gap.
    const liquidity = Math.sqrt(Number(amounts[0]) * Number(amounts[1]))
    return [liquidity / s, liquidity * s]
  }
  const held = positions.map(({ liquidity, ...range }) => {
    const unit = amountsOfUnit(range, s)
    return [unit[0] * Number(liquidity), unit[1] * Number(liquidity)] as const
  })
  const sum = (i: 0 | 1) => held.reduce((total, pair) => total + pair[i], 0)
  return [sum(0), sum(1)]
}

/** The price of each pool (wei of token1 per wei of token0) after all pending transactions. */
async function readPendingPrices(
  { client }: Pick<Chain, 'client'>,
  pools: readonly TradedPool[],
): Promise<readonly number[]> {
  const states = await client.multicall({
    allowFailure: false,
    batchSize: 0,
    blockTag: 'pending',
    contracts: pools.map(({ address, family }) => {
      if (family === 'uniswapV2') {
        return { address, abi: uniswapV2Abi, functionName: 'getReserves' } as const
      }
      return family === 'uniswapV3'
        ? ({ address, abi: uniswapV3Abi, functionName: 'slot0' } as const)
        : ({ address, abi: algebraAbi, functionName: 'globalState' } as const)
    }),
  })
  return pools.map(({ family }, i) => {
    const [first, second] = states[i]!
    return family === 'uniswapV2' ? Number(second) / Number(first) : (Number(first) / 2 ** 96) ** 2
  })
}
