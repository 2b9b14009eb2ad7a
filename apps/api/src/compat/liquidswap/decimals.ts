// Amounts in whole tokens. They are converted exactly; no float is used.

import { refusal } from '../../errors.js'
import { parameter } from '../../wire/parameters.js'

/** A decimal number: digits · 10^scale. */
export type Decimal = { readonly digits: bigint; readonly scale: number }

const DECIMAL = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?$/
const MAX_CHARACTERS = 100
const PATTERN = '^[0-9]*(\\.[0-9]*)?([eE][+-]?[0-9]{1,2})?$'

/** A decimal number that is not negative, such as `0.5`, or `1e-7` as JavaScript writes it. */
export function decimalParameter(description: string) {
  return parameter<Decimal>({ description, pattern: PATTERN }, (text) => {
    const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
    if (whole + fraction === '' || text.length > MAX_CHARACTERS) {
      const message = 'must be a decimal number of whole tokens'
      return { fault: { code: 'INVALID_AMOUNT', message, expected: PATTERN } }
    }
    return {
      value: { digits: BigInt(whole + fraction), scale: Number(exponent) - fraction.length },
    }
  })
}

/** The wei of an amount. Throws INVALID_AMOUNT if the token has fewer decimals. */
export function toWei(
  { digits, scale }: Decimal,
  { path, decimals }: { readonly path: string; readonly decimals: number },
): bigint {
  const exponent = scale + decimals
  if (digits === 0n || exponent >= 0) return digits * 10n ** BigInt(Math.max(0, exponent))
  const unit = 10n ** BigInt(-exponent)
  if (digits % unit === 0n) return digits / unit
  const message = `must have at most ${decimals} decimals, as the token has`
  throw refusal({ path, code: 'INVALID_AMOUNT', message, expected: `${decimals} decimals` })
}
