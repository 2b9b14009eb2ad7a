import { afterAll } from 'vitest'
import { createIpcFeed, serveFeed } from './ipcFeed.js'
import { soleLease } from './lease.js'
import { createMemoryFeed } from './memoryFeed.js'
import { describeFeed } from './testing/feedConformance.js'
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
