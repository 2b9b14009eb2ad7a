import { knownExecutors } from '@braid-swap/contracts'
import { type Address, decodeRouterCall, type Hex, NATIVE } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { frozenGraph, frozenSnapshot, PURR, USDC, WHYPE } from '../testing/frozenMarket.js'
import { startTestApi, TEST_ROUTER } from '../testing/startTestApi.js'
import { NO_NODE, useFrozenApi } from '../testing/useFrozenApi.js'
import type { ErrorBody, SwapBody } from '../wire/responses.js'

const EXECUTOR = getAddress(knownExecutors(TEST_ROUTER, WHYPE)[0].address)
const BURN = '0x000000000000000000000000000000000000dEaD'
const order = { src: PURR, dst: USDC, amount: '1000000000000000000', slippage: '1' }

const api = useFrozenApi()

const swap = (more: Readonly<Record<string, string>>) =>
  api.get<SwapBody & ErrorBody>(`/swap/v1/999/swap?${new URLSearchParams({ ...order, ...more })}`)

const LOST = [
  ['the token out', USDC],
  ['the token in', PURR],
  ['WHYPE', WHYPE],
  ['the native placeholder', NATIVE],
  ['the zero address', `0x${'0'.repeat(40)}`],
  ['HyperCore’s address of HYPE', `0x${'22'.repeat(20)}`],
  ['HyperCore’s address of token 0', `0x20${'0'.repeat(38)}`],
  ['HyperCore’s address of token 221', `0x20${'0'.repeat(36)}dd`],
  ['the router', TEST_ROUTER],
  ['the executor', EXECUTOR],
] as const

describe('a receiver that loses what it is paid', () => {
  it.each(LOST)('%s is refused without from', async (_, receiver) => {
    const { status, body } = await swap({ receiver })
    expect([status, body.code]).toEqual([400, 'RECEIVER_REFUSED'])
    expect(body.issues).toMatchObject([{ path: 'receiver', received: receiver.toLowerCase() }])
  })

  it.each(LOST)('%s is refused with from, whose wallet is not asked first', async (_, receiver) => {
    const { status, body } = await swap({ receiver, from: `0x${'ab'.repeat(20)}` })
    expect([status, body.code]).toEqual([400, 'RECEIVER_REFUSED'])
  })

  it('is refused as the sender too, who receives where nobody else is named', async () => {
    const { status, body } = await swap({ from: USDC, skipChecks: 'true' })
    expect([status, body.code]).toEqual([400, 'RECEIVER_REFUSED'])
    expect(body.issues).toMatchObject([{ path: 'from' }])
  })
})

describe('another receiver', () => {
  it('that burns is allowed, with a warning', async () => {
    const { status, body } = await swap({ receiver: BURN, includeMeta: 'true' })
    expect(status).toBe(200)
    expect(decodeRouterCall(body.tx.data as Hex).receiver).toBe(BURN.toLowerCase())
    expect(body.meta?.warnings).toMatchObject([{ code: 'RECEIVER_BURNS' }])
  })

  it('is paid without one', async () => {
    const { body } = await swap({ receiver: `0x${'ab'.repeat(20)}`, includeMeta: 'true' })
    expect(body.meta?.warnings).toEqual([])
  })
})

describe('a receiver that has no use for the output gets a warning', () => {
  const FACTORY: Address = `0x${'fa'.repeat(20)}`
  it.each([
    ['a pool', frozenSnapshot.pools[1]!.id],
    ['Permit2', PERMIT2],
    ['Multicall3', '0xcA11bde05977b3631167028862bE2a173976CA11'],
    ['a precompile', '0x0000000000000000000000000000000000000801'],
    ['a factory', FACTORY],
  ])('%s', async (_, receiver) => {
    const own = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: NO_NODE, config: { factories: new Set([FACTORY]) } },
    })
    const params = { src: WHYPE, dst: USDC, amount: '1000000000000000000', slippage: '1' }
    const { status, body } = await own.ask<SwapBody>('swap', {
      ...{ ...params, receiver, includeMeta: 'true' },
    })
    await own.stop()
    expect(status).toBe(200)
    expect(body.meta?.warnings.map(({ code }) => code)).toEqual(['RECEIVER_IS_CONTRACT'])
  })
})
