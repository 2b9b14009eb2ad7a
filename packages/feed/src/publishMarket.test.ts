import { afterEach, expect, it } from 'vitest'
import type { FeedChange } from './feed.js'
import { soleLease } from './lease.js'
import { createMemoryFeed } from './memoryFeed.js'
import { createPublisher } from './publishMarket.js'
import type { PublishedMarket } from './records.js'
import { publicationOf } from './testing/feedConformance.js'
import { madeMarket } from './testing/movingMarket.js'

let stop = new AbortController()
afterEach(() => stop.abort())

/** A publisher over a feed in memory, the changes that it published, and a way to lose all that the feed has. */
function startPublisher({ verifyMs = 30_000 } = {}) {
  stop = new AbortController()
  let feed = createMemoryFeed()
  const changes: FeedChange[] = []
  const errors: unknown[] = []
  const publisher = createPublisher({
    ...{ lease: soleLease(), maxAgeMs: 3_600_000, signal: stop.signal, verifyMs },
    onError: (error) => errors.push(error),
    feed: {
      last: () => feed.last(),
      records: () => feed.records(),
      follow: (after, signal) => feed.follow(after, signal),
      publish: async (change) => {
        await feed.publish(change)
        changes.push(change)
      },
    },
  })
  const publish = async (market: PublishedMarket, status?: string) => {
    const flushed = publisher.flushed()
    publisher.update(publicationOf(market, status))
    await flushed
    expect(errors).toEqual([])
  }
  const lose = () => {
    feed = createMemoryFeed()
  }
  return { publish, changes, lose }
}

it('what the feed has lost is published again at the next look', async () => {
  const { publish, changes, lose } = startPublisher({ verifyMs: -1 })
  await publish(madeMarket(3))
  lose()
  await publish(madeMarket(4))
  await publish(madeMarket(5))
  expect(changes.map(({ head }) => head.parent === undefined)).toEqual([true, true, false])
})

it('a status that changes alone is published without records, and nothing is published twice', async () => {
  const { publish, changes } = startPublisher()
  const market = madeMarket(3)
  for (const status of ['a', 'a', 'b', 'b', 'a']) await publish({ ...market }, status)
  expect(changes.map(({ head }) => head.status)).toEqual(['a', 'b', 'a'])
  for (const { set, removed } of changes.slice(1)) expect([set, removed]).toEqual([[], []])
})

// Each made pool has a token of its own, so a pool more or less is two records.
it.each([
  [10, 2_510, false],
  [10, 2_511, true],
  [2_510, 10, false],
  [2_511, 10, true],
])('from %i to %i pools the whole market is published: %s', async (before, after, isWhole) => {
  const { publish, changes } = startPublisher()
  const next = madeMarket(after)
  await publish(madeMarket(before))
  await publish(next)
  const { head, set, removed } = changes.at(-1)!
  expect(head.parent === undefined).toBe(isWhole)
  const whole = next.snapshot.pools.length + next.snapshot.tokens.length
  expect(set.length + removed.length).toBe(isWhole ? whole : 2 * Math.abs(after - before))
})
