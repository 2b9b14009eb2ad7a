// The values that each version of Curve's CryptoSwap mathematics accepts; its contracts revert on the rest.

const [E16, E18, E20] = [10n ** 16n, 10n ** 18n, 10n ** 20n]

/** Bounds of a value, both included. */
export type Bounds = { readonly least: bigint; readonly most: bigint }

/** The version of the mathematics that a pool calls: three coins have only the first. */
export type CryptoSwapVersion = '2.0.0' | '2.1.0'

/** Bounds of the parameters of pools of `n` coins. */
export function boundsOf(
  n: number,
  version: CryptoSwapVersion,
): { readonly A: Bounds; readonly gamma: Bounds } {
  const least = 10n ** 10n
  if (n === 3) {
    return { A: { least: 2_700n, most: 270_000_000n }, gamma: { least, most: 5n * E16 } }
  }
  const most = version === '2.0.0' ? 2n * 10n ** 15n : 199n * 10n ** 15n
  return { A: { least: 4_000n, most: 40_000_000n }, gamma: { least, most } }
}

/** Bounds of balances in units of D, with 18 decimals. */
export type PartBounds = {
  /** Of a balance that is given, times n where two coins are: K₀ without the other. */
  readonly given: Bounds
  /** Of the balance that is computed from the others. */
  readonly found: Bounds
  /** Of each balance, once D is computed. */
  readonly settled: Bounds
}

/**
 * 1/100 and 100 in version 2.0.0, which takes one unit less in some places; 1/200 and 50 in 2.1.0, and closer
 * together for γ above 0.02.
 */
export function partBounds(n: number, version: CryptoSwapVersion, gamma: bigint): PartBounds {
  const [all, less] = [
    { least: E16, most: E20 },
    { least: E16 - 1n, most: E20 },
  ]
  if (n === 3) return { given: all, found: less, settled: all }
  if (version === '2.0.0') {
    return { given: { least: 2n * E16 - 1n, most: 2n * E20 }, found: less, settled: less }
  }
  const most = gamma > 2n * E16 ? (E20 * 2n * E16) / gamma : E20
  return {
    given: { least: E18 ** 2n / most, most },
    found: { least: E18 ** 2n / 2n / most, most: most / 2n },
    settled: { least: E16 / 2n, most: E20 / 2n },
  }
}

/** Returns whether a value is within its bounds. */
export function within(value: bigint, { least, most }: Bounds): boolean {
  return value >= least && value <= most
}
