import type { Terminal } from './terminal.js'

/**
 * Shows how much of a long job is done and how long the rest takes at the speed so far. The result is
 * called with the parts done and the parts in all.
 */
export function trackProgress(
  progress: Terminal['progress'],
  what: string,
  now: () => number = () => performance.now(),
): (done: number, all: number) => void {
  const start = now()
  return (done, all) => progress?.(`${done} of ${all} ${what}${timeLeft(now() - start, done, all)}`)
}

function timeLeft(elapsedMs: number, done: number, all: number): string {
  if (done === 0 || done >= all) return ''
  const seconds = Math.ceil((elapsedMs / done) * ((all - done) / 1_000))
  const minutes = Math.floor(seconds / 60)
  return minutes > 0 ? `, ${minutes} min ${seconds % 60} s left` : `, ${seconds} s left`
}
