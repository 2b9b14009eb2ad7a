import { BaseError } from '@braid-swap/core'
import { HttpRequestError, RpcRequestError } from 'viem'

/** Bytes of JSON sent and received. */
export type Traffic = { bytesOut: number; bytesIn: number }

type Message = { readonly id?: unknown; readonly method?: string; readonly params?: unknown }

/** Statuses that say nothing of the request, whatever JSON comes with them. */
const BUSY = new Set([408, 429, 502, 503, 504])

/**
 * A `fetch` for JSON-RPC that gives back only whole answers: each request of a batch answered once,
 * under its own id. viem matches the answers of a batch by their place, so that one missing would
 * give every later request the answer to another. Counts what goes over the wire.
 */
export function wholeAnswers(traffic: Traffic): typeof fetch {
  return async (input, init) => {
    const url = String(input)
    const sent = String(init?.body)
    traffic.bytesOut += sent.length
    const response = await fetch(input, init)
    const text = await response.text()
    traffic.bytesIn += text.length
    const { status, headers } = response
    if (BUSY.has(status)) {
      // viem would take a JSON error in the body for an answer, and lose Retry-After.
      throw new HttpRequestError({ body: {}, details: `status ${status}`, headers, status, url })
    }
    if (response.ok) checkWhole(JSON.parse(sent), JSON.parse(text), url)
    return new Response(text, { status, headers: { 'content-type': 'application/json' } })
  }
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
