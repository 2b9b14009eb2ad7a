// An analyst's program: pools of three families by hand, a quote over them, its proof and its bytes. No node is asked.
import { routerDeployment } from '@braid-swap/contracts'
import {
  type Address,
  type BaseError,
  buildGraph,
  checkBound,
  checkSnapshot,
  decodeProgram,
  encodeProgram,
  quote,
  type Snapshot,
} from '@braid-swap/core'
import {
  type CurveStableSwapPool,
  getAmountOut,
  type UniswapV2Pool,
  type UniswapV3Pool,
} from '@braid-swap/core/families'

const addressOf = (digit: number): Address => `0x${`${digit}`.repeat(40)}`
const [tokenIn, tokenOut, wrappedNative] = [addressOf(1), addressOf(2), addressOf(3)]
const tokens = [tokenIn, tokenOut] as const
const unit = 10n ** 18n

const pair: UniswapV2Pool = {
  ...{ family: 'uniswapV2', id: addressOf(4), venue: 'mine', tokens, feePpm: 3_000 },
  reserves: [1_000n * unit, 1_000n * unit],
}
const ranged: UniswapV3Pool = {
  ...{ family: 'uniswapV3', id: addressOf(5), venue: 'mine', tokens, feePpm: 500 },
  ...{ tickSpacing: 10, tick: 0, sqrtPriceX96: 1n << 96n, liquidity: 1_000n * unit },
  ticks: [
    { index: -600, liquidityNet: 1_000n * unit },
    { index: 600, liquidityNet: -1_000n * unit },
  ],
}
const stable: CurveStableSwapPool = {
  ...{ family: 'curveStableSwap', id: addressOf(6), venue: 'mine', tokens, isNg: true },
  ...{ balances: [100n * unit, 100n * unit], rates: [unit, unit], rounding: 'once' },
  ...{ A: 10_000n, aPrecision: 100n, fee: 4_000_000n, adminFee: 5_000_000_000n },
  offpegFeeMultiplier: 20_000_000_000n,
}
const snapshot: Snapshot = checkSnapshot({
  ...{ chainId: 999, wrappedNative, pools: [pair, ranged, stable] },
  tokens: tokens.map((address) => ({ address, decimals: 18 })),
  block: {
    ...{ number: 1n, hash: `0x${'0'.repeat(64)}`, timestamp: 1n },
    ...{ gasPrice: 0n, gasLimit: 30_000_000n },
  },
})

const order = { tokenIn, tokenOut, amountIn: 200n * unit }
const answer = quote(buildGraph(snapshot), order)
const direction = { in: 0, out: 1 }
const best = [pair, ranged, stable].map((pool) => getAmountOut(pool, direction, order.amountIn))
if (answer.route.length !== 3) throw new Error(`${answer.route.length} of three pools are used`)
if (best.some((amount) => amount >= answer.amountOut)) throw new Error('one pool alone pays more')
if (!answer.bound || !checkBound(snapshot, order, answer.bound).ok) {
  throw new Error('the bound does not hold')
}
const program = encodeProgram(answer.route, order)
if (decodeProgram(program, order).hops.length !== 3) throw new Error('the bytes have other hops')
try {
  checkSnapshot({ ...snapshot, pools: [{ ...pair, reserves: [-1n, 1n] }] })
  throw new Error('a pool that owes was accepted')
} catch (error) {
  if ((error as BaseError).code !== 'BAD_SNAPSHOT') throw error
}
const { router } = routerDeployment(wrappedNative)
console.log(`${answer.amountOut} wei by ${program.length / 2 - 1} bytes for ${router}`)
