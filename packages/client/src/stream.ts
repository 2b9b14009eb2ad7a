// Server-sent events of the API. Input: an open response. Output: its events, parsed one by one. A
// browser's EventSource cannot send the key in a header, so a library reads the text.

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import * as z from 'zod/mini'
import { BadAnswerError } from './errors.js'
import { readAnswer } from './http.js'
import { answerSchemas } from './responses.js'
import { words } from './words.js'

const fault = z.object({ code: words, message: words, retryable: z.boolean() })
const end = z.object({ code: words })

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

/** The largest event, many times the largest quote: an endless one must end. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024

/** The events of a response, in order. Throws BAD_ANSWER. */
export async function* readEvents(
  path: string,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const waiting: EventSourceMessage[] = []
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: (message) => void waiting.push(message),
    onError: (error) => {
      if (error.type !== 'max-buffer-size-exceeded') return
      throw new BadAnswerError('an event is larger than any of this API', { path })
    },
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const message of waiting.splice(0)) {
        const event = readEvent(path, message)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** One event; `undefined` for a kind that this client does not know. */
function readEvent(
  path: string,
  { event: kind, data }: EventSourceMessage,
): StreamEvent | undefined {
  const parse = <S extends z.ZodMiniType>(schema: S) => readAnswer(path, schema, data)
  if (kind === 'quote') return { event: kind, quote: parse(answerSchemas.streamedQuote) }
  if (kind === 'fault') return { event: kind, ...parse(fault) }
  if (kind === 'end') return { event: kind, ...parse(end) }
  return undefined
}
