/** The thread that searches: it answers one question after the other, from graphs that come with them. */
import { parentPort } from 'node:worker_threads'
import { BaseError, type ErrorDetails } from '@braid-swap/core'
import { createGraphReader, type GraphMessage, packPools } from './graphMessages.js'
import { type Outcome, runSearch, type Search, type SearchName } from './searches.js'

/** A question to the thread. */
export type ThreadQuestion = {
  readonly graph: number
  readonly message?: GraphMessage
  readonly search: Search<SearchName>
  readonly limitMs: number
}

/** An outcome whose pools are numbers, and whose error is plain: a class does not survive the way. */
export type ThreadAnswer =
  | Exclude<Outcome<unknown>, { readonly error: unknown }>
  | { readonly tookMs: number; readonly error: PlainError }

/** An error without its class: `code` only if a caller can act on it. */
export type PlainError = {
  readonly code?: string
  readonly message: string
  readonly details?: ErrorDetails
  readonly stack?: string | undefined
}

const readGraph = createGraphReader()

parentPort?.on('message', ({ graph: number, message, search, limitMs }: ThreadQuestion) => {
  const graph = readGraph(number, message)
  const outcome = runSearch(graph, search, limitMs)
  const answer: ThreadAnswer =
    'error' in outcome
      ? { tookMs: outcome.tookMs, error: plainOf(outcome.error) }
      : { ...outcome, value: packPools(outcome.value, graph) }
  parentPort!.postMessage(answer)
})

function plainOf(error: unknown): PlainError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (!(error instanceof BaseError)) return { message, stack }
  return { code: error.code, message, details: error.details, stack }
}
