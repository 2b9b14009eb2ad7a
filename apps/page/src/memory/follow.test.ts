import { OutcomeUnknownError, SendError } from '@braid-swap/client'
import { toHex } from '@braid-swap/core'
import { expect, it } from 'vitest'
import { mapStore } from '../testing/mapStore.js'
import { swapAt } from '../testing/swapAt.js'
import { claim, release, sendOnce, settle } from './follow.js'
import { createSwapMemory } from './swapMemory.js'

const hash = toHex(1, 32)
const details = { got: 'x', wanted: 'y' }

it.each([
  [
    'a swap that was mined',
    async () => ({ hash, amountOut: 6n }),
    { is: 'done', received: 6n, hash },
  ],
  [
    'a swap that reverted',
    () => Promise.reject(new SendError('REVERTED', 'no', { ...details, hash })),
    { is: 'failed', code: 'REVERTED', hash },
  ],
  [
    'a swap that was replaced before it had a hash',
    () => Promise.reject(new SendError('REPLACED', 'no', details)),
    { is: 'failed', code: 'REPLACED' },
  ],
  [
    'a swap that no node knows',
    () => Promise.reject(new OutcomeUnknownError(swapAt(0).sent, 'why')),
    { is: 'unknown' },
  ],
  // The page, or the connection, went away: nothing is known of the swap.
  ['a fault of another kind', () => Promise.reject(new TypeError('fetch failed')), undefined],
])('%s is kept as that', async (_, end, outcome) => {
  const memory = createSwapMemory(mapStore())
  const swap = swapAt(Date.now())
  memory.keep(swap)
  const result = await settle(memory, end(), () => swap).catch((error: Error) => error)
  expect(memory.all()).toEqual([outcome ? { ...swap, outcome } : swap])
  expect(result instanceof Error).toBe(outcome?.is !== 'done')
})

it('a swap that the wallet never got is not kept', async () => {
  const memory = createSwapMemory(mapStore())
  await settle(memory, Promise.resolve({ hash, amountOut: 6n }), () => undefined)
  expect(memory.all()).toEqual([])
})

const free = { request: async (_: string, __: unknown, run: (lock: unknown) => unknown) => run({}) }
const taken = {
  request: async (_: string, __: unknown, run: (lock: unknown) => unknown) => run(null),
}

it('an order is sent unless another tab sends it, or nobody knows how it ended', async () => {
  const memory = createSwapMemory(mapStore())
  const send = (order: string, locks: unknown) =>
    sendOnce(memory, order, async () => 'sent', locks as LockManager)
  expect(await send('o', free)).toBe('sent')
  const underWay = { code: 'SWAP_UNDER_WAY' }
  await expect(send('o', taken)).rejects.toMatchObject(underWay)
  const open = swapAt(Date.now())
  for (const outcome of [undefined, { is: 'unknown' } as const]) {
    memory.keep({ ...open, ...(outcome && { outcome }) })
    await expect(send('o', free)).rejects.toMatchObject(underWay)
    await expect(send('o', undefined)).rejects.toMatchObject(underWay)
    expect(await send('another', undefined)).toBe('sent')
  }
  memory.keep({ ...open, outcome: { is: 'failed', code: 'REVERTED' } })
  expect(await send('o', free)).toBe('sent')
  // After its deadline it cannot be performed.
  memory.keep(swapAt(1_000))
  expect(await send('o', undefined)).toBe('sent')
})

it('a swap is followed by one, until it is released', () => {
  expect([claim('a'), claim('a'), claim('b')]).toEqual([true, false, true])
  release('a')
  expect([claim('a'), claim('b')]).toEqual([true, false])
})
