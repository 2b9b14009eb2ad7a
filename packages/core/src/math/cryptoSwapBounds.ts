// The values that the maths of Curve's Twocrypto 2.1.0 and Tricrypto 2.0.0 accept; they revert on the rest.

const E18 = 10n ** 18n

/** Bounds of a value, both included. */
export type Bounds = { readonly least: bigint; readonly most: bigint }

/** Bounds of each of the parameters. The mathematics of Twocrypto 2.1.0, and of Tricrypto 2.0.0. */
export function boundsOf(n: number): { readonly A: Bounds; readonly gamma: Bounds } {
  const gamma = 10n ** 10n
  return n === 2
    ? {
        A: { least: 4_000n, most: 40_000_000n },
        gamma: { least: gamma, most: 199n * 10n ** 15n },
      }
    : {
        A: { least: 2_700n, most: 270_000_000n },
        gamma: { least: gamma, most: 5n * 10n ** 16n },
      }
}

/**
 * Bounds of a balance as a part of D with 18 decimals, in a swap: 1/100 and 100 for three coins. With two
 * they are 1/200 and 50, and closer together if γ is more than 0.02.
 */
export function partBounds(n: number, gamma: bigint): Bounds {
  if (n === 3) return { least: 10n ** 16n, most: 10n ** 20n }
  const most = mostTilt(gamma)
  return { least: E18 ** 2n / 2n / most, most: most / 2n }
}

/** The most that a balance of two coins may be of its even part of D, with 18 decimals. */
export function mostTilt(gamma: bigint): bigint {
  const [most, smallGamma] = [100n * E18, 2n * 10n ** 16n]
  return gamma > smallGamma ? (most * smallGamma) / gamma : most
}

/** Returns whether a value is within its bounds. */
export function within(value: bigint, { least, most }: Bounds): boolean {
  return value >= least && value <= most
}
