import { isPinned } from '@braid-swap/chain'
import type { Hex } from '@braid-swap/core'
import type { Need } from '../need.js'
import type { Warning } from '../wire/responses.js'
import { estimateOnNode } from './estimate.js'
import { paidAt, type Run, type Simulation, simulate, simulationWarnings } from './simulation.js'

/** The node's results for a transaction; empty if the node was not called. */
export type Seen = {
  readonly gas?: bigint
  readonly failure?: Warning
  readonly simulation?: Simulation
  /** The output at the block of the quote, in wei, if it was asked for because there is less on the newest. */
  readonly paid?: bigint | undefined
}

/** A higher floor, in wei, and the calldata with it. */
export type Strict = { readonly data: Hex; readonly least: bigint }

/**
 * Estimates the gas on the node if the sender can pay, with the calldata of a stricter floor before its own, or
 * simulates the swap if requested. Where less than the stricter floor is paid, the block of the quote tells whether the
 * market moved. Throws SWAP_WOULD_REVERT, and the errors of `simulate`.
 */
export async function runOnNode(
  need: Need,
  {
    run,
    strict,
    block,
    mustSimulate,
  }: {
    readonly run: Run
    readonly strict: Strict | undefined
    /** The block of the quote. */
    readonly block: bigint
    readonly mustSimulate: boolean
  },
): Promise<Seen> {
  const mayAsk = isPinned(need.client)
  const atQuote = async (isShort: boolean) =>
    isShort && mayAsk ? { paid: await paidAt(need, run, block) } : {}
  if (!mustSimulate) {
    if (!run.isFunded) return {}
    const first = mayAsk ? strict?.data : undefined
    const { isShort = false, ...seen } = await estimateOnNode(need, run.tx, first)
    return { ...seen, ...(await atQuote(isShort)) }
  }
  const simulation = await simulate(need, run)
  if (!simulation.ran) return { simulation }
  const { gasUsed: gas, dstAmount } = simulation
  const isShort = run.isFunded && strict !== undefined && dstAmount < strict.least
  return { simulation, ...(await atQuote(isShort)), ...(gas !== undefined && { gas }) }
}

/** Warnings about what the node says of a swap with this quoted output, in wei. */
export function nodeWarnings({ failure, simulation }: Seen, amountOut: bigint): readonly Warning[] {
  return [
    ...(failure ? [failure] : []),
    ...(simulation ? simulationWarnings(simulation, amountOut) : []),
  ]
}
