/**
 * Reads an amount that a person typed. Half of the world writes 1,000.5 and the other half 1.000,5,
 * so one text can mean two amounts that differ by a factor of 1,000. The text is therefore read by
 * every convention in use: a single result is the amount, several are a question, none is an error.
 */

/** The meaning of a typed text, as plain decimal numbers such as `1000.5`. */
export type AmountReading =
  | {
      readonly is: 'amount'
      readonly value: string
      /** It was grouped or had a comma, so the page shows how it was read. */
      readonly isRewritten: boolean
    }
  /** Any of these may be meant; only the visitor knows. */
  | { readonly is: 'doubtful'; readonly values: readonly string[] }
  | { readonly is: 'empty' }
  | { readonly is: 'unreadable' }

const SPACES = ' \u00a0\u2009\u202f'

/** The separator between groups of three digits, and the separator before the fraction. */
const conventions: readonly (readonly [group: string, decimal: string])[] = [
  ...[',', SPACES, "'’", '_'].map((group) => [group, '.'] as const),
  ...['.', SPACES, "'’"].map((group) => [group, ','] as const),
]

/** Reads `text` and ignores spaces at its ends. */
export function readAmount(text: string): AmountReading {
  const typed = text.trim()
  if (/^[.,]?$/.test(typed)) return { is: 'empty' }
  const strict = conventions.flatMap(([group, decimal]) => parse(typed, group, decimal))
  const sloppy = parseSloppy(typed)
  const values = [...new Set([...strict, ...sloppy])]
  const [value, ...others] = values
  if (value === undefined) return { is: 'unreadable' }
  if (strict.length === 0 || others.length > 0) return { is: 'doubtful', values }
  return { is: 'amount', value, isRewritten: !/^\d*\.?\d*$/.test(typed) }
}

/**
 * Reads a number by one convention: groups have exactly three digits, and the first group does not
 * begin with a zero.
 */
function parse(typed: string, group: string, decimal: string): readonly string[] {
  const grouped = `[1-9]\\d{0,2}(?:([${group}])\\d{3}(?:\\2\\d{3})*)`
  const form = new RegExp(`^(${grouped}|\\d*)(?:[${decimal}](\\d*))?$`)
  const found = form.exec(typed)
  if (!found) return []
  const [, whole = '', , fraction = ''] = found
  return whole + fraction === '' ? [] : [plain(whole, fraction)]
}

/**
 * Reads a number with misplaced group separators, such as `1,5` left over from `1,500`, by dropping
 * the separators. The intention is unknown, so the result only raises a doubt and is never taken
 * alone. A point is not dropped, because the page itself writes a point before a fraction.
 */
function parseSloppy(typed: string): readonly string[] {
  const found = /^([1-9]\d*([,\s'’_])\d+(?:\2\d+)*)(?:\.(\d*))?$/.exec(typed)
  if (!found) return []
  const [, whole = '', , fraction = ''] = found
  return [plain(whole, fraction)]
}

function plain(whole: string, fraction: string): string {
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0'
  const rest = fraction.replace(/0+$/, '')
  return rest === '' ? digits : `${digits}.${rest}`
}

/**
 * Writes a plain decimal number so that {@link readAmount} reads it without doubt: `1.234` could be
 * grouped thousands and becomes `1.2340`.
 */
export function toUnambiguous(value: string): string {
  return /^[1-9]\d{0,2}\.\d{3}$/.test(value) ? `${value}0` : value
}
