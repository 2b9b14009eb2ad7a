/** Bounds the number and the duration of streams of quotes in this process. */
export type StreamLimits = {
  /** Open streams of one key, or of one address without a key. */
  readonly perKey: number
  /** Open streams of all keys together. */
  readonly total: number
  /** A stream ends after this time, so that its key is checked again. */
  readonly lastMs: number
}

/** The limits by default. */
export const streamDefaults: StreamLimits = { perKey: 20, total: 2_000, lastMs: 3_600_000 }
