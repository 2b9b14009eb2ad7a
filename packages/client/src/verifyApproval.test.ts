import type { Hex } from '@braid-swap/core'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { APPROVAL_GAS, readApprove, verifyApproval } from './verifyApproval.js'

const ROUTER: Hex = '0x00000000000000000000000000000000000b4a1d'
const USDC: Hex = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const amount = 1_000_000n
const known = { router: ROUTER, maxNetworkFee: APPROVAL_GAS * 10n }
const request = { tokenAddress: USDC, amount }

const approve = (wei: bigint, spender = ROUTER) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, wei] })
const answer = (change: object = {}) => ({
  ...{ to: USDC, data: approve(amount), value: 0n, gasPrice: 10n },
  ...change,
})

describe('verifyApproval', () => {
  it('returns what to send, at a fee of exactly the limit', () => {
    const fees = { gas: APPROVAL_GAS, maxFeePerGas: 10n, maxPriorityFeePerGas: 0n }
    const tx = { to: USDC, data: approve(amount), value: 0n, ...fees }
    expect(verifyApproval(answer(), request, known)).toEqual({ tx })
    expect(verifyApproval(answer({ revokeFirst: true }), request, known)).toEqual({
      ...{ tx, revoke: { ...tx, data: approve(0n) } },
    })
    const all = verifyApproval(answer({ data: approve(maxUint256) }), { tokenAddress: USDC }, known)
    expect(all.tx.data).toBe(approve(maxUint256))
    const roomy = verifyApproval(answer(), request, { ...known, maxNetworkFee: 10n ** 9n, tip: 3n })
    expect(roomy.tx).toMatchObject({ maxFeePerGas: 24n, maxPriorityFeePerGas: 3n })
  })

  it.each([
    ['to', { to: ROUTER }],
    ['value', { value: 1n }],
    ['networkFee', { gasPrice: 11n }],
    ['amount', { data: approve(amount + 1n) }],
    ['amount', { data: approve(amount - 1n) }],
    ['spender', { data: approve(amount, USDC) }],
    ['function', { data: '0x' as Hex }],
    ['function', { data: `${approve(amount)}00` as Hex }],
    ['function', { data: approve(amount).replace('095ea7b3', 'a9059cbb') as Hex }],
    ['function', { data: approve(amount).replace('0x095ea7b300', '0x095ea7b301') as Hex }],
  ])('refuses another %s', (name, change) => {
    expect(() => verifyApproval(answer(change), request, known)).toThrow(
      expect.objectContaining({
        code: 'MISMATCH',
        details: { wrong: expect.stringContaining(name) },
      }),
    )
  })

  it('refuses terms without a limit of its own', () => {
    for (const maxNetworkFee of [0n, undefined as never]) {
      expect(() => verifyApproval(answer(), request, { ...known, maxNetworkFee })).toThrow(
        expect.objectContaining({ code: 'BAD_TERMS' }),
      )
    }
  })
})

it('an approval is read in any case', () => {
  const data = approve(amount, USDC).toUpperCase().replace('0X', '0x') as Hex
  expect(readApprove(data)).toEqual({ spender: USDC, amount })
})
