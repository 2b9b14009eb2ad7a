import { toHex } from '@braid-swap/core/advanced'
import { afterEach, expect, it, vi } from 'vitest'
import { type FeedChange, FeedFormatError } from './feed.js'
import { loadPublished } from './followFeed.js'
import { type Lease, soleLease } from './lease.js'
import { createMemoryFeed } from './memoryFeed.js'
import { createPublisher } from './publishMarket.js'
import type { PublishedMarket } from './records.js'
import { publicationOf } from './testing/feedConformance.js'
import { madeMarket } from './testing/movingMarket.js'

const MAX_AGE_MS = 3_600_000
const VERIFY_MS = 30_000

let stop = new AbortController()
afterEach(() => {
  stop.abort()
  vi.useRealTimers()
})

/** A publisher over a feed in memory, the changes that it published, and a way to lose all that the feed has. */
function startPublisher({
  verifyMs = VERIFY_MS,
  lease = soleLease(),
  onLead = (_: number | undefined) => {},
} = {}) {
  stop = new AbortController()
  let feed = createMemoryFeed()
  const changes: FeedChange[] = []
  const errors: unknown[] = []
  const publisher = createPublisher({
    ...{ lease, onLead, maxAgeMs: MAX_AGE_MS, signal: stop.signal, verifyMs },
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
  const publish = async (
    market: PublishedMarket,
    { status, fails }: { readonly status?: string; readonly fails?: string } = {},
  ) => {
    const flushed = publisher.flushed()
    publisher.update(publicationOf(market, status))
    await flushed
    expect(errors.splice(0)).toMatchObject(fails ? [{ code: fails }] : [])
  }
  const lose = () => {
    feed = createMemoryFeed()
  }
  return { publish, publisher, changes, lose, feed: () => feed }
}

/** Stops the clock that says when to look again, in a process that has run for an hour. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(3_600_000)
}

it('what the feed has lost is published again at the next look', async () => {
  stopClock()
  const { publish, changes, lose } = startPublisher()
  await publish(madeMarket(3))
  lose()
  vi.advanceTimersByTime(VERIFY_MS + 1)
  await publish(madeMarket(4))
  await publish(madeMarket(5))
  expect(changes.map(({ head }) => head.parent === undefined)).toEqual([true, true, false])
})

it('a record that was damaged, and a foreign change, are replaced by the whole market', async () => {
  const { publish, changes, feed } = startPublisher({ verifyMs: -1 })
  await publish(madeMarket(3))
  const { sequence, epoch, block, ...head } = changes[0]!.head
  const foreign = { ...head, epoch, sequence: sequence + 1, parent: block.hash, block }
  await feed().publish({ head: foreign, set: [[toHex(0x1000, 20), '{}']], removed: [] })
  await publish(madeMarket(4))
  expect(changes[1]!.head).toMatchObject({ sequence: sequence + 2, epoch })
  expect(changes[1]!.head.parent).toBeUndefined()
  expect(changes[1]!.set).toHaveLength(9)
  const loaded = await loadPublished(feed(), stop.signal)
  expect(loaded!.at.head.sequence).toBe(sequence + 2)
  await publish(madeMarket(5))
  expect(changes[2]!.head.parent).toBeDefined()
})

it('a change that something else has overtaken before the next look is followed by a market that replaces all', async () => {
  stopClock()
  const { publish, changes, feed } = startPublisher()
  await publish(madeMarket(3))
  vi.advanceTimersByTime(VERIFY_MS)
  const { head } = changes[0]!
  const after = { ...head, sequence: head.sequence + 1, parent: head.block.hash }
  await feed().publish({ head: after, set: [], removed: [] })
  await publish(madeMarket(4), { fails: 'PUBLISH_REFUSED' })
  expect(changes[1]!.replacesAll).toBe(true)
  expect(changes[1]!.head.parent).toBeUndefined()
  await publish(madeMarket(5))
  expect([changes[2]!.replacesAll, changes[2]!.head.parent]).toEqual([
    false,
    changes[1]!.head.block.hash,
  ])
})

it('a change of another format is replaced with all that is there', async () => {
  const { publish, changes, feed } = startPublisher()
  const last = async () => {
    throw new FeedFormatError(99)
  }
  Object.assign(feed(), { last })
  await publish(madeMarket(3))
  expect(changes[0]).toMatchObject({ replacesAll: true, removed: [] })
  expect(changes[0]!.head.parent).toBeUndefined()
})

it('a status that changes alone is published without records, and nothing is published twice', async () => {
  const { publish, changes } = startPublisher()
  const market = madeMarket(3)
  for (const status of ['a', 'a', 'b', 'b', 'a']) await publish({ ...market }, { status })
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

/** A lease that nobody else wants, and who has it. */
function watchedLease() {
  let isHeld = false
  let epoch = 0
  const lease: Lease = {
    take: async () => {
      if (!isHeld) epoch += 1
      isHeld = true
      return epoch
    },
    release: async () => {
      isHeld = false
    },
    renewMs: 60_000,
  }
  return { lease, isHeld: () => isHeld }
}

it('a publisher leads while its market is young and until it ends, and tells so', async () => {
  const { lease, isHeld } = watchedLease()
  const told: (number | undefined)[] = []
  const onLead = (epoch: number | undefined) => void told.push(epoch)
  const { publish, publisher } = startPublisher({ lease, onLead })
  await publish(madeMarket(2))
  expect([isHeld(), publisher.epoch()]).toEqual([true, 1])
  publisher.update({ ...publicationOf(madeMarket(2)), ageMs: MAX_AGE_MS + 1 })
  await expect.poll(publisher.epoch).toBeUndefined()
  expect([isHeld(), told]).toEqual([false, [1, undefined]])
  await publish(madeMarket(3))
  expect([isHeld(), told]).toEqual([true, [1, undefined, 2]])
  stop.abort()
  await publisher.ended
  expect([isHeld(), publisher.epoch(), told]).toEqual([
    ...[false, undefined],
    [1, undefined, 2, undefined],
  ])
})
