import { type Address, NATIVE, parseSlippagePpm } from '@braid-swap/core'
import { parseAmount } from '@braid-swap/draw'
import { readAmount } from './readAmount.js'
import type { Setting } from './setting.js'
import type { Tokens } from './text.js'

/** What the visitor typed; the address of the page keeps it. */
export type Draft = {
  readonly src: Address
  readonly dst: Address
  /** In whole tokens, as typed. */
  readonly amount: string
  /** In percent. */
  readonly slippage: string
  /** The slippage that a link asks for and that was not applied, in percent. */
  readonly linkSlippage?: string
}

/** An order that can be asked for. */
export type PageOrder = { readonly src: Address; readonly dst: Address; readonly amount: bigint }

/** What a draft says: an order, or why there is none and the amounts it may mean. */
export type OrderReading =
  | {
      readonly order: PageOrder
      /** How the amount was read, where it was typed in another form. */
      readonly readAs?: string
    }
  | { readonly why: string; readonly values?: readonly string[] }

const DEFAULT_SLIPPAGE = '0.5'
/** A link sets no more than this, in ppm: whoever opens it has not chosen it. */
const MAX_LINK_SLIPPAGE_PPM = 10_000
const PPM_PER_PERCENT = 10_000

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
    ...readLinkSlippage(given.get('slippage')),
  }
}

function readLinkSlippage(text: string | null): Pick<Draft, 'slippage' | 'linkSlippage'> {
  const ppm = text === null ? undefined : parseSlippagePpm(text)
  if (ppm === undefined) return { slippage: DEFAULT_SLIPPAGE }
  const percent = `${ppm / PPM_PER_PERCENT}`
  return ppm > MAX_LINK_SLIPPAGE_PPM
    ? { slippage: DEFAULT_SLIPPAGE, linkSlippage: percent }
    : { slippage: percent }
}

/** The fragment that {@link readDraft} reads. */
export function draftHash({ src, dst, amount, slippage }: Draft): string {
  return `#${new URLSearchParams({ src, dst, amount, slippage })}`
}

/** The order of a draft, or what stands in its way, in words for the visitor. */
export function orderOf({ src, dst, amount }: Draft, tokens: Tokens): OrderReading {
  const token = tokens.get(src)
  if (!token) return { why: 'Choose the token you pay with' }
  if (src === dst) return { why: 'Choose two different tokens' }
  const reading = readAmount(amount)
  if (reading.is === 'empty') return { why: 'Type an amount' }
  if (reading.is === 'unreadable') {
    return { why: `This cannot be read as an amount of ${token.symbol}. Write it like 1250.5` }
  }
  const weiOf = (value: string) => tryParse(value, token.decimals)
  const tooFine = { why: `${token.symbol} has ${token.decimals} decimals; this amount has more` }
  if (reading.is === 'doubtful') {
    const values = reading.values.filter((value) => weiOf(value) !== undefined)
    return values.length > 0 ? { why: 'Which amount do you mean?', values } : tooFine
  }
  const wei = weiOf(reading.value)
  if (wei === undefined) return tooFine
  if (wei === 0n) return { why: 'Type an amount above zero' }
  const order = { src, dst, amount: wei }
  return reading.isRewritten ? { order, readAs: reading.value } : { order }
}

function tryParse(value: string, decimals: number): bigint | undefined {
  try {
    return parseAmount(value, decimals)
  } catch {
    return undefined
  }
}

/** Whether two orders ask the same. */
export function isSameOrder(a: PageOrder, b: PageOrder): boolean {
  return a.src === b.src && a.dst === b.dst && a.amount === b.amount
}
