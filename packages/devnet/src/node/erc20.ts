import { testTokenAbi } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import { encodeFunctionData, maxUint256 } from 'viem'
import { erc20Abi, wrappedNativeAbi } from '../abis.js'
import { isWrapped } from './genesis.js'
import type { Call } from './transactions.js'

/** The calls that give `to` an amount of a token, in wei; the deployer wraps native tokens. */
export function mintCalls(
  deployer: Address,
  order: { readonly token: Address; readonly to: Address; readonly amount: bigint },
): readonly Call[] {
  const { token, to, amount } = order
  const base = { label: `mint ${amount} of ${token} to ${to}`, from: deployer, to: token }
  if (!isWrapped(token)) {
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [to, amount] })
    return [{ ...base, data, gas: 100_000n }]
  }
  const wrap = encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' })
  const move = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  const deposit = { ...base, data: wrap, value: amount, gas: 60_000n }
  return to === deployer ? [deposit] : [deposit, { ...base, data: move, gas: 60_000n }]
}

/** The call by which `owner` approves an unlimited amount of a token to `spender`. */
export function approveCall(
  token: Address,
  order: { readonly owner: Address; readonly spender: Address },
): Call {
  const { owner, spender } = order
  return {
    label: `approve ${token} to ${spender}`,
    from: owner,
    to: token,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [spender, maxUint256],
    }),
    gas: 60_000n,
  }
}
