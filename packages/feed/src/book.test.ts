import { toHex } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyRecords, createBook, setRecord } from './book.js'
import type { Delivery, FeedRecord } from './feed.js'
import { addHash, hashRecord } from './records.js'

const KEYS = 4
const keyOf = (n: number) => `token ${toHex(n, 20)}`
const recordOf = (n: number, decimals: number): FeedRecord => [
  keyOf(n),
  JSON.stringify({ address: toHex(n, 20), decimals }),
]

/** What a change does with each record: sets it to a number, removes it, or leaves it. */
const action = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('remove', 'leave'))
const change = fc.array(action, { minLength: KEYS, maxLength: KEYS })

function deliveryOf(actions: readonly (number | string)[], sequence: number): Delivery {
  const numbered = [...actions.entries()]
  return {
    head: { sequence } as Delivery['head'],
    set: numbered.flatMap(([n, to]) => (typeof to === 'number' ? [recordOf(n, to)] : [])),
    removed: numbered.flatMap(([n, to]) => (to === 'remove' ? [keyOf(n)] : [])),
    ageMs: 0,
  }
}

it('a book whose records are read while changes are published is the market after them', () => {
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.array(fc.nat(), { minLength: KEYS, maxLength: KEYS }),
      (changes, from, times) => {
        const deliveries = changes.map((actions, i) => deliveryOf(actions, i + 1))
        // What is stored after each change: the text of each record, and the sequence of its last change.
        const states = [new Map<string, readonly [text: string, sequence: number]>()]
        for (const { head, set, removed } of deliveries) {
          const next = new Map(states.at(-1))
          for (const [key, text] of set) next.set(key, [text, head.sequence])
          for (const key of removed) next.delete(key)
          states.push(next)
        }
        const start = from % states.length
        const book = createBook()
        for (const [n, time] of times.entries()) {
          const state = states[start + (time % (states.length - start))]!
          const stored = state.get(keyOf(n))
          if (stored) setRecord(book, [keyOf(n), stored[0]], stored[1])
        }
        for (const delivery of deliveries.slice(start)) applyRecords(book, delivery)
        const last = [...states.at(-1)!].map(([key, [text]]): FeedRecord => [key, text])
        expect(book.sum).toBe(last.map(hashRecord).reduce((sum, hash) => addHash(sum, hash), 0n))
        expect([...book.entries.keys()].sort()).toEqual(last.map(([key]) => key).sort())
        const values = [...book.values!.values()].map(({ value }) => JSON.stringify(value))
        expect(values.sort()).toEqual(last.map(([, text]) => text).sort())
        // A change that arrives twice changes nothing.
        const before = book.sum
        applyRecords(book, deliveries.at(-1)!)
        expect(book.sum).toBe(before)
      },
    ),
  )
})
