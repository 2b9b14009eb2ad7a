import { setTimeout as sleep } from 'node:timers/promises'
import { ChainDiedError } from '../errors.js'
import type { Chain } from './chain.js'

/** Interval mining. */
export type Live = {
  readonly setSwapsPerBlock: (swaps: number) => void
  /** Resolves when the last block is mined. */
  readonly stop: () => Promise<void>
}

/**
 * Trades and mines a block each `blockTimeMs`. From the first block on, the chain uses the wall
 * clock's time, so that deadlines by the wall clock work.
 */
export async function startMining(
  chain: Chain,
  trade: (swaps: number) => Promise<unknown>,
  options: { readonly blockTimeMs?: number; readonly onError?: (error: unknown) => void },
): Promise<Live> {
  await chain.client.removeBlockTimestampInterval()
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1000)) })
  const stopping = new AbortController()
  const { signal } = stopping
  const { onError } = options
  const report = (error: unknown) => {
    if (onError === undefined) throw error
    onError(error)
  }
  let swapsPerBlock = 0
  const round = async () => {
    if (swapsPerBlock > 0) await trade(swapsPerBlock)
    await chain.mine()
  }
  const ended = repeat({ round: () => round().catch(report), signal }, options.blockTimeMs ?? 1000)
  const died = chain.died.then((reason) => {
    stopping.abort()
    report(new ChainDiedError({ reason }))
  })
  // Without onError the unhandled rejection ends the process.
  void Promise.race([ended, died])
  return {
    setSwapsPerBlock: (swaps) => {
      swapsPerBlock = swaps
    },
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

/** Runs one round per period, never two at a time; late rounds are skipped. */
async function repeat(
  loop: { readonly round: () => Promise<void>; readonly signal: AbortSignal },
  periodMs: number,
): Promise<void> {
  const { round, signal } = loop
  for (let next = performance.now() + periodMs; !signal.aborted; next += periodMs) {
    next = Math.max(next, performance.now())
    // Only the signal can make this sleep fail.
    await sleep(next - performance.now(), undefined, { signal }).catch(() => {})
    if (!signal.aborted) await round()
  }
}
