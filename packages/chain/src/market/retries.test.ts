import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import type { PoolRef } from '../pools/loader.js'
import type { SetAside } from '../pools/setAside.js'
import type { Cursor, Market } from './market.js'
import { failingAfter, retriesAt } from './retries.js'

const id: Address = toHex(1, 20)
const ref: PoolRef = {
  ...{ id, family: 'ladder', venue: 'test', tokens: [toHex(2, 20), toHex(3, 20)] },
}
const asideBy = (code: SetAside['code']): SetAside => ({ id, venue: 'test', code, message: '' })

const marketOf = (code: SetAside['code'], failing?: Cursor['failing']) =>
  ({
    state: { pools: [ref], setAside: [asideBy(code)] },
    cursor: { failing },
  }) as unknown as Market

/** The blocks up to 2,000 in which a pool is read that always fails from block 100 on. */
function readsOf(code: SetAside['code']): readonly number[] {
  const setAside = [asideBy(code)]
  let failing: Cursor['failing']
  const reads: number[] = []
  for (let number = 100n; number <= 2_000n; number++) {
    const isDue = !failing || retriesAt(marketOf(code, failing), number).due.length > 0
    if (isDue) reads.push(Number(number))
    failing = failingAfter(failing, {
      ...{ setAside, read: new Set(isDue ? [id] : []), number },
    })
  }
  return reads
}

it('reads a pool that failed in the next block, then after twice the time, at least every 256 blocks', () => {
  const reads = readsOf('POOL_CALL_FAILED')
  expect(reads.slice(0, 10)).toEqual([100, 101, 102, 104, 108, 116, 132, 164, 228, 356])
  const waits = reads.slice(9).map((at, i, rest) => (rest[i + 1] ?? at + 256) - at)
  expect(new Set(waits)).toEqual(new Set([256]))
})

it('begins again with the next block after a read that succeeded', () => {
  const setAside = [asideBy('POOL_CALL_FAILED')]
  const failing = failingAfter(undefined, { setAside, read: new Set([id]), number: 7n })
  const well = failingAfter(failing, { setAside: [], read: new Set([id]), number: 900n })
  expect(well.size).toBe(0)
  const again = failingAfter(well, { setAside, read: new Set([id]), number: 901n })
  expect(again.get(id)).toEqual({ since: 901n, at: 901n })
})

it('reads no pool again whose state or tokens are the reason', () => {
  for (const code of ['POOL_EMPTY', 'POOL_PAUSED', 'TOKEN_TAKES_FEE'] as const) {
    expect(readsOf(code)).toEqual([100])
  }
})

it('reads a pool without a record at once', () => {
  expect(retriesAt(marketOf('POOL_CALL_FAILED'), 5n)).toEqual({ due: [id], waiting: [] })
})

it('follows no log of a pool that waits, unless it only lacks a part of its reserves', () => {
  const failing = new Map([[id, { since: 100n, at: 104n }]])
  const at = (code: SetAside['code']) => retriesAt(marketOf(code, failing), 107n)
  expect(at('POOL_CALL_FAILED')).toEqual({ due: [], waiting: [id] })
  expect(at('POOL_UNBACKED')).toEqual({ due: [], waiting: [] })
  expect(at('POOL_EMPTY')).toEqual({ due: [], waiting: [] })
})
