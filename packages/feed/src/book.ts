/**
 * The published records as a reader holds them: the market's values, and a hash and a sequence for
 * each record. Applying a change twice or late is harmless, because records are whole states.
 */
import type { TokenFlaw } from '@braid-swap/chain'
import type { Address, Hex, Pool, Snapshot, Token } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import type { ChangeHead, Delivery, FeedRecord } from './feed.js'
import { addHash, digestOf, hashRecord, type RecordValue, readRecord } from './records.js'

/** The records of one market, by key. Mutable, and private to one load. */
export type Book = {
  readonly entries: Map<string, { readonly sequence: number; readonly hash: bigint }>
  /** Absent if only the hashes are of interest. */
  readonly values?: Map<string, RecordValue>
  /** Sum of all hashes. */
  sum: bigint
}

/** A book without records; of `hashes` only, it needs no time to parse and little memory. */
export function createBook(keeps: 'values' | 'hashes' = 'values'): Book {
  return { entries: new Map(), sum: 0n, ...(keeps === 'values' && { values: new Map() }) }
}

/** Sets a record, unless the book has a later state of it. */
export function setRecord(book: Book, record: FeedRecord, sequence: number): boolean {
  const [key] = record
  const before = book.entries.get(key)
  if (before && before.sequence > sequence) return false
  const hash = hashRecord(record)
  book.sum = addHash(book.sum, hash, before?.hash)
  book.entries.set(key, { sequence, hash })
  book.values?.set(key, readRecord(record))
  return true
}

/** Removes a record, unless the book has a later state of it. */
function removeRecord(book: Book, key: string, sequence: number): RecordValue | undefined {
  const before = book.entries.get(key)
  if (!before || before.sequence > sequence) return undefined
  book.sum = addHash(book.sum, 0n, before.hash)
  book.entries.delete(key)
  const value = book.values?.get(key)
  book.values?.delete(key)
  return value
}

/** The outcome of a change applied to a book. */
export type Applied = {
  readonly set: readonly RecordValue[]
  readonly removed: readonly RecordValue[]
}

/** Applies the records of a change. */
export function applyRecords(book: Book, { head, set, removed }: Delivery): Applied {
  const { sequence } = head
  const changed = set.filter((record) => setRecord(book, record, sequence))
  const gone = removed.flatMap((key) => removeRecord(book, key, sequence) ?? [])
  return { set: changed.flatMap(([key]) => book.values?.get(key) ?? []), removed: gone }
}

/** Returns true if a book is the market that a change published. */
export function agrees(book: Book, { digest }: ChangeHead): boolean {
  return digestOf(book.sum) === digest
}

/** The snapshot of a book. */
export function snapshotOf(book: Book, head: ChangeHead): Snapshot {
  const values = valuesOf(book)
  const { chainId, wrappedNative, block } = head
  const snapshot = {
    chainId,
    wrappedNative,
    block,
    tokens: tokensIn(values),
    pools: poolsIn(values),
  }
  // Sets the quoting time of pools that depend on it.
  return advance(snapshot, { block, pools: [] })
}

/** The snapshot after a change: unchanged pools are shared with the one before. */
export function advanceTo(before: Snapshot, head: ChangeHead, { set, removed }: Applied): Snapshot {
  const gone = poolsIn(removed).map(({ id }): Hex => id)
  const next = advance(before, {
    block: head.block,
    pools: poolsIn(set),
    ...(gone.length > 0 && { removed: gone }),
    tokens: tokensIn(set),
  })
  const dropped = new Set<Address>(tokensIn(removed).map(({ address }) => address))
  if (dropped.size === 0) return next
  return { ...next, tokens: next.tokens.filter(({ address }) => !dropped.has(address)) }
}

/** The flawed tokens of a book; the same array if a change did not touch them. */
export function flawedOf(book: Book, before?: readonly TokenFlaw[], applied?: Applied) {
  const isTouched = [...(applied?.set ?? []), ...(applied?.removed ?? [])].some(isFlaw)
  return before && !isTouched ? before : flawsIn(valuesOf(book))
}

function valuesOf({ values }: Book): RecordValue[] {
  return [...(values?.values() ?? [])]
}

const isFlaw = ({ kind }: RecordValue) => kind === 'flaw'

function poolsIn(values: readonly RecordValue[]): Pool[] {
  return values.flatMap((record) => (record.kind === 'pool' ? [record.value] : []))
}

function tokensIn(values: readonly RecordValue[]): Token[] {
  return values.flatMap((record) => (record.kind === 'token' ? [record.value] : []))
}

function flawsIn(values: readonly RecordValue[]): TokenFlaw[] {
  return values.flatMap((record) => (record.kind === 'flaw' ? [record.value] : []))
}
