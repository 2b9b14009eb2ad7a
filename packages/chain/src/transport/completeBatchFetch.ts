// A `fetch` that refuses incomplete JSON-RPC answers. viem pairs the answers of a batch with the
// requests by position, so one missing answer would silently shift all later ones. A batch that the node
// refuses is sent in halves, down to single requests, and the length that passes is kept.

import { BaseError } from '@braid-swap/core'
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError } from 'viem'
import { isBusy } from './rpcErrors.js'

type Message = { readonly id?: unknown; readonly method?: string; readonly params?: unknown }

/** HTTP statuses of an overloaded node; their body is ignored because it is not an answer. */
const BUSY = new Set([408, 429, 502, 503, 504])

/**
 * A `fetch` for JSON-RPC that returns only complete answers: each request of a batch is answered
 * exactly once, under its own id. Otherwise it throws a HalfAnswerError. Throws viem's
 * ResponseBodyTooLargeError for an answer of more than `maxBytes` after decompression.
 */
export function fetchCompleteBatches(maxBytes: number): typeof fetch {
  let longest = Number.POSITIVE_INFINITY
  let passed = 0
  const send = async (url: string, init: RequestInit | undefined, body: Body): Promise<Answers> => {
    const response = await fetch(url, { ...init, body: JSON.stringify(body) })
    const bytes = await readUpTo(response, maxBytes)
    const { status, headers } = response
    if (BUSY.has(status)) {
      // viem would treat a JSON error in the body as the answer and lose Retry-After.
      throw new HttpRequestError({ body: {}, details: `status ${status}`, headers, status, url })
    }
    const text = bytes.toString('utf8')
    if (response.ok) checkWhole(body, JSON.parse(text), url)
    return { text, status }
  }
  const sendParts = async (
    url: string,
    init: RequestInit | undefined,
    batch: readonly Message[],
  ): Promise<Answers> => {
    const parts = Array.from({ length: Math.ceil(batch.length / longest) }, (_, i) =>
      batch.slice(i * longest, (i + 1) * longest),
    )
    // A node that refuses batches refuses one of a single request too.
    const bodies = longest === 1 ? batch : parts
    const answers = await Promise.all(bodies.map((part) => sendWhole(url, init, part)))
    const failed = answers.find(({ status }) => status !== 200)
    if (failed) return failed
    return { text: JSON.stringify(answers.flatMap(({ text }) => JSON.parse(text))), status: 200 }
  }
  const sendWhole = async (
    url: string,
    init: RequestInit | undefined,
    body: Body,
  ): Promise<Answers> => {
    if (!Array.isArray(body)) return send(url, init, body)
    // The refusal may have been a passing one.
    if (passed >= PATIENCE) {
      longest *= 2
      passed = 0
    }
    if (body.length > longest || (longest === 1 && body.length === 1)) {
      return sendParts(url, init, body)
    }
    try {
      const answers = await send(url, init, body)
      if (answers.status !== 400 && answers.status !== 413) {
        if (body.length === longest) passed += 1
        return answers
      }
    } catch (error) {
      if (!(error instanceof RpcRequestError) || isBusy(error)) throw error
    }
    longest = Math.max(1, Math.min(longest, Math.ceil(body.length / 2)))
    passed = 0
    return sendParts(url, init, body)
  }
  return async (input, init) => {
    const { text, status } = await sendWhole(String(input), init, JSON.parse(String(init?.body)))
    return new Response(text, { status, headers: { 'content-type': 'application/json' } })
  }
}

/** Full batches that must pass before a longer one is tried again. */
const PATIENCE = 64

type Body = Message | readonly Message[]
type Answers = { readonly text: string; readonly status: number }

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

function checkWhole(asked: Body, answered: unknown, url: string): void {
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
