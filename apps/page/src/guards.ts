/**
 * What stands between a quote and the button that sends it: nothing, a warning, words to type, or a
 * refusal. Pure functions of the quote's figures, so that each rule has a test.
 */
import { parseSlippagePpm } from '@braid-swap/core'
import { amountText, bpsText } from './text.js'

/** From here on a loss is pointed out, in basis points. */
const WARN_BPS = 100
/** From here on it has to be confirmed in words. */
const CONFIRM_BPS = 500
/** A confirmed loss may grow by this much before it is asked about again, in basis points. */
const CONFIRMED_MARGIN_BPS = 100
const ALL_BPS = 10_000
const PPM_PER_BPS = 100

/** What has to be typed, in any case. */
export const CONFIRM_WORDS = 'swap anyway'

/** What the rules look at. */
export type Risk = {
  /** Null where the API cannot say: it may be high. */
  readonly impactBps: number | null
  /** In percent. */
  readonly slippage: string
  readonly paid: {
    /** In wei. */
    readonly amount: bigint
    /** In wei, where the gas is paid in the same token and its cost is known. */
    readonly gasCost?: bigint
    /** In wei, where the payer is known. */
    readonly balance?: bigint
    readonly decimals: number
    readonly symbol: string
  }
}

/** A warning beside the button; a grave one has to be confirmed. */
export type Caution = { readonly text: string; readonly isGrave: boolean }

/** What the rules say. */
export type Guards = {
  /** Why it cannot be sent at all. */
  readonly refusal?: string
  readonly cautions: readonly Caution[]
  readonly mustConfirm: boolean
}

/** Applies the rules. */
export function guardsOf({ impactBps, slippage, paid }: Risk): Guards {
  const cautions = [...impactCautions(impactBps), ...slippageCautions(slippage)]
  const refusal = balanceRefusal(paid)
  return {
    ...(refusal !== undefined && { refusal }),
    ...{ cautions, mustConfirm: cautions.some(({ isGrave }) => isGrave) },
  }
}

function impactCautions(impactBps: number | null): readonly Caution[] {
  if (impactBps === null) {
    const text = 'The price impact is not known. It may be high.'
    return [{ text, isGrave: true }]
  }
  if (impactBps <= WARN_BPS) return []
  const text = `Price impact ${bpsText(impactBps)}: this amount moves the market against you.`
  return [{ text, isGrave: impactBps > CONFIRM_BPS }]
}

function slippageCautions(slippage: string): readonly Caution[] {
  const bps = (parseSlippagePpm(slippage) ?? 0) / PPM_PER_BPS
  if (bps <= WARN_BPS) return []
  const text = `Slippage ${slippage} %: the swap may pay that much less than quoted.`
  return [{ text, isGrave: bps > CONFIRM_BPS }]
}

function balanceRefusal({ amount, gasCost = 0n, balance, decimals, symbol }: Risk['paid']) {
  if (balance === undefined || amount + gasCost <= balance) return undefined
  const held = `Not enough: the account holds ${amountText(balance, decimals)} ${symbol}`
  return amount > balance ? `${held}.` : `${held}, and it pays the gas too.`
}

/** Words typed for one order at the price impact that was shown then. */
export type Confirmation = {
  readonly words: string
  /** The order and its terms. */
  readonly terms: string
  readonly impactBps: number | null
}

/** Whether the words were typed for these very terms, and the impact has not grown since. */
export function isConfirmed(
  given: Confirmation | undefined,
  now: { readonly terms: string; readonly impactBps: number | null },
): boolean {
  if (given?.terms !== now.terms) return false
  const allowedBps = (given.impactBps ?? ALL_BPS) + CONFIRMED_MARGIN_BPS
  const isSaid = given.words.trim().toLowerCase().replace(/\s+/g, ' ') === CONFIRM_WORDS
  return isSaid && (now.impactBps ?? ALL_BPS) <= allowedBps
}
