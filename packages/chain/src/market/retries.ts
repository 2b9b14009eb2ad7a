// When pools that could not be read are read again: exponential backoff in blocks. A sampled pool
// emits no log when it can be read again, and a failed read may be the node's fault.

import type { Address } from '@braid-swap/core'
import type { SetAside } from '../pools/setAside.js'
import type { Cursor, Market } from './market.js'

/** Failures of the read itself; the other reasons follow from what was read. */
const READ_FAILED: ReadonlySet<SetAside['code']> = new Set([
  'POOL_CALL_FAILED',
  'POOL_OUT_OF_RANGE',
  'POOL_UNBACKED',
])

/** Most blocks between two reads. An audit may read a pool in between. */
const MAX_WAIT = 256n

/** Pools set aside whose read failed: those to be read now, and those that no log is followed of. */
export type Retries = { readonly due: readonly Address[]; readonly waiting: readonly Address[] }

/**
 * The pools set aside that are to be read at this block: in the block after the first failure, then
 * after as many blocks as they have failed for. One without a record, as of a market from a file, is
 * read at once. The others wait, whatever they log, because a call that burns all gas is dear; only one
 * that lacks a part of its reserves is read when it says that it has them.
 */
export function retriesAt(
  { state: { setAside, pools }, cursor: { failing } }: Pick<Market, 'state' | 'cursor'>,
  number: bigint,
): Retries {
  const known = new Set(pools.map(({ id }) => id))
  const failed = setAside.filter(({ id, code }) => known.has(id) && READ_FAILED.has(code))
  const isDue = ({ id }: SetAside) => {
    const { since, at } = failing?.get(id) ?? { since: number, at: number - 1n }
    return number - at >= clamp(at - since)
  }
  const waiting = failed.filter((one) => one.code !== 'POOL_UNBACKED' && !isDue(one))
  return { due: failed.filter(isDue).map(({ id }) => id), waiting: waiting.map(({ id }) => id) }
}

function clamp(wait: bigint): bigint {
  if (wait < 1n) return 1n
  return wait > MAX_WAIT ? MAX_WAIT : wait
}

/** The records after a round that read the pools in `read` at a block. */
export function failingAfter(
  before: Cursor['failing'],
  {
    setAside,
    read,
    number,
  }: {
    readonly setAside: readonly SetAside[]
    readonly read: ReadonlySet<Address>
    readonly number: bigint
  },
): NonNullable<Cursor['failing']> {
  return new Map(
    setAside.flatMap(({ id }) => {
      const earlier = before?.get(id)
      if (read.has(id)) return [[id, { since: earlier?.since ?? number, at: number }] as const]
      return earlier ? [[id, earlier] as const] : []
    }),
  )
}
