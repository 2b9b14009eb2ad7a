// Classifies RPC errors: retry later, send a smaller request, or give up. Nodes use the same
// JSON-RPC codes for different problems, so the message is part of the decision.

import { NodeFailedError } from '@braid-swap/core/advanced'
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'

/** The JSON-RPC error a node answered with, anywhere in the chain of causes. */
export function rpcErrorOf(error: unknown): RpcRequestError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RpcRequestError) return at
  }
  return undefined
}

/** What was thrown at the node, without our words around it. */
function thrownOf(error: unknown): unknown {
  return error instanceof NodeFailedError ? error.cause : error
}

/**
 * The remedy for a JSON-RPC error: wait, send a smaller request, one of the two, or none.
 */
type Meaning = 'busy' | 'tooMuch' | 'unclear' | 'no'

/** Words in the message of -32005 (EIP-1474, "limit exceeded") that mean a rate limit. */
const BUSY_WORDS = /\brate|\brps\b|per (second|minute|day)|daily|too many requests|quota|credits/i
/** Words in the same message that mean a limit on one request. */
const TOO_MUCH_WORDS = /results|range|\blogs\b|\bsize\b|time.?out|duration|batch/i

/**
 * Nodes use -32005 for rate limits (Hyperliquid, Chainstack, Infura) and for a single request that
 * is too large (Infura, Besu). Some messages do not say which ("limit exceeded").
 */
function meaningOf({ code, details }: RpcRequestError): Meaning {
  if (code === 429 || code === -32007) return 'busy'
  if (code === -32008) return 'tooMuch'
  if (code !== -32005) return 'no'
  const isBusy = BUSY_WORDS.test(details)
  if (isBusy === TOO_MUCH_WORDS.test(details)) return 'unclear'
  return isBusy ? 'busy' : 'tooMuch'
}

/**
 * Returns true if the node refused this particular request or timed out on it: a smaller one may pass. Not
 * a lost connection, not a rate limit.
 */
export function isRefusal(failure: unknown): boolean {
  const error = thrownOf(failure)
  const rpc = rpcErrorOf(error)
  if (rpc) return meaningOf(rpc) !== 'busy'
  if (error instanceof HttpRequestError) return error.status === 400 || error.status === 413
  return error instanceof TimeoutError || error instanceof ResponseBodyTooLargeError
}

/**
 * Returns true if the answer would be larger than the node sends (-32008 of jsonrpsee; -32005 with words
 * about results or ranges) or than we accept.
 */
export function isTooLarge(failure: unknown): boolean {
  const error = thrownOf(failure)
  if (error instanceof HttpRequestError && error.status === 413) return true
  const rpc = rpcErrorOf(error)
  if (rpc) return meaningOf(rpc) === 'tooMuch'
  return error instanceof ResponseBodyTooLargeError
}

/** Returns true if the node refused because of its rate limit. */
export function isBusy(failure: unknown): boolean {
  const error = thrownOf(failure)
  const rpc = rpcErrorOf(error)
  if (rpc) return meaningOf(rpc) === 'busy'
  return error instanceof HttpRequestError && error.status === 429
}

/** Words of geth, reth and erigon for a block that the backend behind a URL does not have. */
const MISSING_BLOCK_WORDS = /(header|block) not found|unknown block/i

/** Returns true if the node says that it lacks the block: another backend behind the same URL may have it. */
export function isMissingBlock(error: unknown): boolean {
  return MISSING_BLOCK_WORDS.test(rpcErrorOf(error)?.details ?? '')
}

/** Returns true if the call itself failed in the EVM, by the JSON-RPC codes of geth, reth and anvil. */
export function isExecutionFailure(error: unknown): boolean {
  if (isMissingBlock(error)) return false
  const code = rpcErrorOf(error)?.code
  return code === 3 || code === -32000 || code === -32003 || code === -32015
}

/**
 * Returns true if the same request is worth retrying: the network failed, or the node is busy. A refusal is
 * final, because the same request is refused again.
 */
export function isPassing(failure: unknown): boolean {
  const error = thrownOf(failure)
  const rpc = rpcErrorOf(error)
  if (rpc) return meaningOf(rpc) === 'busy' || meaningOf(rpc) === 'unclear'
  if (error instanceof ResponseBodyTooLargeError) return false
  if (!(error instanceof HttpRequestError) || error.status === undefined) return true
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/**
 * Milliseconds until a busy node accepts requests again, from its `Retry-After` (a number of
 * seconds or a date); undefined if it does not say.
 */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof HttpRequestError)) return undefined
  const text = error.headers?.get('Retry-After')
  if (text == null || text === '') return undefined
  const ms = /^[0-9]+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
