import type { Hex } from '@braid-swap/core'
import type { Need } from '../need.js'
import type { Warning } from '../wire/responses.js'
import { estimateOnNode } from './estimate.js'
import {
  type Run,
  type Simulation,
  simulate,
  simulateSeen,
  simulationWarnings,
} from './simulation.js'

/** The node's results for a transaction; empty if the node was not called. */
export type Seen = {
  readonly gas?: bigint
  readonly failure?: Warning
  readonly simulation?: Simulation
  /** The output on the node's newest state, in wei, if it is known. */
  readonly paid?: bigint
}

/**
 * Estimates the gas on the node if the sender can pay, with the calldata of a stricter floor before its own, or
 * simulates the swap if requested. Throws SWAP_WOULD_REVERT, and the errors of `simulate`.
 */
export async function runOnNode(
  need: Need,
  {
    run,
    strict,
    mustSimulate,
  }: { readonly run: Run; readonly strict: Hex | undefined; readonly mustSimulate: boolean },
): Promise<Seen> {
  if (!mustSimulate) {
    if (!run.isFunded) return {}
    const { isShort, ...seen } = await estimateOnNode(need, run.tx, strict)
    // An estimate tells no output.
    const paid = isShort ? await simulateSeen(need, run).catch(() => undefined) : undefined
    return { ...seen, ...(paid?.ran && { paid: paid.dstAmount }) }
  }
  const simulation = await simulate(need, run)
  if (!simulation.ran) return { simulation }
  const { gasUsed: gas, dstAmount: paid } = simulation
  return { simulation, paid, ...(gas !== undefined && { gas }) }
}

/** Warnings about what the node says of a swap with this quoted output, in wei. */
export function nodeWarnings({ failure, simulation }: Seen, amountOut: bigint): readonly Warning[] {
  return [
    ...(failure ? [failure] : []),
    ...(simulation ? simulationWarnings(simulation, amountOut) : []),
  ]
}
