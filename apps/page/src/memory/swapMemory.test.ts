import { toHex } from '@braid-swap/core'
import { expect, it } from 'vitest'
import { mapStore } from '../testing/mapStore.js'
import { swapAt } from '../testing/swapAt.js'
import { createSwapMemory, isOpen } from './swapMemory.js'

const done = { is: 'done', hash: toHex(1, 32), received: 6n } as const

it('a swap is the same after a reload, and is told to those who watch', () => {
  const store = mapStore()
  const memory = createSwapMemory(store)
  let told = 0
  const stop = memory.watch(() => told++)
  const [open, ended] = [swapAt(1_000), swapAt(2_000, done)]
  memory.keep(open)
  memory.keep(ended)
  stop()
  memory.keep(open)
  expect(createSwapMemory(store).all()).toEqual([ended, open])
  expect(told).toBe(2)
})

it('damaged records are none, and hide no other', () => {
  const store = mapStore()
  const memory = createSwapMemory(store)
  const whole = swapAt(1_000)
  memory.keep(whole)
  const text = store.read('braid.swap.1000')!
  const damaged = [
    '',
    '{',
    'null',
    '[]',
    text.slice(0, -9),
    text.replace('"data":"0x', '"data":"0xff'),
  ]
  for (const [i, each] of damaged.entries()) store.write(`braid.swap.x${i}`, each)
  store.write('braid.tokens', text)
  expect(memory.all()).toEqual([whole])
})

it('a swap may be performed until a minute after its deadline, by clocks that differ', () => {
  const deadlineMs = 3_600_000
  const lastMs = deadlineMs + 60_000 - 1
  const swap = swapAt(0)
  expect([deadlineMs, lastMs, lastMs + 1].map((now) => isOpen(swap, now))).toEqual([
    ...[true, true, false],
  ])
  expect(isOpen({ ...swap, outcome: { is: 'unknown' } }, lastMs)).toBe(true)
  expect(isOpen({ ...swap, outcome: done }, lastMs)).toBe(false)
})

it.each([0, 1, 2])('a store with room for %i still lists a swap under way', (room) => {
  const store = mapStore(room)
  const memory = createSwapMemory(store)
  const open = swapAt(Date.now())
  memory.keep(swapAt(1, done))
  memory.keep(swapAt(2, done))
  memory.keep(open)
  expect(memory.all()).toContainEqual(open)
  // What has ended makes room.
  expect(
    createSwapMemory(store)
      .all()
      .some(({ id }) => id === open.id),
  ).toBe(room > 0)
  memory.keep({ ...open, outcome: done })
  expect(memory.all().filter(({ id }) => id === open.id)).toMatchObject([{ outcome: done }])
})

it('keeps ten ended swaps, and every one that is open', () => {
  const memory = createSwapMemory(mapStore())
  const now = Date.now()
  for (let i = 0; i < 12; i++) memory.keep(swapAt(now + i))
  for (let i = 0; i < 15; i++) memory.keep(swapAt(now + 100 + i, done))
  const all = memory.all()
  expect(all.filter((swap) => isOpen(swap, now))).toHaveLength(12)
  expect(all.filter(({ outcome }) => outcome)).toHaveLength(11)
  expect(all[0]).toEqual(swapAt(now + 114, done))
})
