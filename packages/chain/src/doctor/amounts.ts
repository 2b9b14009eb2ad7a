/** The tested parts of the pool's balance, from dust to far more than the pool can take. */
const PARTS_PPB = [
  ...[1n, 1_000n, 100_000n, 1_000_000n, 10_000_000n, 30_000_000n],
  ...[100_000_000n, 300_000_000n, 1_000_000_000n, 30_000_000_000n],
] as const
const PPB = 1_000_000_000n

/** The inputs to probe for a pool's balance of the token in; in ascending order, no round numbers. */
export function amountsFor(balanceIn: bigint, extremes: readonly bigint[] = []): readonly bigint[] {
  const parts = PARTS_PPB.map((part) => (balanceIn * part) / PPB + 7n)
  const amounts = [...new Set([1n, 2n, 1_000n, ...parts, ...extremes])]
  return amounts.sort((a, b) => (a < b ? -1 : 1))
}
