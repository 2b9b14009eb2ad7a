// Calls nested in one call of Multicall3, so that they see each other's effects and a reader does not retry each
// part that fails.

import type { Hex } from '@braid-swap/core'
import { decodeFunctionResult, encodeFunctionData, multicall3Abi } from 'viem'
import { wordAt } from '../reads/abiWords.js'
import type { Call } from '../reads/call.js'
import { multicallOf } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'

/** The outcome of a call within a call. */
export type Result = { readonly success: boolean; readonly returnData: Hex }

/** Returns true if a transfer succeeded; some tokens return nothing on success. */
export function isMoved({ success, returnData }: Result): boolean {
  return success && (returnData === '0x' || wordOrNone(returnData) === 1n)
}

/** Calls as one of Multicall3, each of which may fail. */
export function together(calls: readonly Call[]): Hex {
  const args = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  return encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] })
}

/** The results of {@link together}; none if they cannot be decoded. */
export function resultsOf(data: Hex): readonly Result[] {
  try {
    return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })
  } catch {
    return []
  }
}

/** The first word of each result; `undefined` for a call that failed or returned less. */
export function wordsOf(data: Hex): readonly (bigint | undefined)[] {
  return resultsOf(data).map(({ success, returnData }) =>
    success ? wordOrNone(returnData) : undefined,
  )
}

/** The first word of data, if it has one. */
export function wordOrNone(data: Hex): bigint | undefined {
  return data.length < 66 ? undefined : wordAt(data, 0)
}

/** The code of an account that makes the calls of {@link together}: a proxy of Multicall3 (EIP-1167). */
export function proxyOfMulticall(client: Client): Hex {
  const target = multicallOf(client).slice(2)
  return `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`
}
