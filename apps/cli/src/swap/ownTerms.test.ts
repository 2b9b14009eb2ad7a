// What the options of a swap mean in wei: orders, limits, slippage and fees.

import { decodeRouterCall, encodeRouterCall, NATIVE } from '@braid-swap/core'
import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { type ListedToken, nativeToken } from '../sources/tokens.js'
import { readFee } from './fee.js'
import { type FloorOptions, raiseFloor, readFloor } from './ownFloor.js'
import { limitOf, readTerms, saysLimit, type TermOptions } from './ownTerms.js'
import { readAddress, readSlippagePpm } from './slippage.js'

const usd: ListedToken = { address: toHex(0xd, 20), symbol: 'USD', name: '', decimals: 6 }
const tokens = [nativeToken(), usd]
const E18 = 10n ** 18n
const ends = { in: 'native', out: 'USD' }
const usage = (message: string) =>
  expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) })

describe('the floor of a sale', () => {
  const order = { tokenIn: NATIVE, tokenOut: usd.address, amountIn: 2n * E18 }
  const floor = (options: FloorOptions) => readFloor(options, order, tokens)

  it.each<readonly [FloorOptions, bigint | undefined]>([
    [{}, undefined],
    [{ min: '1.5' }, 1_500_000n],
    [{ minWei: '7' }, 7n],
    [{ minRate: '38' }, 76_000_000n],
    // A rate whose floor is between two wei is rounded up.
    [{ minRate: '0.0000000001' }, 1n],
    [{ minRate: '0.000000500001' }, 2n],
    [{ min: '1', minWei: '999999' }, 1_000_000n],
    [{ min: '1', minWei: '1000001' }, 1_000_001n],
    [{ min: '1', minRate: '0.6' }, 1_200_000n],
  ])('of %j is %s wei', (options, expected) => {
    expect(floor(options)).toBe(expected)
    const terms = { order, ownFloor: expected }
    expect(readTerms({ ...ends, amount: '2', ...options }, tokens)).toEqual(terms)
    const isLimited = Object.keys(options).length > 0
    expect(saysLimit({ ...ends, ...options })).toBe(isLimited)
  })

  it.each([{ min: '0' }, { minWei: '0' }, { minRate: '0' }, { min: '1', minWei: '0' }])(
    'of %j is refused',
    (options) => {
      expect(() => floor(options)).toThrow(usage('the floor is zero'))
    },
  )

  it('is raised in a transaction, and never lowered', () => {
    const call = {
      ...{ ...order, minAmountOut: 9n, receiver: ZERO_ADDRESS, deadline: 1n },
      ...{ executor: toHex(1, 20), program: '0x00' as const },
    }
    const tx = { from: ZERO_ADDRESS, to: toHex(2, 20), value: 2n * E18, gas: 1n, gasPrice: 1n }
    const built = { ...tx, data: encodeRouterCall(call) }
    expect(raiseFloor(built, 9n)).toBe(built)
    expect(raiseFloor(built, 8n)).toBe(built)
    const { data, ...rest } = raiseFloor(built, 10n)
    expect([rest, decodeRouterCall(data)]).toEqual([tx, { ...call, minAmountOut: 10n }])
  })
})

describe('the maximum of a purchase', () => {
  const wanted = { tokenIn: NATIVE, tokenOut: usd.address, amountOut: 76_000_000n }
  const read = (options: Partial<TermOptions>) =>
    readTerms({ ...ends, amountOut: '76', ...options }, tokens)

  it.each<readonly [Partial<TermOptions>, bigint | undefined]>([
    [{}, undefined],
    [{ maxAmountIn: '2.5' }, (5n * E18) / 2n],
    [{ minRate: '38' }, 2n * E18],
    // Rounded down.
    [{ minRate: '3' }, 25_333_333_333_333_333_333n],
    [{ maxAmountIn: '1.9', minRate: '38' }, (19n * E18) / 10n],
    [{ maxAmountIn: '2.1', minRate: '38' }, 2n * E18],
  ])('of %j is %s wei', (options, ownMaximum) => {
    expect(read(options)).toEqual({ wanted, ownMaximum })
    expect(saysLimit({ ...ends, ...options })).toBe(ownMaximum !== undefined)
  })

  it.each<readonly [Partial<TermOptions>, string]>([
    [{ maxAmountIn: '0' }, 'the most that you pay is zero'],
    [{ minRate: '0' }, 'the most that you pay is zero'],
    [{ maxAmountIn: '1', minRate: '0' }, 'the most that you pay is zero'],
    [{ min: '76' }, '--amount-out is the least output itself'],
    [{ minWei: '76' }, '--amount-out is the least output itself'],
    [{ amountOut: undefined as never, amount: '1', maxAmountIn: '1' }, 'for an amount to buy'],
  ])('of %j is refused', (options, message) => {
    expect(() => read(options)).toThrow(usage(message))
  })

  it('is the limit of an amount to buy alone', () => {
    expect([limitOf(ends), limitOf({ ...ends, amountOut: '1' })]).toEqual(['floor', 'maximum'])
  })
})

describe('the options of a swap', () => {
  it('have slippage in percent, to a ten-thousandth, of a half at most', () => {
    const read = ['0', '0.0001', '0.5', '50'].map(readSlippagePpm)
    expect(read).toEqual([0n, 1n, 5_000n, 500_000n])
    expect(readSlippagePpm('0.50000')).toBe(5_000n)
    for (const wrong of ['50.0001', '0.00001', '-1', 'abc', '']) {
      expect(() => readSlippagePpm(wrong)).toThrow(usage('--slippage is not such a percentage'))
    }
  })

  it('have addresses in any case', () => {
    expect(readAddress('--x', `0x${'AB'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
    expect(() => readAddress('--x', '0xab')).toThrow(usage('--x is not an address'))
  })

  it('have a fee with both its parts, of 1 % at most', () => {
    const feeRecipient = toHex(7, 20)
    const fee = (feeBps: string) => readFee({ feeBps, feeRecipient })
    expect([readFee({}), fee('0')]).toEqual([{}, {}])
    for (const bps of [1, 30, 100]) {
      const paid = { of: 'tokenOut', ppm: bps * 100, recipient: feeRecipient }
      expect(fee(`${bps}`)).toEqual({ fee: paid })
    }
    for (const wrong of ['101', '1.5', '-1', 'x', '', '1000']) {
      expect(() => fee(wrong)).toThrow(usage('--fee-bps is not a fee'))
    }
    expect(() => fee('101')).toThrow(
      expect.objectContaining({ details: { got: '101', wanted: 'a whole number from 0 to 100' } }),
    )
    for (const half of [{ feeBps: '1' }, { feeRecipient }]) {
      expect(() => readFee(half)).toThrow(usage('a size and a recipient'))
    }
  })
})
