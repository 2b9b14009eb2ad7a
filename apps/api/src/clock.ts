/**
 * The clocks of the API. Ages, limits and intervals need one that never steps. Block timestamps are
 * Unix time, so they need one that is right as well: the system's, which may be set at any time.
 */
import { steadyMs } from '@braid-swap/chain'

/** Two clocks of one process. */
export type Clock = {
  /** Unix milliseconds by the system's clock, which may step. */
  readonly unixMs: () => number
  /** Milliseconds that never step; comparable only with themselves. */
  readonly steadyMs: () => number
}

/** The clocks of this process. */
export const processClock: Clock = { unixMs: Date.now, steadyMs }

/** The Unix time that block timestamps are compared with. */
export type ChainClock = {
  /** Milliseconds since the timestamp of a block, in Unix seconds; negative if a clock is wrong. */
  readonly lagMs: (timestamp: bigint) => number
  /** Steps of the system's clock since the start. */
  readonly steps: () => number
}

/** A smaller jump between the clocks is the correction of a drift. */
const SLEW_MS = 500
/** A clock that was set back is believed after this time. */
const TRUST_MS = 60_000

/**
 * Compares block timestamps with the system's clock, with care when that steps. A step forward counts
 * at once, because the process may have been suspended. A step back counts after a minute, and never
 * while it is before the block: a clock that is set back would hide that a block is old.
 */
export function createChainClock({ unixMs, steadyMs: steady }: Clock): ChainClock {
  let offsetMs = unixMs() - steady()
  let back: { readonly offsetMs: number; readonly sinceMs: number } | undefined
  let steps = 0
  const readStep = (nowMs: number, blockMs: number) => {
    const seenMs = unixMs() - nowMs
    const isBack = seenMs < offsetMs - SLEW_MS
    if (!isBack) {
      if (seenMs > offsetMs + SLEW_MS) steps += 1
      offsetMs = seenMs
      back = undefined
    } else if (!back || Math.abs(seenMs - back.offsetMs) > SLEW_MS) {
      back = { offsetMs: seenMs, sinceMs: nowMs }
      steps += 1
    } else if (nowMs - back.sinceMs >= TRUST_MS && nowMs + seenMs >= blockMs) {
      offsetMs = seenMs
      back = undefined
    }
  }
  return {
    lagMs: (timestamp) => {
      const nowMs = steady()
      const blockMs = Number(timestamp) * 1_000
      readStep(nowMs, blockMs)
      return nowMs + offsetMs - blockMs
    },
    steps: () => steps,
  }
}
