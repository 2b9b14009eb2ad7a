import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { verifyCalls } from './verifyCalls.js'

const ROUTER: Hex = '0x00000000000000000000000000000000000b4a1d'
const USDC: Hex = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const WHYPE: Hex = '0x5555555555555555555555555555555555555555'
const amount = 1_000_000n
const approve = (wei: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ROUTER, wei] })

describe('verifyCalls', () => {
  const swap = { to: ROUTER as Hex, data: '0x1234' as Hex, value: '0x0' as Hex }
  const from: Hex = `0x${'a1'.repeat(20)}`
  const tx = { from, to: swap.to, data: swap.data, value: 0n, gasPrice: 1n, gas: 1n } as const
  const give = (data: Hex, to: Hex = USDC) => ({ to, data, value: '0x0' as Hex })
  const check = (calls: readonly { to: Hex; data: Hex; value: Hex }[]) => () =>
    verifyCalls({ tx, calls: [...calls] }, { src: USDC }, { router: ROUTER, amountIn: amount })

  it('passes what the API returns', () => {
    check([swap])()
    check([give(approve(amount)), swap])()
    check([give(approve(0n)), give(approve(amount)), swap])()
  })

  it.each([
    ['no call', []],
    ['another swap', [{ ...swap, data: '0x1235' as Hex }]],
    ['a value', [{ ...swap, value: '0x1' as Hex }]],
    ['more than the amount', [give(approve(amount + 1n)), swap]],
    ['another token', [give(approve(amount), WHYPE), swap]],
    ['a transfer', [give(approve(amount).replace('095ea7b3', 'a9059cbb') as Hex), swap]],
    ['another spender', [give(approve(amount).replace('0b4a1d', '0b4a1e') as Hex), swap]],
    ['two approvals', [give(approve(amount)), give(approve(amount)), swap]],
    ['a revocation alone', [give(approve(0n)), swap]],
    ['a call after the swap', [swap, give(approve(amount))]],
  ])('refuses %s', (_, calls) => {
    expect(check(calls)).toThrow(expect.objectContaining({ code: 'MISMATCH' }))
  })
})
