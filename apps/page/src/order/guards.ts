/**
 * Decides whether a quote may be sent: freely, with a warning, after typed confirmation, or not at
 * all. What is found in a quote and its slippage is judged by core; here are the order's other parts.
 */
import type { Warning } from '@braid-swap/client'
import { parseSlippagePpm } from '@braid-swap/core'
import { judgeSlippage, LIMITS } from '@braid-swap/core/advanced'
import { amountText } from '../format.js'

/** A confirmed loss may grow by this much before it must be confirmed again, in basis points. */
const CONFIRMED_MARGIN_BPS = 100
const ALL_BPS = 10_000

/** The words to type as a confirmation, in upper or lower case. */
export const CONFIRM_WORDS = 'swap anyway'

/** The input of the rules. */
export type Risk = {
  /** What the API found in the quote. */
  readonly findings: readonly Warning[]
  /** In percent. */
  readonly slippage: string
  /** The slippage raises the amount paid instead of lowering the amount received. */
  readonly isPurchase?: boolean
  readonly paid: {
    /** In wei. */
    readonly amount: bigint
    /** In wei; present if the gas is paid in the same token and its cost is known. */
    readonly gasCost?: bigint
    /** In wei; present if the payer is known. */
    readonly balance?: bigint
    readonly decimals: number
    readonly symbol: string
  }
  /** Cautions of other parts of the order: its tokens and its receiver. */
  readonly others?: readonly Caution[]
  /** A reason of another part of the order why it cannot be sent. */
  readonly fault?: string | undefined
}

/** A warning next to the button. A grave one needs a typed confirmation. */
export type Caution = { readonly text: string; readonly isGrave: boolean }

/** The result of the rules. */
export type Guards = {
  /** The reason why the swap cannot be sent. */
  readonly refusal?: string
  readonly cautions: readonly Caution[]
  readonly mustConfirm: boolean
}

/** Applies the rules. */
export function guardsOf(risk: Risk): Guards {
  const { findings, slippage, isPurchase = false, paid, others = [] } = risk
  const ofSlippage = judgeSlippage(parseSlippagePpm(slippage) ?? 0, isPurchase)
  const cautions = [...[...findings, ...ofSlippage].map(cautionOf), ...others]
  const refusal = risk.fault ?? balanceRefusal(paid)
  return {
    ...(refusal !== undefined && { refusal }),
    ...{ cautions, mustConfirm: cautions.some(({ isGrave }) => isGrave) },
  }
}

/** The class that colours a loss in basis points like the caution that the guards give for it. */
export function lossClass(bps: number): 'warn' | 'bad' | undefined {
  const { warn, ask } = LIMITS.PRICE_IMPACT_HIGH
  return bps > ask ? 'bad' : bps > warn ? 'warn' : undefined
}

/** A finding or a warning as a sentence. */
function cautionOf({ message, level }: Warning): Caution {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`
  return { text, isGrave: level === 'ask' || level === 'refuse' }
}

function balanceRefusal({ amount, gasCost = 0n, balance, decimals, symbol }: Risk['paid']) {
  if (balance === undefined || amount + gasCost <= balance) return undefined
  const held = `Insufficient balance: the account has ${amountText(balance, decimals)} ${symbol}`
  return amount > balance ? `${held}.` : `${held}, which must also pay for gas.`
}

/** The words typed for one order, and the price impact shown at that time. */
export type Confirmation = {
  readonly words: string
  /** The order and its terms. */
  readonly terms: string
  readonly impactBps: number | null
}

/**
 * True if the words were typed for the same terms and the price impact has grown by at most
 * {@link CONFIRMED_MARGIN_BPS} since.
 */
export function isConfirmed(
  given: Confirmation | undefined,
  now: { readonly terms: string; readonly impactBps: number | null },
): boolean {
  if (given?.terms !== now.terms) return false
  const allowedBps = (given.impactBps ?? ALL_BPS) + CONFIRMED_MARGIN_BPS
  const isSaid = given.words.trim().toLowerCase().replace(/\s+/g, ' ') === CONFIRM_WORDS
  return isSaid && (now.impactBps ?? ALL_BPS) <= allowedBps
}
