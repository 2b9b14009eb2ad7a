// A chain as one record: everything that Braid knows of it. No other code knows a chain.

import type { Address } from '@braid-swap/core'
import { PERMIT2, type SystemAddresses } from '@braid-swap/core/advanced'
import { type Chain, defineChain } from 'viem'
import type { LoadedFamily, Venue } from '../pools/venue.js'
import { MULTICALL3 } from '../reads/clock.js'
import type { PriceGuard } from '../trust/book.js'

/** A known deployment that is not served. */
export type Unserved = {
  readonly id: string
  /** The contract that creates its pools or that trades, if known. */
  readonly contract?: Address | undefined
  /** The reason, as a clause. */
  readonly why: string
}

/** A kind of block. */
export type BlockKind = {
  /** An adjective, such as `small`. */
  readonly name: string
  readonly gasLimit: number
  /** Milliseconds from one to the next. */
  readonly everyMs: number
  /** What puts an account's transactions there, if it is not the usual kind. */
  readonly choice?: string | undefined
}

/** One EVM chain, addresses in lower case. */
export type ChainRecord = {
  readonly id: number
  readonly name: string
  /** The token that pays for gas; it has 18 decimals on every EVM chain. */
  readonly native: { readonly symbol: string; readonly name: string; readonly decimals: number }
  readonly wrapped: {
    readonly address: Address
    readonly symbol: string
    readonly name: string
    readonly decimals: number
  }
  readonly multicall3: Address
  readonly permit2: Address
  /** Tokens that nearly every venue has pools of. */
  readonly hubs: readonly Address[]
  /** Tokens worth one US dollar, the preferred first. */
  readonly usdTokens: readonly Address[]
  readonly venues: readonly Venue[]
  readonly unserved: readonly Unserved[]
  /** The kinds of blocks, first the one that an ordinary transaction gets into. */
  readonly blocks: readonly BlockKind[]
  /** How gas is paid: by the base fee of EIP-1559, and nothing for another layer. */
  readonly fee: 'eip1559'
  readonly systemAddresses: readonly SystemAddresses[]
  /** What moved prices are held against; no books: the deepest other route alone. */
  readonly guard: Omit<PriceGuard, 'sources'>
  /** Absent if no public explorer shows the chain. */
  readonly explorer?: { readonly name: string; readonly url: string } | undefined
  /** A node that wallets are offered. */
  readonly rpcUrl: string
  /** Where the facts are from. */
  readonly sources: readonly string[]
  /** The facts that were read on the chain itself, each as a clause. */
  readonly confirmed: readonly string[]
}

/** What is true of a chain unless its record says otherwise. */
export const usualChain = {
  multicall3: MULTICALL3,
  permit2: PERMIT2,
  unserved: [],
  fee: 'eip1559' as const,
  systemAddresses: [],
  guard: { books: [], units: [], maxOffBps: 100 },
  confirmed: [],
} satisfies Partial<ChainRecord>

// What no registry says for certain of some venues.
export const unreportedFee = { toConfirm: ['the fee, which no contract reports'] }
export const unknownForms = {
  toConfirm: ['which of its pools have a known form: all others are set aside'],
}

/** A venue by what nearly all have; `fromBlock` is where its factory was created. */
export function venue(
  id: string,
  family: LoadedFamily,
  factory: Address,
  fromBlock?: bigint,
): Venue {
  return { id, family, factory, ...(fromBlock !== undefined && { fromBlock }) }
}

/** The chain as viem has it. Every batch of reads goes through its Multicall3. */
export function viemChainOf({ id, name, native, rpcUrl, multicall3, blocks }: ChainRecord): Chain {
  return defineChain({
    ...{ id, name, nativeCurrency: native, blockTime: blocks[0]!.everyMs },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: multicall3 } },
  })
}
