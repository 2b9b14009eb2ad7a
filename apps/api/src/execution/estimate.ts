import type { Address, Hex } from '@braid-swap/core'
import { ApiError } from '../errors.js'
import type { Need } from '../need.js'
import { askPriced, isRevert, revertBytesOf, revertText } from '../node/revert.js'
import type { Warning } from '../wire/responses.js'

/** The node's gas estimate of a call, or a warning why it gave none. */
export type NodeEstimate = {
  readonly gas?: bigint
  readonly failure?: Warning
  /** True if the call passes, and the stricter one does not. */
  readonly isShort?: true
}

/**
 * The node's own gas estimate of a call. If the node does not answer, that is a warning and our own estimate
 * is used. With `strict`, calldata that differs in its floor alone, that is estimated first. Throws SWAP_WOULD_REVERT if
 * the call reverts: nobody should sign it.
 */
export async function estimateOnNode(
  { client, askNode, metrics }: Need,
  call: {
    readonly from: Address
    readonly to: Address
    readonly data: Hex
    readonly value: bigint
    readonly gasPrice: bigint
  },
  strict?: Hex,
): Promise<NodeEstimate> {
  const { from: account, to, data, value, gasPrice } = call
  const count = (outcome: string) => metrics.estimates.inc({ outcome })
  const estimate = (data: Hex) =>
    askPriced({ gasPrice }, (terms) =>
      askNode(() => client.estimateGas({ account, to, data, value, ...terms })),
    )
  try {
    const first = strict && (await estimate(strict).catch(noneIfRevert))
    const gas = first ?? (await estimate(data))
    count('passes')
    return { gas, ...(strict && first === undefined && { isShort: true }) }
  } catch (error) {
    count(isRevert(error) ? 'reverts' : 'not_answered')
    if (isRevert(error)) throw wouldRevert(error)
    return { failure: NOT_ESTIMATED }
  }
}

function noneIfRevert(error: unknown): undefined {
  if (!isRevert(error)) throw error
}

function wouldRevert(error: unknown): ApiError {
  const reason = revertText(revertBytesOf(error))
  const message = `the swap reverts on the newest state of the node: ${reason}`
  return new ApiError('SWAP_WOULD_REVERT', message, { details: { reason }, cause: error })
}

const NOT_ESTIMATED: Warning = {
  code: 'GAS_ESTIMATE_FAILED',
  message: 'the node did not estimate the gas; gas is our own estimate',
}
