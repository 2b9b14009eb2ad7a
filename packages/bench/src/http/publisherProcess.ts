// The publisher of the recorded market, as an indexer is: a process of its own that writes to Redis
// and answers no quote. It also measures the solver alone, while the API's processes are idle.

import { buildGraph, prepare, type Snapshot, stringify } from '@braid-swap/core'
import { createPublisher, createRedisFeed, createRedisLease } from '@braid-swap/feed'
import type { Answer, Question, Ready } from './messages.js'
import { createMovingMarket, createSolverAlone } from './movingMarket.js'
import { CHAIN_ID, loadServedMarket, pathOf, ROUTER } from './servedMarket.js'

const NEVER_MS = 86_400_000

const [url = '', orderCount = '200', seed = '1'] = process.argv.slice(2)
const { snapshot, orders, isSmall } = loadServedMarket(Number(orderCount), Number(seed))
const reader = createRedisFeed({ url, chainId: CHAIN_ID })
await reader.redis.send(['FLUSHDB'])
const lease = createRedisLease(reader.redis, { chainId: CHAIN_ID })
const feed = createRedisFeed({ url, chainId: CHAIN_ID, holder: lease.holder })
const ending = new AbortController()
const publisher = createPublisher({
  ...{ feed, lease, maxAgeMs: NEVER_MS, signal: ending.signal },
  onError: (error) => console.error(error),
})
const status = stringify({ router: { address: ROUTER } })
const publish = (next: Snapshot) =>
  publisher.update({ snapshot: next, flawed: [], status, ageMs: 0 })
const market = createMovingMarket(snapshot, publish)
const published = publisher.flushed()
publish(snapshot)
await published

const alone = createSolverAlone(orders)
process.on('message', async (question: Question) => {
  const send = (answer: Answer) => process.send!(answer)
  if (question.ask === 'solver') {
    const graph = prepare(buildGraph(market.snapshot()))
    send({ solved: alone.time(graph, question.seconds) })
  }
  if (question.ask === 'cpu') send({ cpuMs: process.cpuUsage().user / 1_000 })
  if (question.ask === 'blocks') {
    market.setBlocks(question.on)
    send({})
  }
  if (question.ask === 'end') {
    market.setBlocks(false)
    ending.abort()
    await publisher.ended
    feed.close()
    reader.close()
    process.exit()
  }
})

process.send!({
  ...{ url: '', key: '', polite: '', flooding: '', pools: snapshot.pools.length },
  ...{ paths: orders.map(pathOf), isSmall },
} satisfies Ready)
