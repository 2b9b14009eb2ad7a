import { formatAmount, shortAddress, shortAmount } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import type { DrawnHop, TokenLabels } from './plan.js'

/** An amount with its symbol, shortened for reading. */
export function amountText(wei: bigint, token: Address, labels: TokenLabels): string {
  const label = labels.get(token)
  if (!label) return `${wei} wei ${shortAddress(token)}`
  return `${shortAmount(wei, label.decimals)} ${label.symbol}`
}

/** An amount with its symbol, in full, followed by the wei. */
export function exactAmountText(wei: bigint, token: Address, labels: TokenLabels): string {
  const label = labels.get(token)
  if (!label) return `${wei} wei of ${token}`
  return `${formatAmount(wei, label.decimals)} ${label.symbol} (${wei} wei)`
}

/** The name of a token: its symbol, or its shortened address. */
export function nameOf(token: Address, labels: TokenLabels): string {
  return labels.get(token)?.symbol ?? shortAddress(token)
}

/**
 * The price in whole tokens out per whole token in, to six digits; in wei for unlabelled tokens.
 */
export function priceText(
  swap: Pick<DrawnHop, 'tokenIn' | 'tokenOut' | 'amountIn' | 'amountOut'>,
  labels: TokenLabels,
): string {
  const { tokenIn, tokenOut } = swap
  const whole = (wei: bigint, token: Address) =>
    Number(wei) / 10 ** (labels.get(token)?.decimals ?? 0)
  const price = whole(swap.amountOut, tokenOut) / whole(swap.amountIn, tokenIn)
  return `${toSixDigits(price)} ${nameOf(tokenOut, labels)}/${nameOf(tokenIn, labels)}`
}

/** A number to six significant digits; with an exponent only if it is very large or very small. */
export function toSixDigits(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-9 || size >= 1e15)) return value.toExponential(5)
  const places = size === 0 ? 0 : Math.max(0, 5 - Math.floor(Math.log10(size)))
  const text = value.toFixed(places)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** A part of a total in percent with two decimals, rounded to the nearest. */
export function percentText(part: bigint, total: bigint): string {
  if (total === 0n) return ''
  const hundredths = (part * 20_000n + total) / (2n * total)
  return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')} %`
}
