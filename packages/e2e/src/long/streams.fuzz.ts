import { runStreamCrowd } from '@braid-swap/api/testing'
import { expect, it } from 'vitest'

// BRAID_E2E_SCALE is the number of seconds, with a block in each; ten minutes are the full run.
const seconds = Number(process.env['BRAID_E2E_SCALE'] ?? 120)
const MEGABYTE = 1_000_000

it(`1,000 followers miss and mix no event in ${seconds} s, and the memory stays flat`, async () => {
  const crowd = { followers: 1_000, requests: 50, blocks: seconds, blockMs: 1_000 }
  const report = await runStreamCrowd({ ...crowd, rpcUrl: 'http://127.0.0.1:9' })
  const { events, expected, wrong, refused, tenths, delayMs } = report
  const inMegabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1)
  console.log(
    [
      `${events} events of ${expected}, ${wrong.length} wrong; ${refused} openings refused at first`,
      `a block to an event of it: median ${delayMs.p50} ms, 99 % ${delayMs.p99} ms, most ${delayMs.max} ms`,
      '| tenth | events | expected | heap MB | rss MB |',
      '| ----- | ------ | -------- | ------- | ------ |',
      ...tenths.map(
        ({ events, expected, heap, rss }, n) =>
          `| ${[n + 1, events, expected, inMegabytes(heap), inMegabytes(rss)].join(' | ')} |`,
      ),
    ].join('\n'),
  )
  expect(wrong).toEqual([])
  expect(events).toBe(expected)
  // The first tenth fills caches that stay.
  const [, second, ...later] = tenths
  expect(later.at(-1)!.heap - second!.heap).toBeLessThan(20 * MEGABYTE)
})
