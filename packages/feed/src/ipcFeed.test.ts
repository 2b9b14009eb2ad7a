import { afterAll, expect, it } from 'vitest'
import { createIpcFeed, serveFeed } from './ipcFeed.js'
import { soleLease } from './lease.js'
import { createMemoryFeed } from './memoryFeed.js'
import { describeFeed, emptyChange } from './testing/feedConformance.js'
import { startRelay } from './testing/relayedChannel.js'

const { channel, stop } = startRelay()
afterAll(stop)

describeFeed('the messages of processes', async () => {
  const feed = createMemoryFeed()
  const trim = async () => feed.trim(1)
  const unserve = serveFeed(feed, channel)
  const remote = createIpcFeed(channel)
  return {
    publisher: remote,
    reader: remote,
    lease: soleLease(),
    trim,
    close: async () => unserve(),
  }
})

it('what nobody reads any more ends in the process that serves it', async () => {
  const feed = createMemoryFeed()
  const served: AbortSignal[] = []
  const unserve = serveFeed(
    {
      ...feed,
      follow: (after, signal) => {
        served.push(signal)
        return feed.follow(after, signal)
      },
    },
    channel,
  )
  const remote = createIpcFeed(channel)
  await remote.publish(emptyChange({ sequence: 1, epoch: 1, block: 1 }))
  // One reader leaves after a change, another one while it waits.
  for await (const _ of remote.follow(0, new AbortController().signal)) break
  const stop = new AbortController()
  const next = remote.follow(1, stop.signal)[Symbol.asyncIterator]().next()
  await expect.poll(() => served.length).toBe(2)
  stop.abort()
  expect((await next).done).toBe(true)
  await expect.poll(() => served.map(({ aborted }) => aborted)).toEqual([true, true])
  unserve()
})
