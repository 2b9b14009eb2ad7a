import { type Address, NATIVE } from '@braid-swap/core'
import { parseAmount } from '@braid-swap/draw'
import type { Setting } from './setting.js'
import type { Tokens } from './text.js'

/** What the visitor typed; the address of the page keeps it. */
export type Draft = {
  readonly src: Address
  readonly dst: Address
  /** In whole tokens, as typed. */
  readonly amount: string
  /** In percent, as typed. */
  readonly slippage: string
}

/** An order that can be asked for. */
export type PageOrder = { readonly src: Address; readonly dst: Address; readonly amount: bigint }

/** The draft in the fragment of the page's address, the rest as the API's market suggests. */
export function readDraft(hash: string, { usdTokens, wrappedNative }: Setting): Draft {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const token = (name: string, fallback: Address) => {
    const text = given.get(name)?.toLowerCase() ?? ''
    return /^0x[0-9a-f]{40}$/.test(text) ? (text as Address) : fallback
  }
  return {
    src: token('src', NATIVE),
    dst: token('dst', usdTokens[0] ?? wrappedNative),
    amount: given.get('amount') ?? '2500',
    slippage: given.get('slippage') ?? '0.5',
  }
}

/** The fragment that {@link readDraft} reads. */
export function draftHash(draft: Draft): string {
  return `#${new URLSearchParams(draft)}`
}

/** The order of a draft, or what stands in its way, in words for the visitor. */
export function orderOf(
  { src, dst, amount }: Draft,
  tokens: Tokens,
): { readonly order: PageOrder } | { readonly why: string } {
  const token = tokens.get(src)
  const text = amount.replace(/[,\s_]/g, '')
  if (!token) return { why: 'Choose the token you pay with' }
  if (text === '' || text === '.') return { why: 'Type an amount' }
  if (src === dst) return { why: 'Choose two different tokens' }
  try {
    const wei = parseAmount(text.replace(/^\./, '0.').replace(/\.$/, ''), token.decimals)
    return wei === 0n ? { why: 'Type an amount above zero' } : { order: { src, dst, amount: wei } }
  } catch {
    return { why: `Not an amount of ${token.symbol}, which has ${token.decimals} decimals` }
  }
}
