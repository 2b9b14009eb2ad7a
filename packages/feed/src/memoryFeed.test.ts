import { soleLease } from './lease.js'
import { createMemoryFeed } from './memoryFeed.js'
import { describeFeed } from './testing/feedConformance.js'

describeFeed('memory', async () => {
  const feed = createMemoryFeed()
  const trim = async () => feed.trim(1)
  return { publisher: feed, reader: feed, lease: soleLease(), trim, close: async () => {} }
})
