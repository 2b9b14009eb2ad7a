import { expect, it } from 'vitest'
import { rowOf } from './rows.js'

const answer = (ms: number) => ({ order: 0, status: 200, ms })

it('is not decided by one turn in which the host kept the processor', () => {
  const turnOf = (ms: number) => ({
    answers: Array.from({ length: 100 }, () => answer(ms)),
    ...{ seconds: 1, cpuMs: 100, times: Array.from({ length: 100 }, (_, n) => 10 * n) },
  })
  const { p50Ms, p99Ms, pooledP99Ms, ideal } = rowOf({
    ...{ load: 'half', blocks: false, turns: [turnOf(5), turnOf(150), turnOf(6)] },
    solved: [{ order: 0, ms: 4, cpuMs: 4 }],
  })
  expect({ p50Ms, p99Ms, ideal: ideal?.p99Ms }).toEqual({ p50Ms: 6, p99Ms: 6, ideal: 4 })
  expect(pooledP99Ms).toBe(150)
})
