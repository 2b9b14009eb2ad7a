/**
 * The order of a graph's edges: by token in, then token out, then pool. Input: pools. Output: tokens
 * and edges by number, so that the numbers do not depend on the order of the pools in a snapshot.
 */
import type { Address } from './hex.js'
import type { Direction } from './pools/family.js'
import type { Pool } from './pools/index.js'

/** Tokens by number, and the edges by theirs: both tokens, the pool, and which of its directions. */
export type EdgeOrder = {
  readonly tokens: readonly Address[]
  readonly tokenNumber: ReadonlyMap<Address, number>
  readonly from: Int32Array
  readonly to: Int32Array
  readonly poolOf: Int32Array
  readonly directionOf: Int32Array
}

/**
 * The edges of pools that ascend by id, sorted by token in, then token out, then pool. Only distinct
 * tokens are compared as text; the edges are counted into their places.
 */
export function sortEdges(stateOf: readonly Pool[]): EdgeOrder {
  const traded = stateOf.flatMap((pool) => (pool.tokens.length > 1 ? pool.tokens : []))
  const tokens = [...new Set(traded)].sort()
  const tokenNumber = numbersOf(tokens)
  const rows = { from: [] as number[], to: [] as number[] }
  const poolOf: number[] = []
  const directionOf: number[] = []
  for (const [n, pool] of stateOf.entries()) {
    const numbers = pool.tokens.map((token) => tokenNumber.get(token)!)
    for (const [d, direction] of directionsOf(pool).entries()) {
      rows.from.push(numbers[direction.in]!)
      rows.to.push(numbers[direction.out]!)
      poolOf.push(n)
      directionOf.push(d)
    }
  }
  const byTokenOut = countInto(rows.to, rows.to.keys(), tokens.length)
  const order = countInto(rows.from, byTokenOut, tokens.length)
  const inOrder = (column: readonly number[]) => order.map((i) => column[i]!)
  return {
    ...{ tokens, tokenNumber, from: inOrder(rows.from), to: inOrder(rows.to) },
    ...{ poolOf: inOrder(poolOf), directionOf: inOrder(directionOf) },
  }
}

/** The items in the order of their keys; items with equal keys stay in their order. */
function countInto(keys: readonly number[], items: Iterable<number>, count: number): Int32Array {
  const next = firstOf(keys, count)
  const sorted = new Int32Array(keys.length)
  for (const item of items) sorted[next[keys[item]!]!++] = item
  return sorted
}

/** Returns the index at which each key begins; equal keys are adjacent and ascend from 0. */
export function firstOf(keys: ArrayLike<number>, count: number): Int32Array {
  const first = new Int32Array(count + 1)
  for (let i = 0; i < keys.length; i++) first[keys[i]! + 1]!++
  for (let k = 0; k < count; k++) first[k + 1]! += first[k]!
  return first
}

/** By number, where each of some items is among them; −1 elsewhere. */
export function localNumbers(count: number, items: Int32Array): Int32Array {
  const local = new Int32Array(count).fill(-1)
  for (let n = 0; n < items.length; n++) local[items[n]!] = n
  return local
}

export function numbersOf<T>(items: readonly T[]): ReadonlyMap<T, number> {
  return new Map(items.map((item, i) => [item, i]))
}

const BETWEEN_TWO: readonly Direction[] = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
]

/** Every direction of a pool, in an order that its number of tokens fixes. */
export function directionsOf({ tokens }: Pool): readonly Direction[] {
  if (tokens.length === 2) return BETWEEN_TWO
  const sides = [...tokens.keys()]
  return sides.flatMap((i) => sides.filter((o) => o !== i).map((o) => ({ in: i, out: o })))
}
