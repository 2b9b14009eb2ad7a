import { runStreamCrowd } from '@braid-swap/api/testing'
import { expect, it } from 'vitest'

// BRAID_E2E_SCALE is the number of seconds, with a block in each; ten minutes are the full run.
const seconds = Number(process.env['BRAID_E2E_SCALE'] ?? 120)
const MEGABYTE = 1_000_000

it(`1,000 followers miss and mix no event in ${seconds} s, and the memory stays flat`, async () => {
  const crowd = { followers: 1_000, requests: 50, blocks: seconds, blockMs: 1_000 }
  const report = await runStreamCrowd({ ...crowd, rpcUrl: 'http://127.0.0.1:9' })
  const { events, expected, wrong, heaps, delaysMs } = report
  const sorted = delaysMs.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]?.toFixed(0)
  console.log(
    [
      `${events} events of ${expected}, ${wrong.length} wrong`,
      `last event after a block: median ${at(0.5)} ms, 90 % ${at(0.9)} ms, most ${at(1)} ms`,
      `heap in MB: ${heaps.map((bytes) => (bytes / MEGABYTE).toFixed(1)).join(' ')}`,
    ].join('\n'),
  )
  expect(wrong).toEqual([])
  expect(events).toBe(expected)
  // The first tenth fills caches that stay.
  const [, second = 0] = heaps
  expect(heaps.at(-1)! - second).toBeLessThan(20 * MEGABYTE)
})
