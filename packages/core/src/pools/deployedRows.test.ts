/** What contracts as deployed or published paid, row by row and swap by swap: core's integers give the same. */

import { isDeepStrictEqual } from 'node:util'
import { listDeployedRows, readRecordedVector } from '@braid-swap/vectors'
import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { describe, expect, it } from 'vitest'
import { parse } from '../json.js'
import { parseSnapshot } from '../snapshotFile.js'
import type { Direction } from './family.js'
import { applySwap, getAmountOut, type Pool } from './index.js'

type Answer = readonly [tokenIn: 0 | 1, tokenOut: 0 | 1, amountIn: string, amountOut: string]
type RowsFile = {
  /** The pool is known by samples only, so core answers with a lower bound. */
  readonly bound?: 'lower'
  readonly pools: readonly {
    readonly snapshot: object
    /** All asked of the state in the snapshot; the last is the time of the question, if the pool depends on it. */
    readonly rows: readonly (readonly [...Answer, time?: string])[]
    /** Mined one after another, each with the fields that it changed. */
    readonly swaps: readonly (readonly [...Answer, after: object, time?: string])[]
  }[]
}

const at = (pool: Pool, time?: string): Pool =>
  time === undefined ? pool : ({ ...pool, quotedAt: BigInt(time) } as Pool)

/** The state without the time for which it is quoted, which is no part of what a swap changes. */
function settled({ quotedAt: _, ...state }: Pool & { readonly quotedAt?: bigint }): object {
  return state
}

/** The state with the fields of the chain; one that is `null` there is gone. */
function moved(pool: Pool, after: object): Pool {
  const fields = Object.entries({ ...pool, ...(parse(JSON.stringify(after)) as object) })
  return Object.fromEntries(fields.filter(([, value]) => value !== null)) as Pool
}

/** An amount for a contract that paid `paid`: equal, or for a lower bound at most 2 ppm and 3 wei below it. */
function isRight(amount: bigint, paid: bigint, bound: RowsFile['bound']): boolean {
  if (!bound) return amount === paid
  return amount === 0n || (amount <= paid && amount >= paid - (paid * 2n) / 1_000_000n - 3n)
}

/** What core answers otherwise than the contract, and how many answers were compared. */
function compare({ bound, pools }: RowsFile) {
  const wrong: unknown[] = []
  const counts = { rows: 0, swaps: 0, states: 0 }
  for (const [k, { snapshot, rows, swaps }] of pools.entries()) {
    let pool = parseSnapshot(JSON.stringify(snapshot)).pools[0]!
    const ask = (state: Pool, [tokenIn, tokenOut, amountIn, paid]: Answer) => {
      const direction: Direction = { in: tokenIn, out: tokenOut }
      const amount = getAmountOut(state, direction, BigInt(amountIn))
      if (!isRight(amount, BigInt(paid), bound))
        wrong.push({ k, direction, amountIn, paid, amount })
      return applySwap(state, direction, BigInt(amountIn))
    }
    for (const [tokenIn, tokenOut, amountIn, paid, time] of rows) {
      ask(at(pool, time), [tokenIn, tokenOut, amountIn, paid])
      counts.rows++
    }
    for (const [tokenIn, tokenOut, amountIn, paid, after, time] of swaps) {
      const ours = ask(at(pool, time), [tokenIn, tokenOut, amountIn, paid])
      pool = moved(pool, after)
      counts.swaps++
      // A refused swap may have moved the pool; one after which core knows no state has no invariant.
      if (paid === '0' || ('D' in ours && ours.D === 0n)) continue
      counts.states++
      if (!isDeepStrictEqual(settled(ours), settled(pool)))
        wrong.push({ k, amountIn, ours, chain: pool })
    }
  }
  return { wrong, counts }
}

const names = listDeployedRows()

/** A test for each file, and the rows that it compares at least, because an empty file would prove nothing. */
function itEqualsEach(read: (name: string) => unknown, least: number): void {
  it.each(names)('are what core answers: %s', (name) => {
    const file = read(name) as RowsFile
    const { wrong, counts } = compare(file)
    expect(wrong).toEqual([])
    expect(counts.rows).toBeGreaterThan(least)
    if (!file.bound) expect(counts.states).toBeGreaterThan(0)
  })
}

describe('a selection of rows of deployed code', () => {
  itEqualsEach((name) => JSON.parse(readRecordedVector(name)), 30)
})

describeReferenceVectors('all rows of deployed code', (readVector) => {
  itEqualsEach(readVector, 300)
})
