import { NATIVE } from '@braid-swap/core'
import { decodeFunctionData, erc20Abi, getAddress, type Hex, maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { frozenSnapshot, USDC } from '../testing/frozenMarket.js'
import { TEST_ROUTER } from '../testing/startTestApi.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import { allowanceSchema, approveTransactionSchema, type ErrorBody } from '../wire/responses.js'

const world = useTestWorld()

const get = (endpoint: string, params: Readonly<Record<string, string>>) =>
  world.api.get(`/swap/v1/999/approve/${endpoint}?${new URLSearchParams(params)}`)
const refused = (endpoint: string, params: Readonly<Record<string, string>>) =>
  world.api.get<ErrorBody>(`/swap/v1/999/approve/${endpoint}?${new URLSearchParams(params)}`)

describe('interface 4.3, approve/transaction', () => {
  const decode = (data: unknown) => decodeFunctionData({ abi: erc20Abi, data: data as Hex })

  it('tokenAddress is required', async () => {
    const { status, body } = await refused('transaction', {})
    expect([status, body.code]).toEqual([400, 'MISSING_PARAMETER'])
  })

  it('amount omitted: the approval is unlimited, and the body is 2.5 exactly', async () => {
    const { status, body } = await get('transaction', { tokenAddress: USDC })
    expect(status).toBe(200)
    approveTransactionSchema.parse(body)
    expect(body).toMatchObject({
      ...{
        to: getAddress(USDC),
        value: '0',
        gasPrice: `${(frozenSnapshot.block.gasPrice * 9n) / 8n}`,
      },
    })
    expect(decode(body['data'])).toEqual({
      ...{ functionName: 'approve', args: [getAddress(TEST_ROUTER), maxUint256] },
    })
  })

  it('amount set: the approval is for exactly that amount', async () => {
    const { body } = await get('transaction', { tokenAddress: USDC, amount: '123' })
    expect(decode(body['data']).args).toEqual([getAddress(TEST_ROUTER), 123n])
  })

  it('an amount of 0 revokes', async () => {
    const { body } = await get('transaction', { tokenAddress: USDC, amount: '0' })
    expect(decode(body['data']).args).toEqual([getAddress(TEST_ROUTER), 0n])
  })

  it('NATIVE_NOT_APPROVABLE for the native token', async () => {
    const { status, body } = await refused('transaction', { tokenAddress: NATIVE })
    expect([status, body.code]).toEqual([400, 'NATIVE_NOT_APPROVABLE'])
  })

  it('TOKEN_NOT_FOUND for what is no token', async () => {
    const { status, body } = await refused('transaction', { tokenAddress: `0x${'12'.repeat(20)}` })
    expect([status, body.code]).toEqual([400, 'TOKEN_NOT_FOUND'])
  })
})

describe('interface 4.4, approve/allowance', () => {
  const owner = () => world.chain.accounts[5]!.address

  it.each(['tokenAddress', 'walletAddress'])('%s is required', async (name) => {
    const params: Record<string, string> = { tokenAddress: USDC, walletAddress: owner() }
    delete params[name]
    const { status, body } = await refused('allowance', params)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: name, code: 'MISSING_PARAMETER' }])
  })

  it('is "0" before, and what was approved to the router after, the transaction we built', async () => {
    const params = { tokenAddress: USDC, walletAddress: owner() }
    expect((await get('allowance', params)).body).toEqual({ allowance: '0' })
    const { body } = await get('transaction', { tokenAddress: USDC, amount: '777' })
    const { to, data } = body as { to: Hex; data: Hex }
    await world.chain.execute([{ label: 'approve', from: owner(), to, data, gas: 100_000n }])
    const after = await get('allowance', params)
    expect(after.body).toEqual({ allowance: '777' })
    allowanceSchema.parse(after.body)
  })

  it('of the native token is the greatest uint256', async () => {
    const params = { tokenAddress: NATIVE, walletAddress: owner() }
    expect((await get('allowance', params)).body).toEqual({ allowance: `${maxUint256}` })
  })

  it('includeMeta adds spender and blockNumber', async () => {
    const params = { tokenAddress: USDC, walletAddress: owner(), includeMeta: 'true' }
    const { body } = await get('allowance', params)
    expect(body['meta']).toMatchObject({ spender: getAddress(TEST_ROUTER) })
    allowanceSchema.parse(body)
  })

  it('TOKEN_NOT_FOUND for what is no token', async () => {
    const params = { tokenAddress: `0x${'12'.repeat(20)}`, walletAddress: owner() }
    const { status, body } = await refused('allowance', params)
    expect([status, body.code]).toEqual([400, 'TOKEN_NOT_FOUND'])
  })

  it('invariant 15: the spender is the router that tx.to names', async () => {
    expect((await get('spender', {})).body).toEqual({ address: getAddress(TEST_ROUTER) })
  })
})
