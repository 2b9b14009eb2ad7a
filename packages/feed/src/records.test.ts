import type { Pool } from '@braid-swap/core'
import { expect, it } from 'vitest'
import { isSamePool, poolRecord } from './records.js'
import { madePool } from './testing/movingMarket.js'

const [timed, plain] = [madePool(0), madePool(1)]
const later = { quotedAt: 3n }

it.each<[string, Pool, object, boolean]>([
  ['nothing', plain, {}, true],
  ['its quoting time', timed, later, true],
  ['its reserves too', timed, { ...later, reserves: [1n, 1n] }, false],
  ['a new field too', timed, { ...later, hook: '0x01' }, false],
  ['that it depends on time', plain, later, false],
])('a pool of which a block changes %s has the same record: %#', (_, pool, change, isSame) => {
  const next = { ...pool, ...change } as Pool
  for (const [before, after] of [
    [pool, next],
    [next, pool],
  ] as const) {
    expect(isSamePool(before, after)).toBe(isSame)
    expect(poolRecord(before)[1] === poolRecord(after)[1]).toBe(isSame)
  }
})
