import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from './chain.js'

/** Blocks that come by themselves. */
export type Live = {
  readonly setSwapsPerBlock: (swaps: number) => void
  /** Resolves when the last block is mined. */
  readonly stop: () => Promise<void>
}

/**
 * Mines a block each `blockTimeMs` and trades before it. From its first block on the chain's time is
 * the wall clock's, so that deadlines mean what they say.
 */
export async function startMining(
  chain: Chain,
  trade: (swaps: number) => Promise<unknown>,
  options: { readonly blockTimeMs?: number; readonly onError?: (error: unknown) => void },
): Promise<Live> {
  await chain.client.removeBlockTimestampInterval()
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1000)) })
  let swapsPerBlock = 0
  const stopping = new AbortController()
  const { signal } = stopping
  const round = async () => {
    if (swapsPerBlock > 0) await trade(swapsPerBlock)
    await chain.mine()
  }
  const run = async () => {
    const period = options.blockTimeMs ?? 1000
    for (let next = performance.now() + period; !signal.aborted; next += period) {
      // Late blocks are not made up for.
      next = Math.max(next, performance.now())
      await sleep(next - performance.now(), undefined, { signal }).catch(() => {})
      if (!signal.aborted) await round()
    }
  }
  const report = (error: unknown) => {
    if (options.onError === undefined) throw error
    options.onError(error)
  }
  const ended = run().catch(report)
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
