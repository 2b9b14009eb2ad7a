import { expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { learnProfiles } from '../transport/client.js'
import { type BatchSize, enlarge, shrink, sizeOf } from './batchSize.js'

const profile = { pastState: 'pinned', overrides: 'honoured' } as const
const start = (callGas?: bigint) => {
  const client = createClient('http://127.0.0.1:1')
  if (callGas !== undefined) learnProfiles(client, [{ ...profile, callGas }])
  expect(sizeOf(client)).toBe(sizeOf(client))
  return sizeOf(client)
}
/** The sizes after so many full batches that pass. */
const pass = (size: BatchSize, count: number) =>
  Array.from({ length: count }, () => {
    enlarge(size)
    return size.calls
  })

it('begins with as many calls as the gas of a node allows, sixteen at least', () => {
  expect(start().calls).toBe(1_000)
  for (const [gas, calls] of [
    [30_000_000n, 1_000],
    [3_000_000n, 100],
    [100_000n, 16],
  ] as const) {
    expect(start(gas).calls).toBe(calls)
  }
})

it('is half of what failed, sixteen at least, and never more than before', () => {
  const size = start()
  shrink(size, 301)
  expect(size.calls).toBe(151)
  shrink(size, 1_000)
  expect(size.calls).toBe(151)
  shrink(size, 20)
  expect(size.calls).toBe(16)
})

it('doubles up to a thousand below what failed, which is tried again after sixteen batches', () => {
  const size = start()
  shrink(size, 400)
  shrink(size, 80)
  expect(pass(size, 15)).toEqual(Array.from({ length: 15 }, () => 40))
  expect(pass(size, 6)).toEqual([80, 160, 320, 640, 1_000, 1_000])
  shrink(size, 100)
  expect(pass(size, 15)).toEqual(Array.from({ length: 15 }, () => 50))
  shrink(size, 100)
  expect(pass(size, 16).slice(-2)).toEqual([50, 100])
})
