import type { Settings } from './settings.js'

/** Bounds the number and the duration of streams of quotes in this process. */
export type StreamLimits = {
  /** Open streams of one key, or of one address without a key. */
  readonly perKey: number
  /** Open streams of all keys together. */
  readonly total: number
  /** A stream ends after this time, so that its key is checked again. */
  readonly lastMs: number
}

/**
 * The limits by default. A block comes each second, so the streams of a key solve about as much in a
 * second as its rate of quotes allows.
 */
export const streamDefaults: StreamLimits = { perKey: 20, total: 2_000, lastMs: 3_600_000 }

/** The limits that the environment sets, with the defaults for the others. */
export function streamLimitsOf(
  env: Pick<Settings, 'BRAID_STREAMS_PER_KEY' | 'BRAID_MAX_STREAMS'>,
): StreamLimits {
  return {
    perKey: env.BRAID_STREAMS_PER_KEY ?? streamDefaults.perKey,
    total: env.BRAID_MAX_STREAMS ?? streamDefaults.total,
    lastMs: streamDefaults.lastMs,
  }
}
