import { parseAmount } from '@braid-swap/client'
import { type Address, NATIVE, parseSlippagePpm } from '@braid-swap/core'
import { isAddress } from 'viem'
import type { Tokens } from '../format.js'
import type { PageConfig } from '../pageConfig.js'
import { readAmount } from '../readAmount.js'

type Ends = { readonly src: Address; readonly dst: Address }

/** The visitor's input, kept in the address of the page. */
export type Draft = {
  readonly src: Address
  readonly dst: Address
  /** In whole tokens, as typed. */
  readonly amount: string
  /** Present if the amount is the one to receive instead of the one to pay. */
  readonly side?: 'receive'
  /** In percent, or {@link AUTO}. */
  readonly slippage: string
  /** Wei per gas beside the base fee; what the API serves if absent. No link sets it, because it is money. */
  readonly tip?: bigint
  /** The tokens that the visitor lets a route of this pair pass, where no trusted one exists. */
  readonly via?: Ends & { readonly tokens: readonly Address[] }
  /** The slippage that a link asked for but that was not applied, in percent. */
  readonly linkSlippage?: string
  /** The address that gets the output, as typed; the payer if absent or empty. */
  readonly receiver?: string
  /** The receiver that a link asked for but that was not applied. */
  readonly linkReceiver?: string
  /** The parts of a link that were not understood: nothing is sent before the visitor has seen them. */
  readonly linkFaults?: readonly string[]
}

/** An amount to pay, in wei. */
export type Sale = Ends & { readonly amount: bigint; readonly dstAmountExact?: undefined }

/** An amount to receive, in wei. */
export type Purchase = Ends & { readonly dstAmountExact: bigint; readonly amount?: undefined }

/** An order that can be quoted, with the tip and the tokens to pass if the visitor chose them. */
export type PageOrder = (Sale | Purchase) & {
  readonly maxPriorityFeePerGas?: bigint
  readonly onlyIntermediates?: readonly Address[]
}

/** A draft as an order, or the reason why it is none and the amounts it may mean. */
export type OrderReading =
  | {
      readonly order: PageOrder
      /** The amount in plain form, if it was typed in another form. */
      readonly readAs?: string
    }
  | { readonly why: string; readonly values?: readonly string[] }

/** The slippage that the API suggests with each quote. */
export const AUTO = 'auto'

const DEFAULT_SLIPPAGE = '0.5'
/** The highest slippage that a link may set, in ppm, because the visitor did not choose it. */
const MAX_LINK_SLIPPAGE_PPM = 10_000
const PPM_PER_PERCENT = 10_000
const MAX_TEXT = 64
const PARTS = ['src', 'dst', 'amount', 'receive', 'slippage', 'receiver']

/**
 * Reads the draft from the fragment of the page's address. A part that is absent has its default; one
 * that is not understood is named in `linkFaults`.
 */
export function readDraft(hash: string, { usdTokens, wrappedNative }: PageConfig): Draft {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const token = (name: string, fallback: Address) => addressOf(given.get(name)) ?? fallback
  const linkFaults = faultsOf(given)
  return {
    src: token('src', NATIVE),
    dst: token('dst', usdTokens[0] ?? wrappedNative),
    ...(given.has('receive')
      ? { amount: given.get('receive') ?? '', side: 'receive' }
      : { amount: given.get('amount') ?? '2500' }),
    ...readLinkSlippage(given.get('slippage')),
    // The author of a link could name itself, so the visitor decides.
    ...(given.get('receiver') && { linkReceiver: given.get('receiver')!.slice(0, MAX_TEXT) }),
    ...(linkFaults.length > 0 && { linkFaults }),
  }
}

/** An address of a link; undefined if it is none, or if its checksum (EIP-55) is wrong. */
function addressOf(text: string | null): Address | undefined {
  const plain = text?.toLowerCase()
  if (!text || !plain || !/^0x[0-9a-f]{40}$/.test(plain)) return undefined
  return text === plain || isAddress(text) ? (plain as Address) : undefined
}

/** What a link says that the page does not understand, each as a sentence. */
function faultsOf(given: URLSearchParams): readonly string[] {
  const shown = (text: string) => text.slice(0, MAX_TEXT).replace(/[^ -~]/g, '?')
  const isSlippage = (text: string) => text === AUTO || parseSlippagePpm(text) !== undefined
  const names = [...new Set(given.keys())]
  const wrong = names.flatMap((name) => {
    const [text = '', ...others] = given.getAll(name)
    if (!PARTS.includes(name)) return `“${shown(name)}” is no part of an order.`
    if (others.length > 0) return `“${name}” stands there ${others.length + 1} times.`
    if (text === '') return `“${name}” is empty.`
    if (/^(src|dst)$/.test(name) && !addressOf(text)) {
      return `“${name}” is “${shown(text)}”, which is not the address of a token.`
    }
    if (name === 'slippage' && !isSlippage(text)) {
      return `“slippage” is “${shown(text)}”, which is not a slippage.`
    }
    return []
  })
  const isBoth = given.has('amount') && given.has('receive')
  return isBoth ? [...wrong, '“amount” and “receive” exclude each other.'] : wrong
}

function readLinkSlippage(text: string | null): Pick<Draft, 'slippage' | 'linkSlippage'> {
  // The API chooses the figure, so the author of a link cannot.
  if (text === AUTO) return { slippage: AUTO }
  const ppm = text === null ? undefined : parseSlippagePpm(text)
  if (ppm === undefined) return { slippage: DEFAULT_SLIPPAGE }
  const percent = `${ppm / PPM_PER_PERCENT}`
  return ppm > MAX_LINK_SLIPPAGE_PPM
    ? { slippage: DEFAULT_SLIPPAGE, linkSlippage: percent }
    : { slippage: percent }
}

/** The token to receive by default: the first dollar token of the market, else any verified one. */
export function defaultDst(
  src: Address,
  tokens: Tokens,
  { usdTokens }: Pick<PageConfig, 'usdTokens'>,
): Address | undefined {
  const verified = [...tokens.values()].filter((token) => token.verified)
  const choices = [...usdTokens, ...verified.map(({ address }) => address)]
  return choices.find((token) => token !== src && tokens.has(token))
}

/** Writes the fragment that {@link readDraft} reads. */
export function draftHash(draft: Draft): string {
  const { src, dst, amount, side, slippage } = draft
  const receiver = draft.receiver || draft.linkReceiver
  const words = { src, dst, [side ?? 'amount']: amount, slippage, ...(receiver && { receiver }) }
  return `#${new URLSearchParams(words)}`
}

/** Converts a draft to an order, or says for the visitor why it is none. */
export function orderOf({ src, dst, amount, side, tip, via }: Draft, tokens: Tokens): OrderReading {
  if (!tokens.has(src)) return { why: 'Choose the token you pay with' }
  const token = tokens.get(side ? dst : src)
  if (!token) return { why: 'Choose the token you receive' }
  if (src === dst) return { why: 'Choose two different tokens' }
  const reading = readAmount(amount)
  if (reading.is === 'empty') return { why: 'Enter an amount' }
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
  if (wei === 0n) return { why: 'Enter an amount above zero' }
  const order: PageOrder = {
    ...(side ? { src, dst, dstAmountExact: wei } : { src, dst, amount: wei }),
    ...(tip !== undefined && { maxPriorityFeePerGas: tip }),
    ...(via?.src === src && via.dst === dst && { onlyIntermediates: via.tokens }),
  }
  return reading.isRewritten ? { order, readAs: reading.value } : { order }
}

function tryParse(value: string, decimals: number): bigint | undefined {
  try {
    return parseAmount(value, decimals)
  } catch {
    return undefined
  }
}

export function isSameOrder(a: PageOrder, b: PageOrder): boolean {
  const isSameAmount = a.amount === b.amount && a.dstAmountExact === b.dstAmountExact
  const isSameTip = a.maxPriorityFeePerGas === b.maxPriorityFeePerGas
  const isSameWay = `${a.onlyIntermediates}` === `${b.onlyIntermediates}`
  return a.src === b.src && a.dst === b.dst && isSameAmount && isSameTip && isSameWay
}

/** The sale of an order at a quote: of its amount, or of the input quoted for the amount to receive. */
export function saleAt(
  order: PageOrder,
  { srcAmount }: { readonly srcAmount?: bigint | undefined },
): Sale | undefined {
  const { src, dst, amount = srcAmount } = order
  return amount === undefined ? undefined : { src, dst, amount }
}
