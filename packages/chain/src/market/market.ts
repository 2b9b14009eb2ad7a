// The market: what answers are computed from, where on the chain that is, and what the court has found.

import type { Address, Hex, Snapshot } from '@braid-swap/core'
import type { PoolRef } from '../pools/loader.js'
import type { SetAside } from '../pools/setAside.js'
import type { ReadLogs } from '../reads/roundLogs.js'
import type { RateHistory } from '../trust/rateHistory.js'
import type { TokenFlaw } from '../trust/transferTests.js'
import type { Trial } from '../trust/trials.js'
import type { GasPrices } from './gasPrice.js'

/** The blocks of the first and the last read in a row after which a pool was set aside. */
export type Failing = { readonly since: bigint; readonly at: bigint }

/** A block of the trail, and what changed since the one before it, so that a reorganisation can be undone. */
export type TrailBlock = {
  readonly number: bigint
  readonly hash: Hex
  /** Absent if only logs name the block. */
  readonly gasLimit?: bigint
  /** Pools that a log changed, or that were read. */
  readonly touched: readonly Address[]
  readonly created: readonly Address[]
}

/** Swaps seen while a market is followed, by whether their pool is in answers. */
export type SwapCounts = {
  readonly served: number
  /** Of known pools that are set aside, or whose venue has not earned its place. */
  readonly setAside: number
  /** Of contracts that are no known pool. */
  readonly unknown: number
}

/** What the logs of swaps have told. */
export type Traded = SwapCounts & {
  /** Contracts that swap, are unknown, and are to be asked which factory made them. */
  readonly waiting: ReadonlySet<Address>
  /** Those that were asked and belong to no venue. */
  readonly strange: ReadonlySet<Address>
}

/** What answers are computed from. */
export type MarketState = {
  readonly snapshot: Snapshot
  /** Every known pool. One that is neither in the snapshot nor set aside is read with the next head. */
  readonly pools: readonly PoolRef[]
  readonly setAside: readonly SetAside[]
  /** When this process first saw the snapshot's block, in milliseconds of its steady clock. */
  readonly receivedAtMs: number
  /** What the gas price follows from; absent in a market from a file. */
  readonly gasPrices?: GasPrices
  /** The swaps seen since the start; absent before the first. */
  readonly traded?: Traded
}

/** Where on the chain the state is, and what must be read again from there on. */
export type Cursor = {
  /** Heads followed and blocks known by their logs, oldest first; the newest is the snapshot's. */
  readonly trail: readonly TrailBlock[]
  /** The logs of the newest blocks, which the next round reads again; absent in a market from a file. */
  readonly read?: ReadLogs
  /** Pools to be read again because a log of them may be missing; absent if every block was proved. */
  readonly unproven?: readonly Address[]
  /** Since when pools cannot be read, by id; absent in a market from a file. */
  readonly failing?: ReadonlyMap<Address, Failing>
}

/** What the court knows of tokens, venues and prices, and what it is to look at. */
export type Trust = {
  /** Tokens whose pools are set aside. */
  readonly flawed: readonly TokenFlaw[]
  /** The trials of the venues; absent: all are served. */
  readonly trials?: readonly Trial[]
  /** What somebody may move, over the kept blocks; absent without a guard, and in a market from a file. */
  readonly rates?: RateHistory
  /**
   * True if the price guard compared the sampled pools with an order book at the newest block; absent
   * if it is off or no pool is sampled.
   */
  readonly pricesCompared?: boolean
  /** Tokens to be tested again, because a log of the last round names a pause, a fee, a list or an owner. */
  readonly toTest?: readonly Address[]
  /** Pools whose swaps are to be tried, because they or their venue say in a log that their code changed. */
  readonly toTry?: readonly Hex[]
}

/** A snapshot of one block and all that is needed to follow the chain from it. */
export type Market = {
  readonly state: MarketState
  readonly cursor: Cursor
  readonly trust: Trust
}
