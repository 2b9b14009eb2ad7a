import { expect, it } from 'vitest'
import { followMany } from './manyPools.js'

// BRAID_SCALE_SECONDS for each number of pools.
const seconds = Number(process.env['BRAID_SCALE_SECONDS'] ?? 120)

it.each([500, 2_000, 5_000])('follows %d pools with 100 requests a minute', async (pools) => {
  const report = await followMany({ pools, seconds, blockTimeMs: 1_000 })
  const { blocks, requests, mostPerMinute, bytesAsked, bytesAnswered, lags, errors } = report
  const per = (count: number) => (count / blocks).toFixed(2)
  const sorted = [...lags].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]
  console.log(
    [
      `${pools} pools, ${blocks} blocks: ${requests} requests, at most ${mostPerMinute} in a minute`,
      `a block: ${per(requests)} requests, ${per(bytesAsked)} bytes asked, ${per(bytesAnswered)} answered`,
      `blocks behind: median ${at(0.5)}, 90 % ${at(0.9)}, most ${at(1)}`,
      ...errors.slice(0, 3),
    ].join('\n'),
  )
  expect(report.wrong).toBe(0)
  expect(mostPerMinute).toBeLessThanOrEqual(100)
})
