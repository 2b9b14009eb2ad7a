// What moved prices are held against, as data.

import type { Address } from '@braid-swap/core'

/** A token with a spot book on the chain's exchange. */
export type Book = {
  readonly token: Address
  /** The asset of the book: 10000 and the index of the spot pair. */
  readonly asset: number
}

/** What rates and sampled prices are held against. */
export type PriceGuard = {
  readonly books: readonly Book[]
  /** Tokens that are the unit of the books' prices. */
  readonly units: readonly Address[]
  /** Largest distance of a pool's price, in basis points; 0: neither prices nor steps are looked at. */
  readonly maxOffBps: number
  /** Contracts that may set the rate of a pool that anybody can create, in lower case; absent: all. */
  readonly sources?: ReadonlySet<Address> | undefined
}
