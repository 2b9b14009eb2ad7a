// The messages between the benchmark and the processes that it starts.

/** What the benchmark asks the process. */
export type Question =
  | { readonly ask: 'solver'; readonly seconds: number }
  | { readonly ask: 'cpu' | 'end' }
  | { readonly ask: 'blocks'; readonly on: boolean }

/** What one order took the solver alone, in milliseconds of the clock and of the processor. */
export type Solved = { readonly order: number; readonly ms: number; readonly cpuMs: number }

/** What the process says first, unasked. */
export type Ready = {
  readonly url: string
  /** A key without limits, one with the default limits, and another. */
  readonly key: string
  readonly polite: string
  readonly flooding: string
  readonly pools: number
  /** The path that asks for each order, and whether the order is small. */
  readonly paths: readonly string[]
  readonly isSmall: readonly boolean[]
}

/** What the process answers. */
export type Answer = {
  readonly solved?: readonly Solved[]
  /** Milliseconds of the processor since the start. */
  readonly cpuMs?: number
}
