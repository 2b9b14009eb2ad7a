/**
 * Remembers the swaps of this browser, one record each, from before the wallet gets it. What is kept is
 * text that a visitor, another tab or a full disk may have damaged: a record that cannot be read is none.
 */
import type { SentSwap } from '@braid-swap/client'
import { type Address, decodeRouterCall, type Hex } from '@braid-swap/core'
import { z } from 'zod'
import type { Store } from '../storage.js'

const hex = z.string().regex(/^0x([0-9a-f]{2})*$/) as unknown as z.ZodType<Hex>
const address = z.string().regex(/^0x[0-9a-f]{40}$/) as unknown as z.ZodType<Address>
const digits = z.string().regex(/^\d+$/)
const wei = digits.transform(BigInt)
const token = z.object({ address, symbol: z.string(), decimals: z.int().min(0).max(255) })
const schema = z.object({
  id: z.string(),
  /** The same for orders that would be the same swap sent twice. */
  order: z.string(),
  startedMs: z.int(),
  src: token,
  dst: token,
  sold: wei,
  quoted: wei,
  sent: z.object({
    ...{ id: hex, terms: z.string(), chainId: z.int(), from: address, router: address, data: hex },
    ...{ quoted: digits, balance: digits, block: digits },
    ...{ hash: hex.optional(), nonce: z.int().optional(), raw: hex.optional() },
  }),
  outcome: z
    .discriminatedUnion('is', [
      z.object({ is: z.literal('done'), hash: hex, received: wei }),
      z.object({ is: z.literal('failed'), code: z.string(), hash: hex.optional() }),
      z.object({ is: z.literal('unknown') }),
    ])
    .optional(),
})

/** A swap as it is kept; amounts in wei. */
export type KeptSwap = Omit<z.output<typeof schema>, 'sent'> & { readonly sent: SentSwap }
/** How a swap ended; absent while nobody knows, `unknown` if the node does not know it either. */
export type Outcome = NonNullable<KeptSwap['outcome']>

const PREFIX = 'braid.swap.'
const MAX_KEPT = 10
/** Clocks of visitors and of blocks may differ by this. */
const CLOCK_MS = 60_000

/** When a swap can no longer be performed, in milliseconds. Throws BAD_CALLDATA. */
export function deadlineMsOf({ sent }: Pick<KeptSwap, 'sent'>): number {
  return Number(decodeRouterCall(sent.data).deadline) * 1_000 + CLOCK_MS
}

/** True if a swap may still be performed: nobody knows how it ended, and its deadline has not passed. */
export function isOpen(swap: KeptSwap, nowMs = Date.now()): boolean {
  return isUnsettled(swap) && nowMs < deadlineMsOf(swap)
}

/** True if nobody knows how the swap ended. */
export function isUnsettled({ outcome }: KeptSwap): boolean {
  return outcome === undefined || outcome.is === 'unknown'
}

/** The swaps of this browser. */
export type SwapMemory = {
  /** The newest first. */
  readonly all: () => readonly KeptSwap[]
  /** Keeps a record, new or changed. */
  readonly keep: (swap: KeptSwap) => void
  readonly forget: (id: string) => void
  /** Calls `onChange` after each change, also by another tab, until the returned function is called. */
  readonly watch: (onChange: () => void) => () => void
}

/** A memory over a store. What the store does not take is known until the page is closed. */
export function createSwapMemory(store: Store): SwapMemory {
  const unkept = new Map<string, KeptSwap>()
  const watchers = new Set<() => void>()
  const tell = () => {
    for (const onChange of watchers) onChange()
  }
  const names = () => store.names().filter((name) => name.startsWith(PREFIX))
  const all = () => {
    const read = names().flatMap((name) => parse(store.read(name)))
    return [...unkept.values(), ...read].sort((a, b) => b.startedMs - a.startedMs)
  }
  const forget = (id: string) => {
    unkept.delete(id)
    store.forget(PREFIX + id)
  }
  const prune = (most: number) => {
    const ended = all().filter((swap) => !isOpen(swap))
    for (const { id } of ended.slice(most)) forget(id)
  }
  return {
    all,
    keep: (swap) => {
      const text = JSON.stringify(swap, (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      )
      const write = () => store.write(PREFIX + swap.id, text)
      unkept.delete(swap.id)
      prune(MAX_KEPT)
      if (!write()) {
        // A full store may have room without what has ended.
        prune(0)
        if (!write()) unkept.set(swap.id, swap)
      }
      tell()
    },
    forget: (id) => {
      forget(id)
      tell()
    },
    watch: (onChange) => {
      watchers.add(onChange)
      globalThis.addEventListener?.('storage', onChange)
      return () => {
        watchers.delete(onChange)
        globalThis.removeEventListener?.('storage', onChange)
      }
    },
  }
}

/** The record of a text; none if it is damaged. */
function parse(text: string | null): readonly KeptSwap[] {
  try {
    const swap = schema.parse(JSON.parse(text ?? '')) as KeptSwap
    decodeRouterCall(swap.sent.data)
    return [swap]
  } catch {
    return []
  }
}
