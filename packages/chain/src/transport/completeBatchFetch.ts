// A `fetch` that refuses incomplete JSON-RPC answers. viem pairs the answers of a batch with the
// requests by position, so one missing answer would silently shift all later ones.

import { BaseError } from '@braid-swap/core'
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError } from 'viem'

/** Bytes of JSON sent and received. */
export type Traffic = { bytesOut: number; bytesIn: number }

type Message = { readonly id?: unknown; readonly method?: string; readonly params?: unknown }

/** HTTP statuses of an overloaded node; their body is ignored because it is not an answer. */
const BUSY = new Set([408, 429, 502, 503, 504])

/**
 * A `fetch` for JSON-RPC that returns only complete answers: each request of a batch is answered
 * exactly once, under its own id. Otherwise it throws a HalfAnswerError. Throws viem's
 * ResponseBodyTooLargeError for an answer of more than `maxBytes` after decompression. Adds the bytes
 * sent and received to `traffic`.
 */
export function fetchCompleteBatches(traffic: Traffic, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const url = String(input)
    const sent = String(init?.body)
    traffic.bytesOut += sent.length
    const response = await fetch(input, init)
    const bytes = await readUpTo(response, maxBytes)
    traffic.bytesIn += bytes.length
    const text = bytes.toString('utf8')
    const { status, headers } = response
    if (BUSY.has(status)) {
      // viem would treat a JSON error in the body as the answer and lose Retry-After.
      throw new HttpRequestError({ body: {}, details: `status ${status}`, headers, status, url })
    }
    if (response.ok) checkWhole(JSON.parse(sent), JSON.parse(text), url)
    return new Response(text, { status, headers: { 'content-type': 'application/json' } })
  }
}

/** The body, read piece by piece: what is too large never is in memory as a whole. */
async function readUpTo({ body }: Response, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  if (!body) return Buffer.alloc(0)
  // Leaving the loop by the error cancels the body.
  for await (const part of body) {
    size += part.length
    if (size > maxBytes) throw new ResponseBodyTooLargeError({ maxSize: maxBytes, size })
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}

function checkWhole(asked: Message | readonly Message[], answered: unknown, url: string): void {
  if (!Array.isArray(asked)) {
    if (!isAnswer(answered)) throw new HalfAnswerError(1, 0)
    return
  }
  if (!Array.isArray(answered)) {
    const { error } = Object(answered) as { error?: { code: number; message: string } }
    if (typeof error?.code !== 'number') throw new HalfAnswerError(asked.length, 0)
    throw new RpcRequestError({ body: { method: 'batch' }, error, url })
  }
  const ids = new Set(answered.filter(isAnswer).map(({ id }) => id))
  const whole = asked.filter(({ id }) => ids.has(id)).length
  if (whole !== asked.length || answered.length !== asked.length) {
    throw new HalfAnswerError(asked.length, whole)
  }
}

function isAnswer(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && ('result' in value || 'error' in value)
}

/** The node left requests without an answer. */
export class HalfAnswerError extends BaseError {
  readonly code = 'RPC_HALF_ANSWER'

  constructor(asked: number, answered: number) {
    super(`the node answered ${answered} of ${asked} requests`, { asked, answered })
  }
}
