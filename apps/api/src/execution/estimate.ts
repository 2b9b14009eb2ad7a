import type { Address, Hex } from '@braid-swap/core'
import { BaseError } from '@braid-swap/core'
import { ExecutionRevertedError, BaseError as ViemError } from 'viem'
import type { Services } from '../context.js'
import { callNode } from '../node/callNode.js'
import type { Warning } from '../wire/responses.js'

/** The node's gas estimate of a call, or a warning why there is none. */
export type NodeEstimate = { readonly gas?: bigint; readonly failure?: Warning }

/**
 * The node's own gas estimate of a call. A missing estimate is a warning and no error: the wallet may
 * send the swap at a later block, and our own estimate is used.
 */
export async function estimateOnNode(
  { client, config }: Services,
  call: {
    readonly from: Address
    readonly to: Address
    readonly data: Hex
    readonly value: bigint
  },
): Promise<NodeEstimate> {
  const { from: account, to, data, value } = call
  try {
    const estimate = () => client.estimateGas({ account, to, data, value })
    return { gas: await callNode(estimate, config.nodeTimeoutMs) }
  } catch (error) {
    return { failure: isRevert(error) ? WOULD_REVERT : NOT_ESTIMATED }
  }
}

const WOULD_REVERT: Warning = {
  code: 'SWAP_WOULD_REVERT',
  message: 'the swap reverts on the newest state of the node; gas is our own estimate',
}
const NOT_ESTIMATED: Warning = {
  code: 'GAS_ESTIMATE_FAILED',
  message: 'the node did not estimate the gas; gas is our own estimate',
}

/** True if the node answered that the call reverts. */
export function isRevert(error: unknown): boolean {
  const cause = error instanceof BaseError ? error.cause : undefined
  const isReverted = (link: unknown) => link instanceof ExecutionRevertedError
  return cause instanceof ViemError && cause.walk(isReverted) !== null
}
