// Every term of the caller's own against the transactions of a server that changes one thing.

import { shippedChain } from '@braid-swap/contracts'
import {
  type Address,
  encodeProgram,
  encodeRouterCall,
  type Fee,
  NATIVE,
  type Pool,
  type RouterCall,
} from '@braid-swap/core'
import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import type { SwapRequest } from './requests.js'
import { type OwnTerms, verifySwap } from './verifySwap.js'

const [ROUTER, EXECUTOR, WALLET] = [toHex(0xb4a1d, 20), toHex(0xe4ec, 20), toHex(0xa1a1, 20)]
const { wrappedNative: WHYPE } = shippedChain
const USDC: Address = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const E18 = 10n ** 18n
const [AMOUNT, QUOTED, FLOOR] = [2_500n * E18, 100_000_000_000n, 99_500_000_000n]
const DEADLINE = 1_790_000_000n
const GAS = { gas: 500_000n, gasPrice: 10n ** 9n }

const pool: Pool = {
  ...{ family: 'uniswapV2', id: toHex(0xf00, 20), venue: 'test', tokens: [WHYPE, USDC] },
  ...{ reserves: [1n, 1n], feePpm: 3000 },
}
const hops = [{ pool, direction: { in: 0, out: 1 }, share: 0 }] as const
const programOf = (fee?: Fee) => encodeProgram(hops, { tokenIn: WHYPE, tokenOut: USDC }, fee)
const honest: RouterCall = {
  ...{ tokenIn: NATIVE, amountIn: AMOUNT, tokenOut: USDC, minAmountOut: FLOOR },
  ...{ receiver: ZERO_ADDRESS, deadline: DEADLINE, executor: EXECUTOR, program: programOf() },
}

/** What a server answers: an honest call but for a change. */
function built(
  change: Partial<RouterCall> = {},
  tx: object = {},
  dstAmount = QUOTED,
): Parameters<typeof verifySwap>[0] {
  const call = { ...honest, ...change }
  const value = call.tokenIn === NATIVE ? call.amountIn : 0n
  const sent = { from: ZERO_ADDRESS, to: ROUTER, data: encodeRouterCall(call), value, ...GAS }
  return { dstAmount, tx: { ...sent, ...tx } }
}

const request = { src: NATIVE, dst: USDC, amount: AMOUNT, slippage: '0.5' } as const
const own: OwnTerms = {
  ...{ router: ROUTER, executors: [EXECUTOR], minAmountOut: FLOOR - 1n, latestDeadline: DEADLINE },
  maxNetworkFee: GAS.gas * GAS.gasPrice,
}
const verify =
  (swapped = built(), asked: Partial<SwapRequest> = {}, terms: Partial<OwnTerms> = {}) =>
  () =>
    verifySwap(swapped, { ...request, ...asked } as SwapRequest, { ...own, ...terms })

describe('verifySwap', () => {
  it('returns what to send, at each limit of the caller’s own, and what the call does', () => {
    const { tx, call, hops } = verify()()
    const { data, value } = built().tx
    expect(tx).toEqual({
      ...{ to: ROUTER, data, value, gas: GAS.gas },
      ...{ maxFeePerGas: GAS.gasPrice, maxPriorityFeePerGas: 0n },
    })
    expect([call.amountIn, hops.length]).toEqual([AMOUNT, 1])
    const upper = ROUTER.toUpperCase().replace('0X', '0x') as Address
    expect(verify(built({}, { to: upper }), {}, { router: upper })().tx.to).toBe(ROUTER)
  })

  it('sends by `meta.fees`, up to the limit and with the tip that was asked for', () => {
    const feesAt = (maxFeePerGas: bigint, tip: bigint, asked = {}, maxNetworkFee = 1n << 90n) => {
      const meta = { fees: { maxFeePerGas, maxPriorityFeePerGas: tip } }
      const { tx } = verify({ ...built(), meta }, asked, { maxNetworkFee })()
      return [tx.maxFeePerGas, tx.maxPriorityFeePerGas]
    }
    const { gas, gasPrice } = GAS
    expect(feesAt(3n * gasPrice, 7n)).toEqual([3n * gasPrice, 7n])
    expect(feesAt(3n * gasPrice, 7n, { maxPriorityFeePerGas: 5n })).toEqual([3n * gasPrice, 5n])
    const most = gas * gasPrice
    expect(feesAt(3n * gasPrice, 2n * gasPrice, {}, most)).toEqual([gasPrice, gasPrice])
    expect(feesAt(3n * gasPrice, 7n, {}, 2n * most - 1n)).toEqual([2n * gasPrice - 1n, 7n])
  })

  it.each<readonly [string, Partial<SwapRequest>]>([
    ['minAmountOut', { slippage: 0.4999 }],
    ['tokenIn', { src: WHYPE }],
    ['tokenOut', { dst: WHYPE }],
    ['amountIn', { amount: AMOUNT - 1n }],
    ['receiver', { receiver: WALLET }],
    ['from', { from: WALLET }],
    ['slippage', { slippage: '51' }],
    ['deadline', { deadline: Number(DEADLINE) - 1 }],
  ])('finds that another %s was asked', (name, other) => {
    expect(verify(built(), other)).toThrow(new RegExp(`not what was asked: .*\\b${name}\\b`))
  })

  it.each([
    ['to', built({}, { to: WALLET })],
    ['from', built({}, { from: WALLET })],
    ['value', built({}, { value: AMOUNT - 1n })],
    ['networkFee', built({}, { gas: GAS.gas + 1n })],
    ['networkFee', built({}, { gasPrice: GAS.gasPrice + 1n })],
    ['networkFee', built({}, { gas: -1n })],
    ['networkFee', built({}, { gasPrice: -1n })],
    ['deadline', built({ deadline: DEADLINE + 1n })],
    ['receiver', built({ receiver: WALLET })],
    ['executor', built({ executor: WALLET })],
    ['minAmountOut', built({ minAmountOut: FLOOR - 1n })],
    ['minAmountOut', built({ minAmountOut: FLOOR - 2n }, {}, 1n)],
  ])('finds that a server changed %s', (name, swapped) => {
    expect(verify(swapped)).toThrow(
      expect.objectContaining({ code: 'MISMATCH', details: { wrong: name } }),
    )
  })

  it('a later deadline of the request does not move the caller’s own', () => {
    const late = built({ deadline: DEADLINE + 1n })
    expect(verify(built(), { deadline: Number(DEADLINE) + 1 })).not.toThrow()
    expect(verify(late, { deadline: Number(DEADLINE) + 1 })).toThrow(/: deadline$/)
  })

  it('an automatic slippage is 5 % at most', () => {
    const terms = { minAmountOut: 1n }
    const least = (QUOTED * 95n) / 100n
    const auto = { slippage: 'auto' } as const
    expect(verify(built({ minAmountOut: least }), auto, terms)).not.toThrow()
    expect(verify(built({ minAmountOut: least - 1n }), auto, terms)).toThrow(/: minAmountOut$/)
  })

  it('an exact output is the floor, and no more is sold than the caller’s own most', () => {
    const { amount: _, ...rest } = request
    const asked = { ...rest, dstAmountExact: FLOOR } as SwapRequest
    const terms = { ...own, maxAmountIn: AMOUNT }
    const check = (swapped: ReturnType<typeof built>) => () => verifySwap(swapped, asked, terms)
    expect(check(built({}, {}, 1n))().call.amountIn).toBe(AMOUNT)
    expect(check(built({ amountIn: AMOUNT - 1n }))().tx.value).toBe(AMOUNT - 1n)
    expect(check(built({ amountIn: AMOUNT + 1n }))).toThrow(/: amountIn$/)
    expect(check(built({ minAmountOut: FLOOR - 1n }))).toThrow(/: minAmountOut$/)
  })

  it('pays an integrator what was asked for, and nobody without a word', () => {
    const fee = { of: 'tokenOut', ppm: 3_000, recipient: WALLET } as const
    const paid = built({ program: programOf(fee) })
    const asked = { feeBps: 30, feeRecipient: WALLET }
    expect(verify(paid, asked)).not.toThrow()
    for (const other of [{}, { feeBps: 30 }, { feeBps: 0, feeRecipient: WALLET }]) {
      expect(verify(paid, other)).toThrow(/: fee$/)
    }
    expect(verify(paid, { ...asked, feeBps: 29 })).toThrow(/: fee$/)
    const least = built({ program: programOf({ ...fee, ppm: 100 }) })
    expect(verify(least, { feeRecipient: WALLET })).toThrow(/: fee$/)
    expect(verify(paid, { ...asked, feeRecipient: ROUTER })).toThrow(/: fee$/)
  })

  it('refuses a deadline in milliseconds', () => {
    const terms = { latestDeadline: DEADLINE * 1_000n }
    expect(verify(built(), {}, terms)).toThrow(expect.objectContaining({ code: 'BAD_TERMS' }))
  })

  it.each(['minAmountOut', 'latestDeadline', 'maxNetworkFee', 'maxAmountIn'])(
    'a term without a value compares nothing, so %s is demanded',
    (name) => {
      const exact = { amount: undefined, dstAmountExact: FLOOR }
      const asked = name === 'maxAmountIn' ? (exact as Partial<SwapRequest>) : {}
      for (const value of [undefined, 0n, 1, '1']) {
        expect(verify(built(), asked, { [name]: value })).toThrow(
          expect.objectContaining({
            ...{ code: 'BAD_TERMS', details: { got: `${value}` } },
            message: expect.stringContaining(`${name} must be a positive bigint`),
          }),
        )
      }
    },
  )

  it.each([
    ['a wrap', NATIVE, WHYPE],
    ['an unwrap', WHYPE, NATIVE],
  ] as const)('%s is 1:1, whatever slippage was asked', (_, tokenIn, tokenOut) => {
    const asked = { src: tokenIn, dst: tokenOut, slippage: '1' }
    const wrap = { tokenIn, tokenOut, program: '0x00', minAmountOut: AMOUNT } as const
    const check = (minAmountOut: bigint) =>
      verify(built({ ...wrap, minAmountOut }, {}, AMOUNT), asked, { minAmountOut: 1n })
    expect(check(AMOUNT)).not.toThrow()
    expect(check(AMOUNT - 1n)).toThrow(/asked: minAmountOut$/)
  })

  it.each<readonly [string, Address]>([
    ['the token in', NATIVE],
    ['the token out', USDC],
    ['WHYPE', WHYPE],
    ['a system address', `0x20${'0'.repeat(36)}c8`],
    ['the router', ROUTER],
    ['the executor', EXECUTOR],
  ])('refuses %s as receiver, even if the terms name it', (_, receiver) => {
    expect(verify(built({ receiver }), { receiver })).toThrow(
      expect.objectContaining({ code: 'RECEIVER_REFUSED' }),
    )
  })

  it('takes the shipped chain for a term without a value', () => {
    const receiver: Address = `0x20${'0'.repeat(36)}c8`
    const unsaid = { wrappedNative: undefined, systemAddresses: undefined } as object
    expect(verify(built(), {}, unsaid)).not.toThrow()
    expect(verify(built({ receiver }), { receiver }, unsaid)).toThrow(
      expect.objectContaining({ code: 'RECEIVER_REFUSED' }),
    )
  })
})
