/**
 * JSON with exact integers: a bigint is written as a decimal string, and every string made only of
 * digits (with an optional minus sign) is read back as a bigint. Snapshots contain no free text, so
 * the rule is unambiguous.
 */
export function stringify(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}` : v), indent)
}

/**
 * The inverse of {@link stringify}, for integers of the chain: digits beyond 256 bits stay text, because
 * no contract has such a number, and a long one takes minutes to compute with.
 */
export function parse(text: string): unknown {
  return JSON.parse(text, (_, v) => (typeof v === 'string' && INTEGER.test(v) ? BigInt(v) : v))
}

/** 2²⁵⁶ has 78 digits. */
const INTEGER = /^-?\d{1,78}$/
