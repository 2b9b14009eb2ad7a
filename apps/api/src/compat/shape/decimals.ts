// Amounts in whole tokens, as some services take them. They are converted exactly; no float is used.

import { ApiError, type ErrorCode, messageOf } from '../../errors.js'
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
    const digits = BigInt(whole + fraction)
    return { value: { digits, scale: Number(exponent) - fraction.length } }
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
  const code: ErrorCode = 'INVALID_AMOUNT'
  const message = `must have at most ${decimals} decimals, as the token has`
  const issues = [{ in: 'query' as const, path, code, message, expected: `${decimals} decimals` }]
  throw new ApiError(code, messageOf(issues), { issues })
}
