// A clock for ages and intervals. The system's clock steps when it is set, so a difference of two of
// its readings may be an hour too long, or negative.

/**
 * Milliseconds that never step: the Unix time at which the process started, and the time since then.
 * Comparable only within one process.
 */
export function steadyMs(): number {
  return performance.timeOrigin + performance.now()
}
