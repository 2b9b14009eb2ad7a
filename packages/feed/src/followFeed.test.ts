import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Delivery, MarketFeed } from './feed.js'
import { loadPublished } from './followFeed.js'
import { soleLease } from './lease.js'
import { createMemoryFeed } from './memoryFeed.js'
import { createPublisher } from './publishMarket.js'
import { canonical, connect, publicationOf } from './testing/feedConformance.js'
import { createMovingMarket, madeMarket } from './testing/movingMarket.js'

type Tamper = (delivery: Delivery, n: number) => readonly Delivery[]

/** A feed whose deliveries are tampered with on their way; loads are not. */
function tampered(feed: MarketFeed, tamper: Tamper): MarketFeed {
  let n = 0
  return {
    ...feed,
    follow: async function* (after, signal) {
      for await (const delivery of feed.follow(after, signal)) yield* tamper(delivery, n++)
    },
  }
}

/** Publishes 30 blocks through a tampered feed: what was read, what was published, what was wrong. */
async function run(tamper: Tamper) {
  const feed = createMemoryFeed()
  const both = await connect({
    ...{ publisher: feed, reader: tampered(feed, tamper), lease: soleLease() },
    ...{ trim: async () => {}, close: async () => {} },
  })
  const market = createMovingMarket(6)
  const published = new Set<string>()
  for (let pool = 0; pool < 30; pool++) {
    published.add(canonical(market.current()))
    await both.publish(market.current())
    if (pool === 0) await both.until(market.current())
    await sleep(0)
    market.move({ kind: 'swap', pool, amount: BigInt(pool) })
  }
  published.add(canonical(market.current()))
  await both.publish(market.current())
  await both.until(market.current())
  await both.close()
  return { read: both.read.map(canonical), published, errors: both.errors }
}

describe('a reader of a feed', () => {
  it('ignores duplicates', async () => {
    const { read, published, errors } = await run((one) => [one, one])
    expect(errors).toEqual([])
    expect(new Set(read).size).toBe(read.length)
    for (const one of read) expect(published).toContain(one)
  })

  it.each<[string, Tamper]>([
    ['a lost change', (one, n) => (n === 4 ? [] : [one])],
    ['changes out of order', reorder()],
    ['an unknown parent', (one, n) => (n === 4 ? [withHead(one, { parent: '0x01' })] : [one])],
    ['an older epoch', (one, n) => (n === 4 ? [withHead(one, { epoch: 1 })] : [one])],
    ['a wrong digest', (one, n) => (n === 4 ? [withHead(one, { digest: 'sum-0' })] : [one])],
    ['a changed record', (one, n) => (n === 4 ? [withRecordChanged(one)] : [one])],
    [
      'a change that comes twice and differs',
      (one, n) => (n === 4 ? [one, differing(one)] : [one]),
    ],
    ['a record left out', (one, n) => (n === 4 ? [{ ...one, set: [] }] : [one])],
  ])('loads again after %s, and never has a market that was not published', async (_, tamper) => {
    const { read, published, errors } = await run(tamper)
    expect(errors).toMatchObject([{ code: 'FEED_GAP' }])
    for (const one of read) expect(published).toContain(one)
  })

  it.each([
    ['nothing of it was stored', false],
    ['all of it was stored', true],
  ])('has the newest market after a publication that failed, and %s', async (_, isStored) => {
    const feed = createMemoryFeed()
    let failures = 0
    const failing: MarketFeed = {
      ...feed,
      publish: async (change) => {
        const fails = change.head.parent !== undefined && failures === 0
        if (fails) failures += 1
        if (!fails || isStored) await feed.publish(change)
        if (fails) throw new Error('the answer was lost')
      },
    }
    const ends = { trim: async () => {}, close: async () => {} }
    const both = await connect({ publisher: failing, reader: feed, lease: soleLease(), ...ends })
    const market = createMovingMarket(6)
    await both.publish(market.current())
    for (let pool = 0; pool < 4; pool++) {
      await both.publish(market.move({ kind: 'swap', pool, amount: 3n }))
      await both.until(market.current())
    }
    expect(failures).toBe(1)
    expect(both.errors).toHaveLength(1)
    await both.close()
  })

  it('keeps the last market while the feed has lost everything', async () => {
    const feed = createMemoryFeed()
    let isLost = false
    const lossy: MarketFeed = {
      ...feed,
      last: async () => (isLost ? undefined : feed.last()),
      follow: async function* (after, signal) {
        for await (const one of feed.follow(after, signal)) if (!isLost) yield one
      },
    }
    const ends = { trim: async () => {}, close: async () => {} }
    const both = await connect({ publisher: feed, reader: lossy, lease: soleLease(), ...ends })
    const market = createMovingMarket(6)
    await both.publish(market.current())
    await both.until(market.current())
    isLost = true
    await both.publish(market.move({ kind: 'swap', pool: 1, amount: 1n }))
    expect(both.read).toHaveLength(1)
    isLost = false
    await both.publish(market.move({ kind: 'swap', pool: 2, amount: 1n }))
    await both.until(market.current())
    await both.close()
  })
})

it('a large market is published and loaded in turns of the event loop', async () => {
  const feed = createMemoryFeed()
  const stop = new AbortController()
  const publisher = createPublisher({
    ...{ feed, lease: soleLease(), maxAgeMs: 3_600_000, signal: stop.signal, onError: () => {} },
  })
  /** The turns of the loop while something is done. */
  const turnsOf = async (work: () => Promise<unknown>) => {
    let [turns, isOver] = [0, false]
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await work()
    isOver = true
    return turns
  }
  // 1,200 pools, as many tokens and the native one.
  const published = await turnsOf(async () => {
    const flushed = publisher.flushed()
    publisher.update(publicationOf(madeMarket(1_200)))
    await flushed
  })
  expect(published).toBeGreaterThanOrEqual(12)
  expect(published).toBeLessThan(100)
  const loaded = await turnsOf(() => loadPublished(feed, stop.signal))
  expect(loaded).toBeGreaterThanOrEqual(4)
  expect(loaded).toBeLessThan(50)
  stop.abort()
  await publisher.ended
})

function withHead(one: Delivery, change: Partial<Delivery['head']>): Delivery {
  return { ...one, head: { ...one.head, ...change } }
}

const differing = (one: Delivery) => withHead(one, { digest: 'sum-1' })

function withRecordChanged(one: Delivery): Delivery {
  return { ...one, set: one.set.map(([key, text]) => [key, text.replace('3000', '3001')]) }
}

/** Holds the fifth change back until after the sixth. */
function reorder(): Tamper {
  let held: Delivery | undefined
  return (one, n) => {
    if (n === 4) {
      held = one
      return []
    }
    const late = held
    held = undefined
    return late ? [one, late] : [one]
  }
}
