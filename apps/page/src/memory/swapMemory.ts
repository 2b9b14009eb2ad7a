/**
 * Remembers the swaps of this browser, one record each, from before the wallet gets it until long after its
 * end. What is kept is text that a visitor, another tab or a full disk may have damaged: a record that cannot
 * be read is none.
 */
import { parseSentSwap, type SentSwap, type SwapMemory } from '@braid-swap/client'
import { type Address, decodeRouterCall, type Hex } from '@braid-swap/core'
import { z } from 'zod'
import type { Store } from '../storage.js'

const hex = z.string().regex(/^0x([0-9a-f]{2})*$/) as unknown as z.ZodType<Hex>
const address = z.string().regex(/^0x[0-9a-f]{40}$/) as unknown as z.ZodType<Address>
const token = z.object({ address, symbol: z.string(), decimals: z.int().min(0).max(255) })
const schema = z.object({
  startedMs: z.int(),
  src: token,
  dst: token,
  sent: z.unknown(),
  outcome: z
    .discriminatedUnion('is', [
      z.object({
        ...{ is: z.literal('done'), hash: hex },
        received: z.string().regex(/^\d+$/).transform(BigInt),
      }),
      z.object({ is: z.literal('not'), code: z.string(), hash: hex.optional() }),
    ])
    .optional(),
})

/** The tokens of a swap as its visitor saw them. */
export type Ends = Pick<z.output<typeof schema>, 'src' | 'dst'>
/** A swap as it is kept; without an outcome nobody knows yet how it ended. Amounts in wei. */
export type KeptSwap = Omit<z.output<typeof schema>, 'sent'> & { readonly sent: SentSwap }

const PREFIX = 'braid.swap.'
const MAX_ENDED = 10

/** The last moment in which a swap can be performed, in milliseconds. */
export function deadlineMsOf({ sent }: Pick<KeptSwap, 'sent'>): number {
  return Number(decodeRouterCall(sent.data).deadline) * 1_000
}

/** The swaps of this browser. */
export type PageMemory = {
  /** The newest first. */
  readonly all: () => readonly KeptSwap[]
  /** The swap of an order whose end nobody knows, by the client's `orderKey`. */
  readonly open: (terms: string) => KeptSwap | undefined
  /** What the client remembers a swap of these tokens in. */
  readonly of: (ends: Ends) => SwapMemory
  readonly forget: (id: Hex) => void
  /** Calls `onChange` after each change, also by another tab, until the returned function is called. */
  readonly watch: (onChange: () => void) => () => void
}

/** A memory over a store. What the store does not take is known until the page is closed. */
export function createPageMemory(
  store: Store,
  locks: Pick<LockManager, 'request'> | undefined = globalThis.navigator?.locks,
): PageMemory {
  const unkept = new Map<string, KeptSwap>()
  const watchers = new Set<() => void>()
  const tell = () => {
    for (const onChange of watchers) onChange()
  }
  const names = () => store.names().filter((name) => name.startsWith(PREFIX))
  const all = () =>
    [...unkept.values(), ...names().flatMap((name) => parse(store.read(name)))].sort(
      (a, b) => b.startedMs - a.startedMs,
    )
  const open = (terms: string) =>
    all().find(({ sent, outcome }) => sent.terms === terms && outcome === undefined)
  const remove = (id: Hex) => {
    unkept.delete(id)
    store.forget(PREFIX + id)
  }
  const prune = (most: number) => {
    const ended = all().filter(({ outcome }) => outcome !== undefined)
    for (const { sent } of ended.slice(most)) remove(sent.id)
  }
  const write = (swap: KeptSwap) => {
    const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
    const kept = () => store.write(PREFIX + swap.sent.id, JSON.stringify(swap, digits))
    unkept.delete(swap.sent.id)
    prune(MAX_ENDED)
    if (!kept()) {
      // A full store may have room without what has ended.
      prune(0)
      if (!kept()) unkept.set(swap.sent.id, swap)
    }
    tell()
  }
  const of = (ends: Ends): SwapMemory => ({
    find: (terms) => open(terms)?.sent,
    keep: (sent) =>
      alone(locks, sent.terms, () => {
        const kept = open(sent.terms)
        if (kept && kept.sent.id !== sent.id) return false
        write({ startedMs: Date.now(), ...ends, ...kept, sent })
        return true
      }),
    forget: (sent, outcome) => {
      const swap = all().find((each) => each.sent.id === sent.id)
      if (!outcome || !swap) return forget(sent.id)
      const { is } = outcome
      if (is === 'not') return write({ ...swap, outcome })
      const { hash, amountOut: received } = outcome.done
      return write({ ...swap, outcome: { is, hash, received } })
    },
  })
  const forget = (id: Hex) => {
    remove(id)
    tell()
  }
  const watch = (onChange: () => void) => {
    watchers.add(onChange)
    globalThis.addEventListener?.('storage', onChange)
    return () => {
      watchers.delete(onChange)
      globalThis.removeEventListener?.('storage', onChange)
    }
  }
  return { all, open, of, forget, watch }
}

/** Runs while no other tab does. Browsers give locks to secure addresses only. */
async function alone<T>(
  locks: Pick<LockManager, 'request'> | undefined,
  name: string,
  run: () => T,
): Promise<T> {
  return locks ? locks.request(PREFIX + name, async () => run()) : run()
}

/** The record of a text; none if it is damaged. */
function parse(text: string | null): readonly KeptSwap[] {
  try {
    const swap = schema.parse(JSON.parse(text ?? ''))
    const sent = parseSentSwap(swap.sent)
    return sent ? [{ ...swap, sent }] : []
  } catch {
    return []
  }
}
