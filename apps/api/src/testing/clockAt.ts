import type { Clock } from '../clock.js'

/** Both clocks at the same time, which a test sets. */
export function clockAt(now: () => number): Clock {
  return { unixMs: now, steadyMs: now }
}
