// The publisher of the recorded market, as an indexer is: a process of its own that writes to Redis
// and answers no quote. It also measures the solver alone, while the API's processes are idle.

import { buildGraph, prepare } from '@braid-swap/core'
import { createRedisFeed, createRedisLease } from '@braid-swap/feed'
import { answerParent, publishMarket } from './recordedMarket.js'
import { CHAIN_ID, loadServedMarket } from './servedMarket.js'

const [url = '', orderCount = '200', seed = '1'] = process.argv.slice(2)
const served = loadServedMarket(Number(orderCount), Number(seed))
const reader = createRedisFeed({ url, chainId: CHAIN_ID })
await reader.redis.send(['FLUSHDB'])
const lease = createRedisLease(reader.redis, { chainId: CHAIN_ID })
const feed = createRedisFeed({ url, chainId: CHAIN_ID, holder: lease.holder })
const { market, published, stop } = publishMarket(served.snapshot, { feed, lease })
await published

answerParent(served, {
  ...{ market, url: '', key: '', polite: '', flooding: '' },
  graph: () => prepare(buildGraph(market.snapshot())),
  stop: async () => {
    await stop()
    feed.close()
    reader.close()
  },
})
