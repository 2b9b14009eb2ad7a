import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { mapStore } from '../testing/mapStore.js'
import { swapAt } from '../testing/swapAt.js'
import { createPageMemory, deadlineMsOf, type KeptSwap, type PageMemory } from './swapMemory.js'

const end = { hash: toHex(1, 32), blockNumber: 1n, gasUsed: 1n, amountIn: 7n, amountOut: 6n }
const done = { is: 'done', done: { ...end, quoted: 6n } } as const
const keptDone = { is: 'done', hash: end.hash, received: 6n } as const
const not = (code: 'REVERTED' | 'EXPIRED') => ({ is: 'not', code }) as const

/** Keeps the swap as the client does. */
const keep = async (memory: PageMemory, swap: KeptSwap) => memory.of(swap).keep(swap.sent)
const ids = (memory: PageMemory) => memory.all().map(({ sent }) => sent.id)

it('a swap is the same after a reload, with its tokens, and is told to those who watch', async () => {
  const store = mapStore()
  const memory = createPageMemory(store)
  let told = 0
  const stop = memory.watch(() => told++)
  const [open, ended] = [swapAt(1_000), swapAt(2_000)]
  const other = { ...ended, sent: { ...ended.sent, terms: 'another' } }
  expect([await keep(memory, open), await keep(memory, other)]).toEqual([true, true])
  await memory.of(other).forget(other.sent, done)
  stop()
  const hash = toHex(9, 32)
  expect(await memory.of(open).keep({ ...open.sent, hash })).toBe(true)
  const after = createPageMemory(store).all()
  expect(after.find(({ sent }) => sent.id === other.sent.id)?.outcome).toEqual(keptDone)
  const { src, dst } = open
  expect(after.find(({ sent }) => sent.id === open.sent.id)).toEqual({
    ...{ src, dst, startedMs: expect.any(Number), sent: { ...open.sent, hash } },
  })
  expect(told).toBe(3)
})

it('an order is kept once while its end is unknown, also by two tabs at once', async () => {
  const store = mapStore()
  const tabs = [createPageMemory(store), createPageMemory(store)]
  const [one, two] = [swapAt(1_000), swapAt(2_000)]
  const both = await Promise.all([keep(tabs[0]!, one), keep(tabs[1]!, two)])
  expect(both.sort()).toEqual([false, true])
  const [open] = tabs[0]!.all()
  expect(tabs[1]!.open('o')).toEqual(open)
  expect(tabs[1]!.of(one).find('o')).toEqual(open!.sent)
  await tabs[0]!.of(one).forget(open!.sent, not('EXPIRED'))
  expect([tabs[1]!.open('o'), await tabs[1]!.of(one).find('o')]).toEqual([undefined, undefined])
  expect(await keep(tabs[1]!, swapAt(3_000))).toBe(true)
})

it('what its owner declined is forgotten whole', async () => {
  const memory = createPageMemory(mapStore())
  const swap = swapAt(1_000)
  await keep(memory, swap)
  await memory.of(swap).forget(swap.sent)
  expect(memory.all()).toEqual([])
})

it('damaged records are none, and hide no other', async () => {
  const store = mapStore()
  const memory = createPageMemory(store)
  const whole = swapAt(1_000)
  await keep(memory, whole)
  const text = store.read(store.names()[0]!)!
  const damaged = [
    ...['', '{', 'null', '[]', text.slice(0, -9)],
    ...[text.replace('"data":"0x', '"data":"0xff'), text.replace('"terms":"o"', '"terms":1')],
  ]
  for (const [i, each] of damaged.entries()) store.write(`braid.swap.x${i}`, each)
  store.write('braid.tokens', text)
  expect(ids(memory)).toEqual([whole.sent.id])
})

it('a swap can be performed until its deadline', () => {
  expect(deadlineMsOf(swapAt(1_000))).toBe(3_601_000)
})

it.each([0, 1, 2])('a store with room for %i still lists a swap under way', async (room) => {
  const store = mapStore(room)
  const memory = createPageMemory(store)
  for (const at of [1, 2]) {
    const ended = swapAt(at)
    await keep(memory, ended)
    await memory.of(ended).forget(ended.sent, done)
  }
  const open = swapAt(Date.now())
  await keep(memory, open)
  expect(ids(memory)).toContain(open.sent.id)
  // What has ended makes room.
  expect(ids(createPageMemory(store)).includes(open.sent.id)).toBe(room > 0)
  await memory.of(open).forget(open.sent, done)
  expect(memory.all().filter(({ sent }) => sent.id === open.sent.id)).toMatchObject([
    { outcome: keptDone },
  ])
})

it('keeps ten ended swaps, and every one that is open', async () => {
  const memory = createPageMemory(mapStore())
  for (let i = 0; i < 12; i++) {
    const open = swapAt(1_000 + i)
    await keep(memory, { ...open, sent: { ...open.sent, terms: `open ${i}` } })
  }
  for (let i = 0; i < 15; i++) {
    const swap = swapAt(2_000 + i)
    await keep(memory, swap)
    await memory.of(swap).forget(swap.sent, not('REVERTED'))
  }
  const all = memory.all()
  expect(all.filter(({ outcome }) => !outcome)).toHaveLength(12)
  expect(all.filter(({ outcome }) => outcome).length).toBeLessThanOrEqual(11)
})
