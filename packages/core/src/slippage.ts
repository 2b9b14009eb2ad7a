import { badOption } from './checkNames.js'
import { type Address, NATIVE } from './hex.js'
import { divUp } from './math/fullMath.js'

/** Highest slippage that the interface allows, in percent. */
const MAX_SLIPPAGE_PERCENT = 50n

const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?$/
const MAX_LENGTH = 100
const PPM_PER_PERCENT = 10_000n
const PPM = 1_000_000n

/**
 * Parts per million of a slippage in percent, rounded down, from any decimal or exponent form of a
 * number; `undefined` unless it is from 0 to 50. It uses no floats: `0.30000000000000004` is 3000
 * and `50.00000000000000001` is rejected. Never throws.
 */
export function parseSlippagePpm(text: string): number | undefined {
  const parts = NUMBER.exec(text)
  if (!parts || text.length > MAX_LENGTH) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  if (whole + fraction === '') return undefined
  const digits = BigInt(whole + fraction)
  if (digits === 0n) return 0
  // The number is digits · 10^scale.
  const scale = Number(exponent) - fraction.length
  if (sign === '-' || scale > 2) return undefined
  const { numerator, denominator } =
    scale >= 0
      ? { numerator: digits * 10n ** BigInt(scale), denominator: 1n }
      : { numerator: digits, denominator: 10n ** BigInt(-scale) }
  if (numerator > MAX_SLIPPAGE_PERCENT * denominator) return undefined
  return Number((numerator * PPM_PER_PERCENT) / denominator)
}

/**
 * The floor of a swap in wei: the output less the slippage, rounded up, and at least 1. Throws
 * BAD_OPTIONS for a slippage that is not from 0 to 1,000,000.
 */
export function floorAt(amountOut: bigint, slippagePpm: bigint): bigint {
  if (typeof amountOut !== 'bigint') throw badOption('amountOut', amountOut, 'wei as a bigint')
  requireSlippage(slippagePpm)
  const floor = divUp(amountOut * (PPM - slippagePpm), PPM)
  return floor > 0n ? floor : 1n
}

/**
 * The most input of an exact-output swap in wei: the least input plus the slippage, rounded up. Throws
 * BAD_OPTIONS as {@link floorAt} does.
 */
export function raisedAt(amountIn: bigint, slippagePpm: bigint): bigint {
  requireSlippage(slippagePpm)
  return divUp(amountIn * (PPM + slippagePpm), PPM)
}

/** A slippage below 0 asks for more than was quoted, and one above the whole for nothing at all. */
function requireSlippage(slippagePpm: bigint): void {
  if (typeof slippagePpm === 'bigint' && slippagePpm >= 0n && slippagePpm <= PPM) return
  throw badOption('slippagePpm', slippagePpm, 'parts per million as a bigint, from 0 to 1000000')
}

/**
 * The input in wei that an exact-output swap sells: {@link raisedAt} the least input. A route that
 * only wraps or unwraps the native token is 1:1 at any block, so it needs no more.
 */
export function raisedBy(
  { amountIn, route }: Pick<QuotedOutput, 'route'> & { readonly amountIn: bigint },
  slippagePpm: bigint,
): bigint {
  return isOnlyWrap(route) ? amountIn : raisedAt(amountIn, slippagePpm)
}

/** The parts of a quote that determine its floor: the output in wei, and the tokens of each hop. */
export type QuotedOutput = {
  readonly amountOut: bigint
  readonly route: readonly { readonly pool: { readonly tokens: readonly Address[] } }[]
}

/**
 * The floor of a quote in wei: {@link floorAt} its output. A route that only wraps or unwraps the
 * native token is 1:1 at any block, so its floor is the whole output.
 */
export function floorOf({ amountOut, route }: QuotedOutput, slippagePpm: bigint): bigint {
  return isOnlyWrap(route) ? amountOut : floorAt(amountOut, slippagePpm)
}

function isOnlyWrap(route: QuotedOutput['route']): boolean {
  return route.every(({ pool }) => pool.tokens.includes(NATIVE))
}
