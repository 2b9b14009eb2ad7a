import { EndpointsBusyError } from '@braid-swap/chain'
import { BaseError } from '@braid-swap/core'
import { ApiError } from './errors.js'
import { within } from './within.js'

/**
 * Asks the node behind the API. Its failures become UPSTREAM_RPC without a word of theirs, which
 * could hold the node's address; an answer later than `timeoutMs` becomes DEADLINE_EXCEEDED. Coded
 * errors of our own pass.
 */
export async function askNode<T>(ask: () => Promise<T>, timeoutMs: number): Promise<T> {
  try {
    return await within(timeoutMs, ask, `the node did not answer within ${timeoutMs} ms`)
  } catch (cause) {
    if (cause instanceof BaseError && !(cause instanceof EndpointsBusyError)) throw cause
    throw new ApiError('UPSTREAM_RPC', 'the node behind this API did not answer', { cause })
  }
}
