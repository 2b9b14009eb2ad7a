// What is remembered of a swap from before it leaves until its end is known, so that the same order is not
// sold twice meanwhile, not even after a restart.

import type { Address, Hex } from '@braid-swap/core'

/** A swap that was handed over, as data: `JSON.stringify` keeps it, and `confirmSwap` needs nothing else. */
export type SentSwap = {
  /** Names this swap; drawn at random. */
  readonly id: Hex
  /** The order, by `orderKey`. */
  readonly terms: string
  readonly chainId: number
  readonly from: Address
  readonly router: Address
  /** The calldata that was signed; its deadline is the last moment of the swap. */
  readonly data: Hex
  /** The output that was quoted, in wei. */
  readonly quoted: string
  /** The balance of what is sold, before, in wei. */
  readonly balance: string
  /** The newest block before it. */
  readonly block: string
  /** How many transactions the payer had sent before it. */
  readonly count: number
  /** Known before it leaves with a key of ours; else what the wallet answered, if it did. */
  readonly hash?: Hex
  /** The nonce that was signed; only with a key of ours. */
  readonly nonce?: number
}

/** A swap that was mined. */
export type DoneSwap = {
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly gasUsed: bigint
  /** Of the router's event, in wei: what was paid, and what arrived at the receiver. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** The output that was quoted, in wei. */
  readonly quoted: bigint
}

/** How a swap ended; `hash` is the one that failed, `other` the one that was mined in its place. */
export type Outcome =
  | { readonly is: 'done'; readonly done: DoneSwap }
  | {
      readonly is: 'not'
      readonly code: 'REVERTED' | 'REPLACED' | 'EXPIRED'
      readonly hash?: Hex
      readonly other?: Hex
    }

/** Swaps whose end is not known, kept by the caller for as long as its promise shall hold. */
export type SwapMemory = {
  /** The swap of this order that is kept. */
  readonly find: (terms: string) => Awaitable<SentSwap | undefined>
  /**
   * Keeps a swap, or what is known of it later. Returns false, and keeps nothing, while another one of the
   * same order is kept: two callers at once must not both get true.
   */
  readonly keep: (sent: SentSwap) => Awaitable<boolean>
  /** Forgets a swap, because its end is known, or, without an outcome, its owner declined to sign it. */
  readonly forget: (sent: SentSwap, outcome?: Outcome) => Awaitable<void>
}
export type Awaitable<T> = T | Promise<T>

/** A memory that lasts as long as the program. Its functions never throw. */
export function createSwapMemory(): SwapMemory {
  const kept = new Map<string, SentSwap>()
  const isFree = ({ id, terms }: SentSwap) => (kept.get(terms) ?? { id }).id === id
  return {
    find: (terms) => kept.get(terms),
    keep: (sent) => isFree(sent) && kept.set(sent.terms, sent).size > 0,
    forget: (sent) => {
      if (isFree(sent)) kept.delete(sent.terms)
    },
  }
}
