/** Tests the duties of a carrier, and publisher and reader over it: run once for each carrier. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Snapshot } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChangeHead, FeedChange, MarketFeed } from '../feed.js'
import { FeedEmptyError, FORMAT } from '../feed.js'
import { followFeed, loadPublished, type ReadMarket } from '../followFeed.js'
import type { Lease } from '../lease.js'
import { createPublisher } from '../publishMarket.js'
import type { Publication } from '../readPublished.js'
import type { PublishedMarket } from '../records.js'
import { createMovingMarket, type Move } from './movingMarket.js'

/** An empty feed for a test, as publisher and reader see it. */
export type OpenFeed = {
  readonly publisher: MarketFeed
  readonly reader: MarketFeed
  readonly lease: Lease
  /** Drops all changes but the newest. */
  readonly trim: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Everything about a snapshot, in an order that does not depend on how it came about. */
export function canonical({ snapshot, flawed }: PublishedMarket): string {
  const byText = (values: readonly unknown[]) => values.map((value) => stringify(value)).sort()
  const { pools, tokens, block, chainId, wrappedNative } = snapshot
  const lists = [pools, tokens, flawed].map(byText)
  return stringify([chainId, wrappedNative, Object.entries(block).sort(), ...lists])
}

/** A publisher and a reader over one feed. */
export async function connect(open: OpenFeed) {
  const stop = new AbortController()
  const errors: unknown[] = []
  const read: ReadMarket[] = []
  const { signal } = stop
  const publisher = createPublisher({
    ...{ feed: open.publisher, lease: open.lease, maxAgeMs: 3_600_000, signal },
    onError: (error) => errors.push(error),
  })
  const reader = followFeed(open.reader, {
    ...{ signal, retryMs: 5 },
    onMarket: (market) => read.push(market),
    // It may look before anything is published.
    onError: (error) => error instanceof FeedEmptyError || errors.push(error),
  })
  const publish = async (market: PublishedMarket) => {
    const flushed = publisher.flushed()
    publisher.update(publicationOf(market))
    await flushed
  }
  const until = async (wanted: PublishedMarket) => {
    const text = canonical(wanted)
    while (true) {
      const last = read.at(-1)
      if (last && canonical(last) === text) return last
      await sleep(2)
    }
  }
  const close = async () => {
    stop.abort()
    await Promise.all([publisher.ended, reader])
    await open.close()
  }
  return { publish, until, read, errors, close }
}

export function publicationOf(market: PublishedMarket, status = '{}'): Publication {
  return { ...market, status, ageMs: 0 }
}

const pool = fc.nat(9)
const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant('swap' as const), pool, amount: fc.bigInt(1n, 1_000n) }),
  fc.record({ kind: fc.constantFrom('create' as const, 'remove' as const, 'flaw' as const), pool }),
  fc.record({ kind: fc.constant('correct' as const), pool }),
  fc.record({ kind: fc.constant('reorganise' as const), depth: fc.integer({ min: 1, max: 4 }) }),
)

/** Runs the suite over one carrier. */
export function describeFeed(name: string, open: () => Promise<OpenFeed>): void {
  describe(`the feed over ${name}`, () => {
    let close = async () => {}
    const connected = async () => {
      const both = await connect(await open())
      close = both.close
      return both
    }
    afterEach(async () => {
      await close()
      close = async () => {}
    })

    it('has nothing before the first market', async () => {
      const feed = await open()
      close = feed.close
      expect(await feed.reader.last()).toBeUndefined()
      expect(await loadPublished(feed.reader, new AbortController().signal)).toBeUndefined()
    })

    it('gives a reader every market that was published, whatever the chain does', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(moves, { maxLength: 12 }), async (steps) => {
          const { publish, until, read, errors, close: end } = await connect(await open())
          try {
            const market = createMovingMarket(6)
            const published = [market.current()]
            await publish(market.current())
            await until(market.current())
            for (const step of steps) {
              published.push(market.move(step))
              await publish(market.current())
            }
            await until(market.current())
            // A reader may miss a market, but has none that was never published.
            const known = new Set(published.map(canonical))
            for (const one of read) expect(known).toContain(canonical(one))
            expect(errors).toEqual([])
          } finally {
            await end()
          }
        }),
        { numRuns: 8 },
      )
    })

    it('shares what a block did not change', async () => {
      const { publish, until } = await connected()
      const market = createMovingMarket(6)
      await publish(market.current())
      const before = await until(market.current())
      await publish(market.move({ kind: 'swap', pool: 1, amount: 5n }))
      const after = await until(market.current())
      const pools = (snapshot: Snapshot) => new Set(snapshot.pools)
      const shared = [...pools(after.snapshot)].filter((one) => pools(before.snapshot).has(one))
      // Pools 0 and 3 depend on time.
      expect(shared).toHaveLength(3)
      expect(after.snapshot.tokens).toBe(before.snapshot.tokens)
      expect(after.flawed).toBe(before.flawed)
    })

    it('gives a late reader the newest market', async () => {
      const feed = await open()
      close = feed.close
      const market = createMovingMarket(6)
      const { publish, close: end } = await connect({ ...feed, close: async () => {} })
      // Its digest is that of records which came, changed and went.
      for (const kind of ['create', 'swap', 'flaw', 'remove', 'flaw'] as const) {
        await publish(market.current())
        market.move({ kind, pool: 1, amount: 3n })
      }
      await publish(market.current())
      const loaded = await loadPublished(feed.reader, new AbortController().signal)
      expect(loaded?.at.head.block).toEqual(market.current().snapshot.block)
      await end()
    })

    it('refuses a change that is not the next one of the last block', async () => {
      const feed = await open()
      close = feed.close
      const epoch = (await feed.lease.take())!
      const { publish } = feed.publisher
      await publish(emptyChange({ sequence: epoch, epoch, block: 1 }))
      await publish(emptyChange({ sequence: epoch + 1, epoch, block: 2, parent: 1 }))
      const refused = async (change: FeedChange, reason: string) =>
        expect(publish(change)).rejects.toMatchObject({
          code: 'PUBLISH_REFUSED',
          details: { reason },
        })
      await refused(emptyChange({ sequence: epoch + 1, epoch, block: 2, parent: 1 }), 'sequence')
      await refused(emptyChange({ sequence: epoch + 3, epoch, block: 3, parent: 2 }), 'sequence')
      await refused(emptyChange({ sequence: epoch + 1, epoch, block: 3 }), 'sequence')
      await refused(emptyChange({ sequence: epoch + 2, epoch, block: 3, parent: 1 }), 'parent')
      await refused(
        emptyChange({ sequence: epoch + 2, epoch: epoch - 1, block: 3, parent: 2 }),
        'lease',
      )
      expect((await feed.reader.last())?.head.sequence).toBe(epoch + 1)
    })

    it('lets a reader whose changes are gone load again', async () => {
      const feed = await open()
      close = feed.close
      const epoch = (await feed.lease.take())!
      const { publish } = feed.publisher
      await publish(emptyChange({ sequence: epoch, epoch, block: 1 }))
      for (let n = 1; n <= 3; n++) {
        await publish(emptyChange({ sequence: epoch + n, epoch, block: n + 1, parent: n }))
      }
      await feed.trim()
      const stop = new AbortController()
      const first = await feed.reader.follow(epoch, stop.signal)[Symbol.asyncIterator]().next()
      expect(first.value?.head.sequence).toBe(epoch + 3)
      stop.abort()
      const follow = feed.reader.follow(epoch + 9, new AbortController().signal)
      await expect(follow[Symbol.asyncIterator]().next()).rejects.toMatchObject({
        code: 'FEED_BEHIND',
      })
    })

    it('gives each change once, in order, also one that comes later', async () => {
      const feed = await open()
      close = feed.close
      const epoch = (await feed.lease.take())!
      const publish = (n: number) =>
        feed.publisher.publish(
          emptyChange({ sequence: epoch + n, epoch, block: n + 1, ...(n > 0 && { parent: n }) }),
        )
      for (let n = 0; n < 3; n++) await publish(n)
      const stop = new AbortController()
      const sequences: number[] = []
      for await (const { head } of feed.reader.follow(epoch, stop.signal)) {
        sequences.push(head.sequence - epoch)
        if (sequences.length === 2) await publish(3)
        if (sequences.length === 3) break
      }
      stop.abort()
      expect(sequences).toEqual([1, 2, 3])
    })

    it('says how old a change is when it is read', async () => {
      const feed = await open()
      close = feed.close
      const epoch = (await feed.lease.take())!
      const change = emptyChange({ sequence: epoch, epoch, block: 1 })
      const from = performance.now()
      await feed.publisher.publish({ ...change, head: { ...change.head, ageMs: 40 } })
      const to = performance.now()
      await sleep(30)
      const asked = performance.now()
      const { ageMs } = (await feed.reader.last())!
      const read = performance.now()
      // The clock of Redis counts whole milliseconds, and comparing with it overestimates an age by at
      // most the time of the comparison, at either end.
      expect(ageMs).toBeGreaterThanOrEqual(40 + 28)
      expect(ageMs).toBeLessThanOrEqual(42 + read - from + (to - from) + (read - asked))
    })
  })
}

/** A change without records; a whole market without a parent. */
export function emptyChange(of: {
  readonly sequence: number
  readonly epoch: number
  readonly block: number
  readonly parent?: number
}): FeedChange {
  const { snapshot } = createMovingMarket(0).current()
  const hashAt = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
  const head: ChangeHead = {
    ...{ format: FORMAT, sequence: of.sequence, epoch: of.epoch, ageMs: 0, status: '' },
    ...{ chainId: 999, wrappedNative: snapshot.wrappedNative },
    ...(of.parent !== undefined && { parent: hashAt(of.parent) }),
    block: { ...snapshot.block, number: BigInt(of.block), hash: hashAt(of.block) },
    digest: 'sum-00000000000000000000000000000000',
  }
  return { head, set: [], removed: [] }
}
