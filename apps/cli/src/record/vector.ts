import { type Address, type Direction, type Pool, stringify } from '@braid-swap/core'

/** A pool's state and what its bytecode paid for swaps in that state. */
export type PoolVector = {
  readonly source: {
    readonly chainId: number
    readonly block: bigint
    readonly contract: Address
    /** The method of probing the contract, in words. */
    readonly call: string
  }
  readonly pool: Pool
  readonly swaps: readonly {
    readonly direction: Direction
    readonly amountIn: bigint
    /** 0 if the contract reverts, pays nothing or does not take the whole input. */
    readonly amountOut: bigint
  }[]
}

/** The largest file that a reviewer can be expected to read. */
export const MAX_VECTOR_BYTES = 200_000

/** The text of a vector file: small integers as numbers, wei as decimal strings, one swap a line. */
export function stringifyVector({ source, pool, swaps }: PoolVector): string {
  const lines = swaps.map((swap) => `    ${stringify(swap)}`)
  return [
    '{',
    `  "source": ${stringify(source)},`,
    `  "pool": ${stringify(pool)},`,
    '  "swaps": [',
    lines.join(',\n'),
    '  ]',
    '}',
    '',
  ].join('\n')
}

/** The path of a vector, relative to the folder of all vectors. */
export function vectorPath({ source, pool }: PoolVector): string {
  const name = `${pool.venue}-${pool.id.slice(2, 10)}`
  return `${pool.family}/${source.chainId}-${source.block}-${name}.json`
}

/** The tested parts of the pool's balance, from dust to far more than the pool can take. */
const PARTS_PPB = [1n, 1_000n, 100_000n, 1_000_000n, 10_000_000n, 30_000_000n] as const
const LARGE_PARTS_PPB = [100_000_000n, 300_000_000n, 1_000_000_000n, 30_000_000_000n] as const
const PPB = 1_000_000_000n

/** The inputs to probe for a pool's balance of the token in; in ascending order, no round numbers. */
export function amountsFor(balanceIn: bigint, extremes: readonly bigint[]): readonly bigint[] {
  const parts = [...PARTS_PPB, ...LARGE_PARTS_PPB].map((part) => (balanceIn * part) / PPB + 7n)
  const amounts = [...new Set([1n, 2n, 1_000n, ...parts, ...extremes])]
  return amounts.sort((a, b) => (a < b ? -1 : 1))
}
