/**
 * Judges a quoted order before anybody signs it. Input: the order, the figures of its quote, and what the market
 * says of its tokens. Output: findings as data, each with its measure, the limit that it passed and a sentence. Every
 * surface shows this list and obeys {@link LIMITS}; none has limits of its own.
 */
import type { PaidFee } from './fee.js'
import type { Address } from './hex.js'
import type { Order } from './order.js'
import { amountWords, percentWords, shortAddress, type TokenWords } from './words.js'

/** From which measure on a finding is said, and from which on its owner must accept it. `Infinity` is never. */
export const LIMITS = {
  /** Basis points below the rates before the order. */
  PRICE_IMPACT_HIGH: { warn: 100, ask: 500 },
  PRICE_IMPACT_UNKNOWN: { warn: 0, ask: 0 },
  /** Basis points that the output is worth less than the input, at the prices of the market. */
  WORTH_LOST: { warn: 300, ask: 1_000 },
  /** Gas in basis points of the output. */
  GAS_ABOVE_OUTPUT: { warn: 10_000, ask: 10_000 },
  /** Tokens between the ends whose code nobody vouches for. */
  TOKEN_UNTRUSTED: { warn: 1, ask: 1 },
  /** Milliseconds. */
  STATE_OLD: { warn: 10_000, ask: 60_000 },
  /** One unit of each end in basis points of the amounts. */
  AMOUNT_ROUNDED: { warn: 100, ask: 5_000 },
  /** An integrator's fee in basis points. */
  FEE_HIGH: { warn: 50, ask: Number.POSITIVE_INFINITY },
  /** Basis points. */
  SLIPPAGE_HIGH: { warn: 100, ask: 500 },
} as const satisfies Readonly<Record<string, { readonly warn: number; readonly ask: number }>>

/** A code of {@link LIMITS}. */
export type FindingCode = keyof typeof LIMITS

/** Something that the owner of an order should know before it is signed. */
export type Finding = {
  readonly code: FindingCode
  /** `ask`: nothing is sent before it is accepted. `refuse`: the caller's own limit is passed. */
  readonly level: 'warn' | 'ask' | 'refuse'
  /** In the unit of {@link LIMITS}; null if it is unknown. */
  readonly measure: number | null
  /** The limit that was passed. */
  readonly limit: number
  /** For people, with symbols and decimals; it starts in lower case and has no full stop. */
  readonly message: string
}

/** The figures of a quote that are judged; one that is unknown is absent, except the impact. */
export type JudgedQuote = {
  /** Wei. */
  readonly amountOut: bigint
  /** `priceImpactBps`: null if it is unknown. */
  readonly impactBps: number | null
  /** Output at the rates before the order, in wei. */
  readonly spotAmountOut?: bigint | undefined
  /** Basis points; see `worthLostBps`. */
  readonly worthLostBps?: number | undefined
  /** In wei of the token out. */
  readonly gasCost?: bigint | undefined
  readonly fee?: PaidFee | undefined
  /** Tokens that the route passes between its ends and nobody vouches for. */
  readonly untrusted?: readonly Address[] | undefined
}

/** What a market says besides the quote. */
export type JudgedMarket = {
  readonly ageMs?: number | undefined
  /** Names and decimals; without them a sentence has no amounts. */
  readonly wordsOf?: ((token: Address) => TokenWords | undefined) | undefined
}

/** The caller's own limit. */
export type OwnLimits = { readonly maxPriceImpactBps?: number | undefined }

/** Judges a quote. The findings are in the order of the table. */
export function judge(
  order: Order,
  quote: JudgedQuote,
  { ageMs, wordsOf }: JudgedMarket,
  own: OwnLimits = {},
): readonly Finding[] {
  const { amountOut, gasCost, fee, untrusted = [] } = quote
  const [wordsIn, wordsOut] = [wordsOf?.(order.tokenIn), wordsOf?.(order.tokenOut)]
  const out = (wei: bigint) => (wordsOut ? amountWords(wei, wordsOut) : undefined)
  const rounding = roundingBps(order.amountIn, amountOut)
  const name = (token: Address) =>
    `${wordsOf?.(token)?.symbol ?? 'a token'} (${shortAddress(token)})`
  const impact = impactFinding({ rounding, ...quote }, out, own)
  const worth = found('WORTH_LOST', quote.worthLostBps, (is) => {
    return `the output is worth ${is} less than the input at the prices of the market`
  })
  return [
    ...impact,
    // A loss that the impact names already is said once.
    ...worth.filter(({ level }) => !impact.some((of) => of.level === level || of.level !== 'warn')),
    ...found('GAS_ABOVE_OUTPUT', partBps(gasCost, amountOut), () => {
      const both = [out(gasCost!), out(amountOut)]
      const said = both[0] && both[1] ? `: ${both[0]} against ${both[1]}` : ''
      return `the gas costs more than the output is worth${said}`
    }),
    ...found('TOKEN_UNTRUSTED', untrusted.length, () => {
      return `the route passes ${untrusted.map(name).join(', ')}, whose code nobody vouches for: it can stop or spoil the swap`
    }),
    ...found('STATE_OLD', ageMs, () => `the market is ${Math.round(ageMs! / 1_000)} s old`),
    ...found('AMOUNT_ROUNDED', rounding, (is) => {
      const unit = wordsIn ? ` of ${wordsIn.symbol}` : ''
      return `the amount${unit} is so small that rounding alone is ${is} of it`
    }),
    ...found('FEE_HIGH', fee && fee.ppm / 100, (is) => {
      const words = fee?.of === 'tokenIn' ? wordsIn : wordsOut
      const amount = words && amountWords(fee!.amount, words)
      return `${is} of the output${amount ? `, ${amount},` : ''} goes to an integrator`
    }),
  ]
}

/** The finding of a slippage; one of a purchase raises what is paid. */
export function judgeSlippage(ppm: number, isPurchase = false): readonly Finding[] {
  return found('SLIPPAGE_HIGH', ppm / 100, (is) =>
    isPurchase
      ? `slippage ${is}: you pay that much more than quoted, and may receive nothing for it`
      : `slippage ${is}: you may receive that much less than quoted`,
  )
}

/**
 * The findings that forbid to go on: those that must be accepted and are not. A finding is accepted by its code, an
 * impact also by the caller's own limit, which is then the one that refuses.
 */
export function unaccepted<
  T extends { readonly code: string; readonly level?: Finding['level'] | undefined },
>(
  findings: readonly T[],
  accepted: { readonly codes?: readonly string[] } & OwnLimits = {},
): readonly T[] {
  const { codes = [], maxPriceImpactBps } = accepted
  return findings.filter(({ code, level }) => {
    if (level !== 'ask') return level === 'refuse'
    return (
      !codes.includes(code) && !(code === 'PRICE_IMPACT_HIGH' && maxPriceImpactBps !== undefined)
    )
  })
}

/** What one unit at each end of a swap is worth, in basis points: no loss up to this says anything. */
export function roundingBps(paid: bigint, received: bigint): number {
  return ALL_BPS / Number(paid) + ALL_BPS / Number(received)
}

const ALL_BPS = 10_000

function impactFinding(
  quote: JudgedQuote & { readonly rounding: number },
  out: (wei: bigint) => string | undefined,
  { maxPriceImpactBps: most }: OwnLimits,
): readonly Finding[] {
  const { impactBps, amountOut, spotAmountOut, rounding } = quote
  const isAbove = most !== undefined && !(impactBps !== null && impactBps <= most)
  if (impactBps === null) {
    const message = 'the price impact is unknown and may be high'
    const level = isAbove ? 'refuse' : 'ask'
    return [{ code: 'PRICE_IMPACT_UNKNOWN', level, measure: null, limit: most ?? 0, message }]
  }
  const is = percentWords(impactBps)
  if (isAbove) {
    const message = `the price impact is ${is}; the limit is ${percentWords(most)}`
    return [
      { code: 'PRICE_IMPACT_HIGH', level: 'refuse', measure: impactBps, limit: most, message },
    ]
  }
  if (impactBps <= rounding) return []
  return found('PRICE_IMPACT_HIGH', impactBps, () => {
    const both = spotAmountOut === undefined ? [] : [out(amountOut), out(spotAmountOut)]
    return both[0] && both[1]
      ? `the price impact is ${is}: the order gets ${both[0]}, and ${both[1]} at the rates before it`
      : `the price impact is ${is}: the output is that much below the rates before the order`
  })
}

/** A finding above its limit; at a limit of a count or a ratio of the whole, from it on. */
function found(
  code: FindingCode,
  measure: number | undefined,
  sentence: (percent: string) => string,
): readonly Finding[] {
  const { warn, ask } = LIMITS[code]
  const isFrom = warn === ask
  const passes = (limit: number) => (isFrom ? measure! >= limit : measure! > limit)
  if (measure === undefined || !passes(warn)) return []
  const isAsked = passes(ask)
  const [level, limit] = isAsked ? (['ask', ask] as const) : (['warn', warn] as const)
  const rounded = Math.round(measure * 100) / 100
  return [{ code, level, measure: rounded, limit, message: sentence(percentWords(measure)) }]
}

function partBps(part: bigint | undefined, whole: bigint): number | undefined {
  if (part === undefined) return undefined
  return whole === 0n ? Number.MAX_SAFE_INTEGER : Number((part * 1_000_000n) / whole) / 100
}
