import { vi } from 'vitest'
import { faultsOf } from './hostileWorld.js'

/** Runs schedules by a clock of their own, which jumps to the next thing that waits; returns the broken ones. */
export async function runSchedules(first: number, count: number): Promise<readonly string[]> {
  const broken: string[] = []
  // What libraries import late would be waited for in real time.
  vi.useRealTimers()
  for (let seed = first; seed < first + count; seed++) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: 1.7e12 })
    let faults: readonly string[] | undefined
    let error: unknown
    faultsOf(seed).then(
      (found) => {
        faults = found
      },
      (thrown: unknown) => {
        error = thrown
      },
    )
    while (!faults && !error) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer()
    }
    vi.useRealTimers()
    if (error) throw error
    for (const fault of faults ?? []) broken.push(`schedule ${seed}: ${fault}`)
  }
  return broken
}
