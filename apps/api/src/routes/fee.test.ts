import { decodeRouterCall, type Hex, NATIVE, readIntent } from '@braid-swap/core'
import { beforeFee } from '@braid-swap/core/advanced'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { USDC, WHYPE } from '../testing/frozenMarket.js'
import { TEST_ROUTER } from '../testing/startTestApi.js'
import { useFrozenApi } from '../testing/useFrozenApi.js'
import type { ErrorBody, QuoteBody, SwapBody } from '../wire/responses.js'

const HYPE = 10n ** 18n
const feeRecipient = `0x${'ab'.repeat(20)}` as const
const pair = { src: WHYPE, dst: USDC, amount: `${10n * HYPE}` }
const fee = { feeBps: '30', feeRecipient }

const api = useFrozenApi()

type Params = Readonly<Record<string, string>>
const quote = (params: Params) => api.ask<QuoteBody>('quote', { ...pair, ...params })
const swap = (params: Params) => api.ask<SwapBody>('swap', { ...pair, slippage: '1', ...params })
const intentOf = ({ tx }: SwapBody) => readIntent(tx.data as Hex, WHYPE)

describe('feeBps and feeRecipient', () => {
  it('take the fee off the output, and meta names its amount, token and recipient', async () => {
    const gross = BigInt((await quote({})).body.dstAmount)
    const { body } = await quote({ ...fee, includeMeta: 'true' })
    const amount = (gross * 30n) / 10_000n
    expect(BigInt(body.dstAmount)).toBe(gross - amount)
    expect(body.meta?.fee).toEqual({
      ...{ bps: 30, amount: `${amount}` },
      ...{ token: getAddress(USDC), recipient: getAddress(feeRecipient) },
    })
  })

  it('are in the calldata, below the floor', async () => {
    const { body } = await swap(fee)
    const { fee: paid, faults, call } = intentOf(body)
    expect([paid, faults]).toEqual([{ of: 'tokenOut', ppm: 3_000, recipient: feeRecipient }, []])
    const floor = (BigInt(body.dstAmount) * 99n + 99n) / 100n
    expect(call.minAmountOut).toBe(floor)
    expect(BigInt((await quote(fee)).body.dstAmount)).toBe(BigInt(body.dstAmount))
  })

  it('leave the price impact and the gap as they are', async () => {
    const [plain, paid] = [
      await quote({ includeMeta: '1' }),
      await quote({ ...fee, includeMeta: '1' }),
    ]
    const [a, b] = [plain.body.meta!, paid.body.meta!]
    expect(b.priceImpactBps).toBeCloseTo(a.priceImpactBps!, 1)
    expect(b.bound!.gapBps).toBeCloseTo(a.bound!.gapBps!, 0)
    expect(BigInt(b.bound!.maxNetDstAmount!)).toBeLessThan(BigInt(a.bound!.maxNetDstAmount!))
  })

  it('raise what an exact output costs', async () => {
    const { amount: _, ...ends } = pair
    const wanted = { ...ends, dstAmountExact: '40000000', slippage: '0' }
    const plain = await api.ask<SwapBody>('swap', wanted)
    const paid = await api.ask<SwapBody>('swap', { ...wanted, ...fee, includeMeta: 'true' })
    expect(BigInt(paid.body.srcAmount!)).toBeGreaterThan(BigInt(plain.body.srcAmount!))
    expect(decodeRouterCall(paid.body.tx.data as Hex).minAmountOut).toBe(40_000_000n)
    const gross = beforeFee(40_000_000n, { ppm: 3_000 })
    expect(BigInt(paid.body.meta!.fee!.amount)).toBeGreaterThanOrEqual(gross - 40_000_000n)
  })

  it('of the native token are paid in the wrapped one', async () => {
    const sold = { src: USDC, dst: NATIVE, amount: '40000000', includeMeta: 'true' }
    const { body } = await swap({ ...sold, ...fee })
    expect(body.meta?.fee?.token).toBe(getAddress(WHYPE))
  })

  it('of a swap that only wraps are not paid', async () => {
    const wrap = { src: NATIVE, dst: WHYPE, amount: '5', includeMeta: 'true' }
    const { body } = await swap({ ...wrap, ...fee })
    expect(body.dstAmount).toBe('5')
    expect(body.meta).not.toHaveProperty('fee')
    expect(intentOf(body)).not.toHaveProperty('fee')
  })

  it('of 0 are none: the answer has the bytes of one without them', async () => {
    const [plain, zero] = [await swap({}), await swap({ feeBps: '0', feeRecipient })]
    expect(zero.body).toEqual(plain.body)
  })

  it.each<[string, Params, string, string]>([
    ['more than 1 %', { feeBps: '101', feeRecipient }, 'AMOUNT_OUT_OF_RANGE', 'feeBps'],
    ['a part of a basis point', { feeBps: '0.5', feeRecipient }, 'INVALID_AMOUNT', 'feeBps'],
    ['no recipient', { feeBps: '1' }, 'MISSING_PARAMETER', 'feeRecipient'],
    ['no size', { feeRecipient }, 'MISSING_PARAMETER', 'feeBps'],
    [
      'the zero address',
      { feeBps: '1', feeRecipient: `0x${'0'.repeat(40)}` },
      'RECEIVER_REFUSED',
      'feeRecipient',
    ],
    ['the router', { feeBps: '1', feeRecipient: TEST_ROUTER }, 'RECEIVER_REFUSED', 'feeRecipient'],
    ['the token out', { feeBps: '1', feeRecipient: USDC }, 'RECEIVER_REFUSED', 'feeRecipient'],
    [
      'a system address',
      { feeBps: '0', feeRecipient: `0x${'22'.repeat(20)}` },
      'RECEIVER_REFUSED',
      'feeRecipient',
    ],
    ['no address', { feeBps: '1', feeRecipient: 'me' }, 'INVALID_ADDRESS', 'feeRecipient'],
  ])('are refused for %s, on quote and swap', async (_, params, code, at) => {
    for (const endpoint of ['quote', 'swap']) {
      const asked = { ...pair, slippage: '1', ...params }
      const { status, body } = await api.ask<ErrorBody>(endpoint, asked)
      expect([status, body.code]).toEqual([400, code])
      expect(body.issues).toMatchObject([{ path: at }])
    }
  })
})
