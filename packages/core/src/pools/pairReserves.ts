import type { Direction } from './family.js'

export type Reserves = readonly [bigint, bigint]

/** The reserves of a pair after `kept` of one token has come in and `amountOut` of the other has left. */
export function reservesAfter(
  { reserves: [reserve0, reserve1] }: { readonly reserves: Reserves },
  direction: Direction,
  [kept, amountOut]: readonly [kept: bigint, amountOut: bigint],
): Reserves {
  return direction.in === 0
    ? [reserve0 + kept, reserve1 - amountOut]
    : [reserve0 - amountOut, reserve1 + kept]
}

/** Returns whether the pool holds nothing of either token. */
export function isEmpty({ reserves }: { readonly reserves: Reserves }): boolean {
  return reserves.every((reserve) => reserve === 0n)
}
