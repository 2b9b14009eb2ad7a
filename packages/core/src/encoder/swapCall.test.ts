import { expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { NATIVE, toHex, ZERO_ADDRESS } from '../hex.js'
import type { Pool } from '../pools/index.js'
import { quote } from '../quote.js'
import type { Snapshot } from '../snapshot.js'
import { findMismatches, readIntent, replayIntent } from './intent.js'
import { nativeValueOf, routerCallOf, swapCallOf } from './swapCall.js'

const E18 = 10n ** 18n
const WRAPPED = toHex(0x55, 20)
const A = toHex(0xa, 20)
const ROUTER = toHex(0xffff, 20)
const wrap: Pool = { family: 'wrap', id: WRAPPED, tokens: [NATIVE, WRAPPED], venue: 'whype' }
const pair: Pool = {
  ...{ family: 'uniswapV2', id: toHex(0x99, 20), venue: 'test', tokens: [A, WRAPPED] },
  ...{ reserves: [1000n * E18, 2000n * E18], feePpm: 3000 },
}
const snapshot: Snapshot = {
  chainId: 999,
  block: { number: 7n, hash: toHex(7, 32), timestamp: 1n, gasPrice: 0n, gasLimit: 2_000_000n },
  wrappedNative: WRAPPED,
  tokens: [A, WRAPPED].map((address) => ({ address, decimals: 18 })),
  pools: [wrap, pair],
}
const graph = buildGraph(snapshot)
const EXECUTOR = toHex(0xeee, 20)
const terms = {
  ...{ wrappedNative: WRAPPED, executor: EXECUTOR },
  ...{ slippagePpm: 10_000n, deadline: 1_700_000_000n },
}

it.each([
  ['a token for a token', A, WRAPPED],
  ['the native token for a token', NATIVE, A],
  ['a token for the native token', A, NATIVE],
  ['a bare wrap', NATIVE, WRAPPED],
  ['a bare unwrap', WRAPPED, NATIVE],
])('the call of %s asks for the order and executes the quote', (_, tokenIn, tokenOut) => {
  const order = { tokenIn, tokenOut, amountIn: E18 }
  const quoted = quote(graph, order)
  const call = routerCallOf(quoted, terms)
  const isBareWrap = quoted.route.length === 1 && quoted.route[0]!.pool === wrap
  const floor = isBareWrap ? E18 : (quoted.amountOut * 99n + 99n) / 100n
  expect(call).toMatchObject({ ...order, minAmountOut: floor, receiver: ZERO_ADDRESS })
  expect(call).not.toHaveProperty('payment')
  const tx = swapCallOf(ROUTER, call)
  expect(tx).toMatchObject({ to: ROUTER, value: tokenIn === NATIVE ? E18 : 0n })
  const wanted = { ...order, minAmountOut: floor, receiver: ZERO_ADDRESS, deadline: terms.deadline }
  const known = { router: ROUTER, executors: [EXECUTOR], wrappedNative: WRAPPED }
  expect(findMismatches(tx, { ...known, wanted })).toEqual([])
  const executed = replayIntent(readIntent(tx.data, WRAPPED), snapshot)
  expect(executed).toEqual({ amountOut: quoted.amountOut })
})

it('the call executes the quote through two pools of one manager, of which one is native', () => {
  const kept: Extract<Pool, { family: 'uniswapV4' }> = {
    ...{ family: 'uniswapV4', id: toHex(1, 32), manager: toHex(0x77, 20), venue: 'test' },
    ...{ tokens: [A, WRAPPED], isNative: false, lpFeePpm: 3000, protocolFeesPpm: [0, 0] },
    ...{ tickSpacing: 60, hooks: ZERO_ADDRESS, tick: 0, sqrtPriceX96: 1n << 96n },
    liquidity: 1000n * E18,
    ticks: [
      { index: -60_000, liquidityNet: 1000n * E18 },
      { index: 60_000, liquidityNet: -1000n * E18 },
    ],
  }
  const native = { ...kept, id: toHex(2, 32), tokens: [WRAPPED, A] as const, isNative: true }
  const both = { ...snapshot, pools: [wrap, kept, native] }
  const quoted = quote(buildGraph(both), { tokenIn: A, tokenOut: NATIVE, amountIn: 100n * E18 })
  expect(new Set(quoted.route.map(({ pool }) => pool))).toEqual(new Set(both.pools))
  const tx = swapCallOf(ROUTER, routerCallOf(quoted, terms))
  const intent = readIntent(tx.data, WRAPPED)
  expect(intent.faults).toEqual([])
  expect(replayIntent(intent, both)).toEqual({ amountOut: quoted.amountOut })
})

it('the call carries the receiver and the payment that the terms name', () => {
  const quoted = quote(graph, { tokenIn: A, tokenOut: NATIVE, amountIn: E18 })
  const more = { receiver: toHex(0x5e, 20), payment: { by: 'permit', signature: '0x12' } } as const
  const call = routerCallOf(quoted, { ...terms, ...more })
  expect(call).toMatchObject(more)
  expect(readIntent(swapCallOf(ROUTER, call).data, WRAPPED).call).toEqual(call)
})

it('the native token is sent only if it goes in', () => {
  expect(nativeValueOf({ tokenIn: NATIVE, amountIn: 5n })).toBe(5n)
  expect(nativeValueOf({ tokenIn: WRAPPED, amountIn: 5n })).toBe(0n)
})
