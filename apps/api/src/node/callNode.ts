import { EndpointsBusyError, NodeFailedError } from '@braid-swap/chain'
import { BaseError } from '@braid-swap/core'
import { ApiError } from '../errors.js'

/** Asks the node, by default within the time for one answer. Throws UPSTREAM_RPC, DEADLINE_EXCEEDED. */
export type AskNode = <T>(ask: () => Promise<T>, timeoutMs?: number) => Promise<T>

/**
 * Calls the node behind the API. Its failures become UPSTREAM_RPC without their text, which could
 * contain the URL of the node. A response later than `timeoutMs` becomes DEADLINE_EXCEEDED; the call
 * goes on. Our own coded errors pass unchanged.
 */
export async function callNode<T>(ask: () => Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `the node did not answer within ${timeoutMs} ms`
    timer = setTimeout(() => reject(new ApiError('DEADLINE_EXCEEDED', message)), timeoutMs)
  })
  try {
    return await Promise.race([ask(), late])
  } catch (cause) {
    const isOfNode = cause instanceof EndpointsBusyError || cause instanceof NodeFailedError
    if (cause instanceof BaseError && !isOfNode) throw cause
    throw new ApiError('UPSTREAM_RPC', 'the RPC node behind this API failed to answer', { cause })
  } finally {
    clearTimeout(timer)
  }
}
