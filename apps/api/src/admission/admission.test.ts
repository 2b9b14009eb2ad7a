import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAdmission, type Place } from './admission.js'

type Seen = { readonly key: string; readonly event: 'start' | 'full' | 'displaced' }

/** An admission whose requests take `costMs` of the clock and then hold their place. */
function setUp({ places, costMs = 0 }: { readonly places: number; readonly costMs?: number }) {
  let nowMs = 0
  const seen: Seen[] = []
  const admission = createAdmission({ places, now: () => nowMs })
  const enter = (key: string): Place | undefined =>
    admission.enter(key, {
      start: () => {
        nowMs += costMs
        seen.push({ key, event: 'start' })
      },
      refuse: (event) => void seen.push({ key, event }),
    })
  const counts = (key: string) => {
    const of = (event: string) => seen.filter((s) => s.key === key && s.event === event).length
    return { started: of('start'), full: of('full'), displaced: of('displaced') }
  }
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { admission, enter, seen, counts, pass }
}

async function passTurns(count: number) {
  for (let i = 0; i < count; i++) await nextTurn()
}

describe('admission', () => {
  it('starts one request in each turn of the event loop if a request takes long', async () => {
    const { enter, seen } = setUp({ places: 100, costMs: 10 })
    for (let i = 0; i < 6; i++) enter('a')
    const perTurn: number[] = []
    for (let i = 0; i < 8; i++) {
      const before = seen.length
      await nextTurn()
      perTurn.push(seen.length - before)
    }
    expect(Math.max(...perTurn)).toBe(1)
    expect(seen.length).toBe(6)
  })

  it('starts several in one turn while they are fast', async () => {
    const { enter, seen } = setUp({ places: 100, costMs: 1 })
    for (let i = 0; i < 20; i++) enter('a')
    await passTurns(2)
    expect(seen.length).toBeGreaterThanOrEqual(4)
    await passTurns(20)
    expect(seen.length).toBe(20)
  })

  it('starts up to four together once they are known to be fast, and at most half of those that wait', async () => {
    let nowMs = 0
    let together = 0
    const groups: number[] = []
    const admission = createAdmission({ places: 100, now: () => nowMs })
    const enter = () =>
      admission.enter('a', {
        start: () => {
          together += 1
          // A request works in the microtasks after its start: the first ends a group of starts.
          queueMicrotask(() => {
            nowMs += 1
            if (together > 0) groups.push(together)
            together = 0
          })
        },
        refuse: () => {},
      })
    for (let i = 0; i < 60; i++) enter()
    await passTurns(60)
    expect(groups[0]).toBe(1)
    expect(Math.max(...groups)).toBe(4)
    // The last that wait are 3, 2 and 1, or fewer: two of three, then one by one.
    expect(groups.at(-1)).toBe(1)
    expect(groups.reduce((sum, size) => sum + size)).toBe(60)
  })

  it('lets connections be accepted while they arrive, for as long as a request took', async () => {
    const { admission, enter, seen, pass } = setUp({ places: 100, costMs: 10 })
    for (let i = 0; i < 3; i++) enter('a')
    const startedAt: number[] = []
    for (let turn = 0; turn < 20; turn++) {
      const before = seen.length
      admission.accepted()
      pass(2)
      await nextTurn()
      if (seen.length > before) startedAt.push(turn)
    }
    // Nothing came before the first. Then five turns of 2 ms accept, as long as a request took.
    expect(startedAt).toEqual([0, 5, 10])
  })

  it('gives requests as much time as the loop spends on refusals, however many those are', async () => {
    const { enter, seen, pass } = setUp({ places: 1_000, costMs: 10 })
    for (let i = 0; i < 100; i++) enter('a')
    for (let turn = 0; turn < 10; turn++) {
      pass(30)
      await nextTurn()
    }
    // Half of 600 ms, in turns of 30 ms.
    expect(seen.length).toBe(30)
  })

  it('takes the keys in turn, in whatever order they came', async () => {
    const { enter, seen } = setUp({ places: 100 })
    for (let i = 0; i < 5; i++) enter('greedy')
    enter('polite')
    enter('polite')
    await passTurns(10)
    expect(seen.map(({ key }) => key).slice(0, 4)).toEqual(['greedy', 'polite', 'greedy', 'polite'])
  })

  it('refuses a key above its share, and displaces the newest of the longest line', async () => {
    const { admission, enter, counts } = setUp({ places: 4 })
    for (let i = 0; i < 9; i++) enter('greedy')
    expect(counts('greedy')).toEqual({ started: 0, full: 5, displaced: 0 })
    enter('polite')
    enter('polite')
    enter('polite')
    expect(counts('polite')).toEqual({ started: 0, full: 1, displaced: 0 })
    expect(counts('greedy').displaced).toBe(2)
    expect(admission.total()).toBe(4)
    await passTurns(10)
    expect([counts('polite').started, counts('greedy').started]).toEqual([2, 2])
  })

  it('displaces nobody who holds no more than a share, though the longest line is all under way', async () => {
    const { enter, counts } = setUp({ places: 4 })
    for (let i = 0; i < 3; i++) enter('slow')
    await passTurns(5)
    enter('modest')
    enter('newcomer')
    expect(counts('modest')).toEqual({ started: 0, full: 0, displaced: 0 })
    await passTurns(5)
    expect([counts('modest').started, counts('newcomer').started]).toEqual([1, 1])
  })

  it('displaces from the longest line that waits, though a longer one is all under way', async () => {
    const { admission, enter, counts } = setUp({ places: 8 })
    for (let i = 0; i < 5; i++) enter('slow')
    await passTurns(5)
    for (let i = 0; i < 3; i++) enter('greedy')
    enter('newcomer')
    expect([counts('greedy').displaced, admission.total()]).toEqual([1, 8])
  })

  it('admits a key that holds nothing while another holds all places for a long time', async () => {
    const { enter, counts } = setUp({ places: 3 })
    for (let i = 0; i < 3; i++) enter('slow')
    await passTurns(5)
    expect(counts('slow').started).toBe(3)
    enter('polite')
    await passTurns(5)
    expect(counts('polite')).toEqual({ started: 1, full: 0, displaced: 0 })
  })

  it('frees a place once, and never starts a request that left', async () => {
    const { admission, enter, counts } = setUp({ places: 2 })
    const place = enter('a')!
    place.leave()
    place.leave()
    expect([admission.total(), admission.waiting()]).toEqual([0, 0])
    await passTurns(3)
    expect(counts('a').started).toBe(0)
  })

  it('gives every key at least its share of the places, whatever the others send', async () => {
    const arrivals = fc.array(fc.constantFrom('a', 'b', 'c', 'flood', 'flood', 'flood'), {
      maxLength: 200,
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 8, max: 40 }), arrivals, async (places, keys) => {
        const { admission, enter, counts } = setUp({ places })
        for (const key of keys) enter(key)
        const share = Math.floor(places / 4)
        expect(admission.total()).toBeLessThanOrEqual(2 * places)
        await passTurns(keys.length + 1)
        for (const key of ['a', 'b', 'c', 'flood']) {
          const sent = keys.filter((each) => each === key).length
          expect(counts(key).started).toBeGreaterThanOrEqual(Math.min(sent, share))
        }
        expect(admission.waiting()).toBe(0)
      }),
      { endOnFailure: true },
    )
  })
})
