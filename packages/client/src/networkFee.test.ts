// What gas may cost, at the fees that HyperEVM has had.

import { shippedChain } from '@braid-swap/contracts'
import { NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { networkFeeLimit } from './networkFee.js'

const [A, B] = [toHex(0xa, 20), toHex(0xb, 20)]
const { wrappedNative: WHYPE } = shippedChain
const GWEI = 10n ** 9n
const HYPE = 10n ** 18n
const gas = 1_000_000n
/** With a fifth more gas, after six full blocks. */
const most = (gasPrice: bigint) => 1_200_000n * ((gasPrice * 9n ** 6n + 8n ** 6n - 1n) / 8n ** 6n)
const limit = (worth: bigint, gasPrice: bigint) =>
  networkFeeLimit({ src: NATIVE, dst: B, amount: worth }, { gas, gasPrice, dstAmount: 1n })

it('an ordinary order passes at 0.1 gwei and at the 82 gwei of August, and a dear one is asked about', () => {
  expect(limit(HYPE, GWEI / 10n)).toEqual({ most: 8n * most(GWEI / 10n), isDear: false })
  expect(limit(100n * HYPE, 82n * GWEI)).toEqual({ most: 8n * most(82n * GWEI), isDear: false })
  expect(limit(20n * HYPE, 82n * GWEI)).toEqual({ most: (20n * HYPE) / 50n, isDear: false })
  expect(limit(HYPE, 82n * GWEI)).toEqual({ most: most(82n * GWEI), isDear: true })
})

it('is the same whatever the order is worth in', () => {
  const figures = { gas, gasPrice: GWEI, dstAmount: 30n * HYPE }
  const native = networkFeeLimit({ src: A, dst: WHYPE, amount: 1n }, figures)
  // A gas of 0.001 HYPE costs 0.04 of a token of which 1,200 are bought.
  const priced = { ...figures, dstAmount: 1_200n * 10n ** 6n, gasCostInDst: 40_000n }
  expect(networkFeeLimit({ src: A, dst: B, amount: 1n }, priced)).toEqual(native)
  expect(native).toEqual({ most: 8n * most(GWEI), isDear: false })
})

it('an order of unknown worth is asked about', () => {
  const figures = { gas, gasPrice: GWEI, dstAmount: 1_200n }
  const asked = { most: most(GWEI), isDear: true }
  expect(networkFeeLimit({ src: A, dst: B, amount: 1n }, figures)).toEqual(asked)
})
