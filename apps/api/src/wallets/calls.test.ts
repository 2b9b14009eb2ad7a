import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UBTC, USDC, WHYPE } from '../testing/frozenMarket.js'
import { TEST_ROUTER } from '../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'
import type { ErrorBody, SwapBody } from '../wire/responses.js'

const amount = 1_000_000n
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/**
 * A token that refuses to change an allowance that is not zero, by hand: approve and allowance keep one
 * word in slot 0, and every other call returns 2^63 - 1.
 */
const STUBBORN =
  '0x60003560e01c8063095ea7b31460365763dd62ed3e14602a57677fffffffffffffff60005260206000f35b60005460005260206000f35b6024358015604b57600054' +
  '15604b5760006000fd5b60005560016000526020' +
  '6000f3'

let world: TestWorld
let from: Hex
beforeAll(async () => {
  world = await startTestWorld()
  from = world.chain.accounts[5]!.address
  await world.chain.fund(from, USDC, amount)
})
afterAll(() => world?.stop())

type Params = Readonly<Record<string, string>>
const ask = <T = SwapBody>(params: Params) =>
  world.api.get<T>(
    `/swap/v1/999/swap?${new URLSearchParams({
      ...{ src: USDC, dst: WHYPE, amount: `${amount}`, slippage: '1', from },
      ...{ includeCalls: 'true', includeMeta: 'true', ...params },
    })}`,
  )
const rpc = (method: string, ...params: readonly unknown[]) =>
  fetch(world.chain.rpcUrl, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
const approve = (wei: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [TEST_ROUTER, wei] })
const setAllowance = (wei: bigint) =>
  world.chain.execute([{ label: 'approve', from, to: USDC, data: approve(wei), gas: 100_000n }])
/** Makes of UBTC a token as USDT, with an allowance left over. */
const leave = async (allowance: bigint) => {
  await rpc('anvil_setCode', UBTC, STUBBORN)
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  await rpc('anvil_setStorageAt', UBTC, word(0n), word(allowance))
}
const lower = ({ calls }: SwapBody) => calls!.map(({ to, data }) => [to.toLowerCase(), data])
const codes = ({ meta }: SwapBody) => meta!.warnings.map(({ code }) => code)

describe('includeCalls', () => {
  it('approves exactly the amount if the allowance is short, and says that tx alone reverts', async () => {
    for (const allowance of [0n, amount - 1n]) {
      await setAllowance(allowance)
      const { status, body } = await ask({})
      expect(status).toBe(200)
      expect(lower(body)).toEqual([
        [USDC, approve(amount)],
        [TEST_ROUTER, body.tx.data],
      ])
      for (const { value } of body.calls!) expect(value).toBe('0x0')
      expect(codes(body)).toContain('APPROVAL_NEEDED')
    }
  })

  it('is the swap alone if the allowance is enough, or none is needed', async () => {
    await setAllowance(amount)
    const enough = await ask({})
    expect(lower(enough.body)).toEqual([[TEST_ROUTER, enough.body.tx.data]])
    expect(codes(enough.body)).not.toContain('APPROVAL_NEEDED')
    const native = (await ask({ src: NATIVE, amount: '255' })).body
    expect(native.calls!.map(({ value }) => value)).toEqual(['0xff'])
    await setAllowance(0n)
    const permit = { permit: `0x${'11'.repeat(65)}`, deadline: '1999999999' }
    expect((await ask(permit)).body.calls).toHaveLength(1)
  })

  it('revokes first if the token refuses otherwise', async () => {
    const callsAt = async (allowance: bigint) => {
      await leave(allowance)
      return lower((await ask({ src: UBTC, skipChecks: '1' })).body).slice(0, -1)
    }
    expect(await callsAt(0n)).toEqual([[UBTC, approve(amount)]])
    expect(await callsAt(5n)).toEqual([
      [UBTC, approve(0n)],
      [UBTC, approve(amount)],
    ])
  })

  it('still refuses a wallet that cannot pay, unless checks are skipped', async () => {
    await setAllowance(0n)
    const poor = await ask<ErrorBody>({ amount: `${amount + 1n}` })
    expect([poor.status, poor.body.code]).toEqual([400, 'BALANCE_INSUFFICIENT'])
    const unchecked = await ask({ amount: `${amount + 1n}`, skipChecks: 'true' })
    expect(lower(unchecked.body)[0]).toEqual([USDC, approve(amount + 1n)])
    const { body } = await ask<ErrorBody>({ from: '' })
    expect(body.issues[0]).toMatchObject({ path: 'from' })
    const without = new URLSearchParams({ src: USDC, dst: WHYPE, amount: '5', slippage: '1' })
    const nobody = await world.api.get<ErrorBody>(`/swap/v1/999/swap?${without}&includeCalls=1`)
    expect([nobody.status, nobody.body.code]).toEqual([400, 'MISSING_PARAMETER'])
  })

  it('changes nothing unless it is asked for', async () => {
    await setAllowance(0n)
    const refused = await ask<ErrorBody>({ includeCalls: 'false' })
    expect(refused.body.code).toBe('ALLOWANCE_INSUFFICIENT')
  })
})

describe('approve/transaction of a token that refuses to change an allowance', () => {
  type Approval = { readonly to: Hex; readonly data: Hex; readonly revokeFirst?: boolean }
  const approveOf = (params: Params) =>
    world.api.get<Approval>(
      `/swap/v1/999/approve/transaction?${new URLSearchParams({ tokenAddress: UBTC, amount: `${amount}`, ...params })}`,
    )

  it('says that the wallet must revoke first, and both transactions then succeed', async () => {
    await leave(5n)
    const first = (await approveOf({ walletAddress: from })).body
    expect(first).toMatchObject({ revokeFirst: true, data: approve(amount) })
    for (const zeroOr of ['0', `${amount}`]) {
      const { body } = await approveOf({ walletAddress: from, amount: zeroOr })
      expect(body.revokeFirst).toBe(false)
      const { to, data } = body
      await world.chain.execute([{ label: 'approve', from, to, data, gas: 100_000n }])
    }
  })

  it.each([
    ['nothing is left over', 0n, UBTC],
    ['the token does not refuse', 5n, USDC],
  ])('does not say so if %s', async (_, allowance, tokenAddress) => {
    await leave(allowance)
    const { body } = await approveOf({ walletAddress: from, tokenAddress })
    expect(body.revokeFirst).toBe(false)
  })

  it('is the answer of the interface without a wallet', async () => {
    const { body } = await approveOf({})
    expect(Object.keys(body)).toEqual(['data', 'gasPrice', 'to', 'value'])
  })
})
