import type { Order } from '@braid-swap/core'
import type { AppConfig, RouteParts } from '../context.js'
import type { MarketState } from '../market/liveMarket.js'
import type { ApiContext } from '../middleware/state.js'
import { ENGINE_VERSION, quoteIdOf, snapshotIdOf } from '../quoting/quoteId.js'
import { type Answer, figuresOf, gapOf, priceImpactBps } from '../quoting/quoting.js'
import type { Warning } from '../wire/responses.js'
import { impactWarnings } from './warnings.js'

/** Computes the id of a quote and sets it in the headers. */
export function identify(
  ctx: ApiContext,
  { graph }: MarketState,
  request: { readonly endpoint: string; readonly params: Readonly<Record<string, unknown>> },
): string {
  const quoteId = quoteIdOf(graph.snapshot, request)
  ctx.set('x-quote-id', quoteId)
  ctx.state.quoteId = quoteId
  return quoteId
}

/** The fields of `meta` for every quote. */
export function metaOf(
  { config }: RouteParts,
  state: MarketState & { readonly ageMs: number },
  quoted: {
    readonly quoteId: string
    readonly answer: Answer
    readonly order: Order
    readonly solveMs: number
    /** Warnings in addition to those about price impact. */
    readonly warnings: readonly Warning[]
  },
) {
  const { block } = state.graph.snapshot
  const { answer, order } = quoted
  const bound = gapOf(answer)
  const impactBps = priceImpactBps(answer, order)
  return {
    quoteId: quoted.quoteId,
    blockNumber: `${block.number}`,
    blockHash: block.hash,
    blockTimestamp: Number(block.timestamp),
    snapshotId: snapshotIdOf(state.graph.snapshot),
    stateAgeMs: state.ageMs,
    engineVersion: ENGINE_VERSION,
    mode: answer.mode,
    solveMs: quoted.solveMs,
    ...(bound && { bound }),
    ...figuresOf(answer, order),
    gasPrice: `${block.gasPrice}`,
    priceImpactBps: impactBps,
    validUntilBlock: `${block.number + holdsBlocks(answer, config)}`,
    warnings: [...quoted.warnings, ...impactWarnings(impactBps)],
  }
}

const SMALL_BLOCK_MS = 1_000

/**
 * For how many more blocks the API still answers from this state: small blocks come every second, and
 * a state older than the limit is refused. Quotes of sampled pools are valid for one block.
 */
function holdsBlocks(
  { isSampled }: Answer,
  { maxStateAgeMs }: Pick<AppConfig, 'maxStateAgeMs'>,
): bigint {
  if (isSampled) return 1n
  return BigInt(Math.max(1, Math.floor(maxStateAgeMs / SMALL_BLOCK_MS)))
}

/**
 * Runs the solver within its time budget and reports how long it took in `server-timing` and in
 * `meta`.
 */
export function timed<T>(
  ctx: ApiContext,
  { config, metrics }: RouteParts,
  solve: (shouldStop: () => boolean) => T,
): { readonly value: T; readonly solveMs: number } {
  const startMs = performance.now()
  const value = solve(() => performance.now() - startMs > config.solveBudgetMs)
  const solveMs = Math.round((performance.now() - startMs) * 100) / 100
  metrics.solveSeconds.observe({ endpoint: lastOf(ctx.path) }, solveMs / 1_000)
  ctx.set('server-timing', `solve;dur=${solveMs}`)
  return { value, solveMs }
}

/** Records the gap of an answer to its bound, and counts answers above their own bound. */
export function observeGap({ metrics }: Pick<RouteParts, 'metrics'>, answer: Answer): void {
  const gap = gapOf(answer)
  if (gap?.gapBps === null) metrics.boundExceeded.inc()
  else if (gap) metrics.gapBps.observe(gap.gapBps)
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
