// The messages between the benchmark and the API's process.

/** What the benchmark asks the process. */
export type Question =
  | { readonly ask: 'solver'; readonly seconds: number }
  | { readonly ask: 'cpu' | 'end' }
  | { readonly ask: 'blocks'; readonly on: boolean }

/** What the process answers; the first answer, unasked, has the address and the keys. */
export type Answer = {
  readonly url?: string
  /** A key without limits, one with the default limits, and another. */
  readonly key?: string
  readonly polite?: string
  readonly flooding?: string
  readonly pools?: number
  readonly paths?: readonly string[]
  /** Milliseconds of each solve. */
  readonly times?: readonly number[]
  readonly seconds?: number
  /** Milliseconds of the processor: since the start, or during the solves. */
  readonly cpuMs?: number
}
