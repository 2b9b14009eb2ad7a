// Server-sent events of the API. Input: an open response. Output: its events, parsed one by one. A
// browser's EventSource cannot send the key in a header, so the text is read here.

import { z } from 'zod'
import { readAnswer } from './http.js'
import { answerSchemas } from './responses.js'

const fault = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() })
const end = z.object({ code: z.string() })

/** A quote at a block that changed it. */
export type StreamedQuote = Readonly<z.output<typeof answerSchemas.streamedQuote>>

/**
 * An event of a stream: a quote; a fault, after which quotes may go on; or the end that the server
 * gives a reason for. Open the stream again after it.
 */
export type StreamEvent =
  | { readonly event: 'quote'; readonly quote: StreamedQuote }
  | {
      readonly event: 'fault'
      readonly code: string
      readonly message: string
      readonly retryable: boolean
    }
  | { readonly event: 'end'; readonly code: string }

/** The events of a response, in order. Throws BAD_ANSWER. */
export async function* readEvents(
  path: string,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const event = readEvent(path, part)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** One event; `undefined` for a comment and for a kind that this client does not know. */
function readEvent(path: string, text: string): StreamEvent | undefined {
  const [, kind, data] = /^event: (\w+)\ndata: (.*)$/m.exec(text) ?? []
  const parse = <S extends z.ZodType>(schema: S) => readAnswer(path, schema, data ?? '')
  if (kind === 'quote') return { event: kind, quote: parse(answerSchemas.streamedQuote) }
  if (kind === 'fault') return { event: kind, ...parse(fault) }
  if (kind === 'end') return { event: kind, ...parse(end) }
  return undefined
}
