import { NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { USDC } from '../testing/frozenMarket.js'
import { TEST_ROUTER } from '../testing/startTestApi.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import type { ErrorBody, SwapBody } from '../wire/responses.js'

const world = useTestWorld()

const order = { src: NATIVE, dst: USDC, amount: '1000000000000000000', slippage: '1' }

async function simulate(code: `0x${string}`) {
  await world.chain.client.setCode({ address: TEST_ROUTER, bytecode: code })
  const query = new URLSearchParams({ ...order, simulate: 'true', includeMeta: 'true' })
  return world.api.get<SwapBody & ErrorBody>(`/swap/v1/999/swap?${query}`)
}

/** A contract that answers every call with the lowest bytes of one number. */
const answering = (value: bigint, size = 32) =>
  `0x7f${toHex(value, 32).slice(2)}5f5260${size.toString(16).padStart(2, '0')}60${(32 - size).toString(16).padStart(2, '0')}f3` as const

describe('the answer of a simulation', () => {
  it('of an address without code is a failure, not an output of 0', async () => {
    const { status, body } = await simulate('0x')
    expect([status, body.code]).toEqual([503, 'SIMULATION_FAILED'])
    expect(body.details).toMatchObject({ got: 'no amount' })
  })

  it('that is shorter than an amount is a failure', async () => {
    const { status, body } = await simulate(answering(2n ** 60n, 31))
    expect([status, body.code]).toEqual([503, 'SIMULATION_FAILED'])
  })

  it('below the floor is a failure, because our router reverts instead', async () => {
    const quoted = await simulate(answering(2n ** 200n))
    expect(quoted.status).toBe(200)
    const floor = BigInt(quoted.body.meta!.minDstAmount)
    const { status, body } = await simulate(answering(floor - 1n))
    expect([status, body.code]).toEqual([503, 'SIMULATION_FAILED'])
    expect(body.details).toMatchObject({ got: `${floor - 1n}`, floor: `${floor}` })
    const atFloor = await simulate(answering(floor))
    expect(atFloor.body.meta?.simulation).toMatchObject({ ok: true, dstAmount: `${floor}` })
  })
})
