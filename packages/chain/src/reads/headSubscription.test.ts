// Notifications of new heads, from endpoints that a test speaks for.
import { afterEach, expect, it, vi } from 'vitest'
import type { Client } from '../transport/client.js'
import { subscribeHeads } from './headSubscription.js'

type Asked = { readonly params: readonly string[]; readonly onData: () => void }

afterEach(() => void vi.restoreAllMocks())

/** A client of two endpoints, of which the second refuses; and what the first is asked. */
function endpoints() {
  const asked: Asked[] = []
  let unsubscribed = 0
  const unsubscribe = async () => {
    unsubscribed += 1
  }
  const accept = async (to: Asked) => {
    asked.push(to)
    return { unsubscribe }
  }
  const refuse = () => Promise.reject(new Error('no subscriptions'))
  const client = { transport: { subscribers: [accept, refuse] } } as unknown as Client
  return { client, asked, unsubscribed: () => unsubscribed }
}
/** Whether a promise is fulfilled after all that is due at once. */
async function isFulfilled(promise: Promise<void>) {
  let is = false
  void promise.then(() => {
    is = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return is
}

it('end a wait, even one that begins after they came, until the head is asked for again', async () => {
  const { client, asked } = endpoints()
  const heads = subscribeHeads(client)
  expect(asked.map(({ params }) => params)).toEqual([['newHeads']])
  heads.asking()
  const waiting = heads.next()
  expect(await isFulfilled(waiting)).toBe(false)
  asked[0]!.onData()
  expect(await isFulfilled(waiting)).toBe(true)
  // It came after the last question, so that the next one need not wait.
  expect(await isFulfilled(heads.next())).toBe(true)
  heads.asking()
  expect(await isFulfilled(heads.next())).toBe(false)
})

it('count as lost after ten silent seconds', () => {
  const { client, asked } = endpoints()
  const startMs = performance.now()
  let waitedMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => startMs + waitedMs)
  const heads = subscribeHeads(client)
  expect(heads.isLive()).toBe(false)
  asked[0]!.onData()
  waitedMs = 9_999
  expect(heads.isLive()).toBe(true)
  waitedMs = 10_000
  expect(heads.isLive()).toBe(false)
})

it('end with the subscription', async () => {
  const { client, unsubscribed } = endpoints()
  const heads = subscribeHeads(client)
  heads.stop()
  await expect.poll(unsubscribed).toBe(1)
  subscribeHeads({ transport: {} } as Client).stop()
})
