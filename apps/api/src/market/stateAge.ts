import type { ChainClock, Clock } from '../clock.js'
import type { AppConfig } from '../config/appConfig.js'
import type { MarketState } from './liveMarket.js'

/** A market state that is young enough for its request, with its age in milliseconds. */
export type FreshState = MarketState & { readonly ageMs: number }

/** Clocks that measure the age of a state. */
export type AgeParts = {
  readonly clock: Clock
  readonly chainClock: ChainClock
  readonly config: Pick<AppConfig, 'checksBlockTime'>
}

/**
 * The age of a market state in milliseconds: the time since its head was received, or since the
 * timestamp of its block if that is longer, because a node may be late with every block.
 */
export function ageMsOf(
  { graph, receivedAtMs }: MarketState,
  { clock, chainClock, config }: AgeParts,
): number {
  const sinceReceiptMs = clock.steadyMs() - receivedAtMs
  const lagMs = config.checksBlockTime ? chainClock.lagMs(graph.snapshot.block.timestamp) : 0
  return Math.max(0, Math.floor(Math.max(sinceReceiptMs, lagMs)))
}
