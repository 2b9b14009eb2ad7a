// How old a state is; `answers/freshState.ts` refuses one that is too old.

import type { ChainClock, Clock } from '../clock.js'
import type { AppConfig } from '../config/appConfig.js'
import type { MarketState } from './liveMarket.js'

/** Tells the age of a market state, in milliseconds. */
export type AgeOf = (state: MarketState) => number

/**
 * The age of a market state is the time since its head was received, or since the timestamp of its
 * block if that is longer, because a node may be late with every block.
 */
export function createAge(
  { steadyMs }: Clock,
  { lagMs }: ChainClock,
  { checksBlockTime }: Pick<AppConfig, 'checksBlockTime'>,
): AgeOf {
  return ({ graph, receivedAtMs }) => {
    const blockMs = checksBlockTime ? lagMs(graph.snapshot.block.timestamp) : 0
    return Math.max(0, Math.floor(Math.max(steadyMs() - receivedAtMs, blockMs)))
  }
}
