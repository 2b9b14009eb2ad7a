/** Tells a price impact from the rounding of amounts so small that one wei of them matters. */
const ALL_BPS = 10_000

/** What one wei at each end of a swap is worth, in basis points: no loss up to this says anything. */
export function roundingBps(paid: bigint, received: bigint): number {
  return ALL_BPS / Number(paid) + ALL_BPS / Number(received)
}

/** The price impact; 0 if rounding explains it, `null` if it is unknown. Amounts in wei. */
export function impactBeyondRounding(
  impactBps: number | null,
  paid: bigint,
  received: bigint,
): number | null {
  return impactBps !== null && impactBps <= roundingBps(paid, received) ? 0 : impactBps
}
