import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'

/** The JSON-RPC error a node answered with, wherever in the chain of causes it stands. */
export function rpcErrorOf(error: unknown): RpcRequestError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RpcRequestError) return at
  }
  return undefined
}

/** What a JSON-RPC error asks of us: to wait, to ask for less, either of them, or nothing. */
type Meaning = 'busy' | 'tooMuch' | 'unclear' | 'no'

/** In the messages of -32005 (EIP-1474, "limit exceeded"): of requests in a time. */
const BUSY_WORDS = /\brate|\brps\b|per (second|minute|day)|daily|too many requests|quota|credits/i
/** In the same: of one request. */
const TOO_MUCH_WORDS = /results|range|\blogs\b|\bsize\b|time.?out|duration|batch/i

/**
 * -32005 is said of rates (Hyperliquid, Chainstack, Infura) and of one request that asks for too
 * much (Infura, Besu); some say it of either without a word of which ("limit exceeded").
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
 * The node refused this very request, or could not do it in time: a smaller one may pass. Not a lost
 * connection, not a rate limit.
 */
export function isRefusal(error: unknown): boolean {
  const rpc = rpcErrorOf(error)
  if (rpc) return meaningOf(rpc) !== 'busy'
  if (error instanceof HttpRequestError) return error.status === 400 || error.status === 413
  return error instanceof TimeoutError || error instanceof ResponseBodyTooLargeError
}

/**
 * The answer would have been larger than the node sends (-32008, of jsonrpsee; -32005 with words of
 * results or ranges), or we take.
 */
export function isTooLarge(error: unknown): boolean {
  if (error instanceof HttpRequestError && error.status === 413) return true
  const rpc = rpcErrorOf(error)
  if (rpc) return meaningOf(rpc) === 'tooMuch'
  return error instanceof ResponseBodyTooLargeError
}

/** The node answers nobody who asks this often. */
export function isBusy(error: unknown): boolean {
  const rpc = rpcErrorOf(error)
  if (rpc) return meaningOf(rpc) === 'busy'
  return error instanceof HttpRequestError && error.status === 429
}

/** JSON-RPC codes of an execution that failed, as geth, reth and anvil give them. */
export function isExecutionFailure(error: unknown): boolean {
  const code = rpcErrorOf(error)?.code
  return code === 3 || code === -32000 || code === -32003 || code === -32015
}

/**
 * Worth asking again as it is: the network failed, or the node is busy. A refusal is an answer; the
 * same question gets the same one.
 */
export function isPassing(error: unknown): boolean {
  const rpc = rpcErrorOf(error)
  if (rpc) return meaningOf(rpc) === 'busy' || meaningOf(rpc) === 'unclear'
  if (error instanceof ResponseBodyTooLargeError) return false
  if (!(error instanceof HttpRequestError) || error.status === undefined) return true
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/**
 * How long a busy node asks to be left alone, in milliseconds, if it says so: `Retry-After` is a
 * number of seconds or a date.
 */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof HttpRequestError)) return undefined
  const text = error.headers?.get('Retry-After')
  if (text == null || text === '') return undefined
  const ms = /^[0-9]+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
