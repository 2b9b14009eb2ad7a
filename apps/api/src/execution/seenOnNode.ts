import type { Need } from '../need.js'
import type { Warning } from '../wire/responses.js'
import { estimateOnNode } from './estimate.js'
import { type Run, type Simulation, simulate, simulationWarnings } from './simulation.js'

/** The node's results for a transaction; empty if the node was not called. */
export type Seen = {
  readonly gas?: bigint
  readonly failure?: Warning
  readonly simulation?: Simulation
}

/**
 * Estimates the gas on the node if the sender can pay, or simulates the swap if requested. Throws
 * SWAP_WOULD_REVERT, and the errors of `simulate`.
 */
export async function runOnNode(
  need: Need,
  { run, mustSimulate }: { readonly run: Run; readonly mustSimulate: boolean },
): Promise<Seen> {
  if (!mustSimulate) {
    return run.isFunded ? estimateOnNode(need, run.tx) : {}
  }
  const simulation = await simulate(need, run)
  const gas = simulation.ran ? simulation.gasUsed : undefined
  return { simulation, ...(gas !== undefined && { gas }) }
}

/** Warnings about what the node says of a swap with this quoted output, in wei. */
export function nodeWarnings({ failure, simulation }: Seen, amountOut: bigint): readonly Warning[] {
  return [
    ...(failure ? [failure] : []),
    ...(simulation ? simulationWarnings(simulation, amountOut) : []),
  ]
}
