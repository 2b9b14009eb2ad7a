/**
 * Collects the steps of a request with their times as plain data. It is collected only while traces are on,
 * and becomes spans when the request has ended, so the request itself never touches a library.
 */
import { BaseError } from '@braid-swap/core'

/** Facts about a span. Never a key, and never the address of a wallet. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** A part of a request. Times are milliseconds of `performance.now()`. */
export type TracedPart = {
  readonly name:
    | 'queue'
    | 'market'
    | 'solve'
    | 'walk'
    | 'wallet'
    | 'estimate'
    | 'simulate'
    | 'fault'
  readonly startMs: number
  readonly endMs: number
  readonly facts?: SpanFacts
  /** Code of the error that ended it. */
  readonly code?: string
}

/** The trace of a request while it is answered. */
export type Trace = {
  readonly parts: TracedPart[]
  /** Facts about the whole request. */
  readonly facts: Record<string, string | number | boolean>
}

/** A request that has ended. */
export type TracedRequest = Trace & {
  readonly startMs: number
  readonly endMs: number
  readonly status: number
  readonly code?: string
  /** The headers of the request, for `traceparent` and `tracestate`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Receives traces. */
export type Tracing = {
  readonly add: (request: TracedRequest) => void
  /** Sends what waits, within `limitMs`. */
  readonly close: (limitMs: number) => Promise<void>
}

/** Has a trace if traces are on. */
export type Traced = { readonly trace?: Trace }

/** Adds a part that has ended. */
export function addPart({ trace }: Traced, part: TracedPart): void {
  trace?.parts.push(part)
}

/** Adds facts about the whole request. */
export function addFacts({ trace }: Traced, facts: SpanFacts): void {
  if (trace) Object.assign(trace.facts, facts)
}

type Work<W, T> = {
  readonly work: () => W
  /** Facts about the result. */
  readonly describe?: (value: T) => SpanFacts
}

/** Does work that is a part of a request, and describes its result. */
export function inPart<T>(
  traced: Traced,
  name: TracedPart['name'],
  { work, describe }: Work<T, T>,
): T {
  if (!traced.trace) return work()
  const end = beginPart(traced, name)
  try {
    const value = work()
    end(describe && { facts: describe(value) })
    return value
  } catch (error) {
    end({ code: codeOf(error) })
    throw error
  }
}

/** {@link inPart} for work that waits. */
export async function inPartAsync<T>(
  traced: Traced,
  name: TracedPart['name'],
  { work, describe }: Work<Promise<T>, T>,
): Promise<T> {
  if (!traced.trace) return work()
  const end = beginPart(traced, name)
  try {
    const value = await work()
    end(describe && { facts: describe(value) })
    return value
  } catch (error) {
    end({ code: codeOf(error) })
    throw error
  }
}

/** Begins a part; returns the function that ends and adds it. */
function beginPart(traced: Traced, name: TracedPart['name']) {
  const startMs = performance.now()
  return (more: Pick<TracedPart, 'facts' | 'code'> = {}) =>
    addPart(traced, { name, startMs, endMs: performance.now(), ...more })
}

/** The code of an error, never its message, which may contain what a caller or a node sent. */
export function codeOf(error: unknown): string {
  return error instanceof BaseError ? error.code : 'INTERNAL'
}
