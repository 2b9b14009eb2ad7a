/**
 * The market as records: one for each pool, token and token flaw, a key with canonical JSON. A digest
 * of all records says whether two processes have the same market. It is a sum of hashes modulo 2^128
 * (an additive set hash), so a change costs as much as the records it touches.
 */
import { hash } from 'node:crypto'
import type { TokenFlaw } from '@braid-swap/chain'
import type { Hex, Pool, Snapshot, Token } from '@braid-swap/core'
import { parse, stringify } from '@braid-swap/core/advanced'
import type { FeedRecord } from './feed.js'

/** The published part of a market: all that answers need. */
export type PublishedMarket = {
  readonly snapshot: Snapshot
  readonly flawed: readonly TokenFlaw[]
}

/** A value of the market, by the kind of its record. */
export type RecordValue =
  | { readonly kind: 'pool'; readonly value: Pool }
  | { readonly kind: 'token'; readonly value: Token }
  | { readonly kind: 'flaw'; readonly value: TokenFlaw }

const TOKEN = 'token '
const FLAW = 'flaw '

/** A pool without its quoting time, which follows from the block. */
function timeless(pool: Pool): Pool {
  return 'quotedAt' in pool ? { ...pool, quotedAt: 0n } : pool
}

/** The record of a pool, by its id. */
export function poolRecord(pool: Pool): FeedRecord {
  return [pool.id, stringify(timeless(pool))]
}

/** The records of a market besides its pools. */
export function* otherRecords({ snapshot, flawed }: PublishedMarket): Generator<FeedRecord> {
  for (const token of snapshot.tokens) yield [`${TOKEN}${token.address}`, stringify(token)]
  for (const flaw of flawed) yield [`${FLAW}${flaw.address}`, JSON.stringify(flaw)]
}

/** The value of a record. */
export function readRecord([key, text]: FeedRecord): RecordValue {
  if (key.startsWith(TOKEN)) return { kind: 'token', value: parse(text) as Token }
  // A message is free text, which may consist of digits.
  if (key.startsWith(FLAW)) return { kind: 'flaw', value: JSON.parse(text) as TokenFlaw }
  return { kind: 'pool', value: parse(text) as Pool }
}

/**
 * Returns true if two states of a pool have the same record. Compares references, so it may say no for equal
 * states, and is quick: `advance` copies the pools that depend on time in every block.
 */
export function isSamePool(a: Pool, b: Pool): boolean {
  if (a === b) return true
  const [before, after] = [timeless(a), timeless(b)]
  const names = Object.keys({ ...before, ...after }) as (keyof Pool)[]
  return names.every((name) => before[name] === after[name])
}

/** Pool ids are addresses; no other key begins like one. */
export function isPoolKey(key: string): key is Hex {
  return key.startsWith('0x')
}

const MODULUS = 1n << 128n

/** The hash of a record: the first 16 bytes of its SHA-256. */
export function hashRecord([key, text]: FeedRecord): bigint {
  return BigInt(`0x${hash('sha256', `${key}\n${text}`).slice(0, 32)}`)
}

/** The sum of hashes after one record's hash was added or taken away. */
export function addHash(sum: bigint, added: bigint, removed: bigint = 0n): bigint {
  return (sum + added - removed + MODULUS) % MODULUS
}

/** The text of a sum of hashes. It never consists of digits only. */
export function digestOf(sum: bigint): string {
  return `sum-${sum.toString(16).padStart(32, '0')}`
}
