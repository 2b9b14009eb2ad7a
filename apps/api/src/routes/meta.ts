import { type Order, priceImpactBps } from '@braid-swap/core'
import type { AppConfig, Services } from '../context.js'
import type { MarketState } from '../market/liveMarket.js'
import type { ApiContext } from '../middleware/state.js'
import { feeMeta } from '../quoting/fee.js'
import { type NearestSearch, withNearest } from '../quoting/nearest.js'
import { ENGINE_VERSION, type Identified, quoteIdOf, snapshotIdOf } from '../quoting/quoteId.js'
import { figuresOf, gapOf, type QuoteAnswer } from '../quoting/quoting.js'
import { suggestSlippage } from '../quoting/suggestedSlippage.js'
import { addFacts, addPart, codeOf } from '../tracing/trace.js'
import type { Warning } from '../wire/responses.js'
import { costWarnings, guardWarnings, impactWarnings } from './warnings.js'

/** Computes the id of a quote and sets it in the headers. */
export function setQuoteId(ctx: ApiContext, { graph }: MarketState, request: Identified): string {
  const quoteId = quoteIdOf(graph.snapshot, request)
  ctx.set('x-quote-id', quoteId)
  ctx.state.quoteId = quoteId
  const { src, dst } = request.params
  addFacts(ctx.state, { 'braid.token_in': `${src}`, 'braid.token_out': `${dst}` })
  return quoteId
}

/** The fields of `meta` for every quote. */
export function metaOf(
  services: Services,
  state: MarketState & { readonly ageMs: number },
  quoted: {
    readonly quoteId: string
    readonly answer: QuoteAnswer
    readonly order: Order
    readonly solveMs: number
    /** Warnings in addition to those about price impact. */
    readonly warnings: readonly Warning[]
  },
) {
  const { config, market } = services
  const { block } = state.graph.snapshot
  const { answer, order } = quoted
  const suggested = suggestSlippage(services, state, { answer, order })
  const bound = gapOf(answer)
  const impactBps = priceImpactBps(answer, order)
  const figures = figuresOf(answer, order)
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
    ...feeMeta(answer, order, config.wrappedNative),
    ...figures,
    gasPrice: `${block.gasPrice}`,
    priceImpactBps: impactBps,
    ...(suggested && { suggestedSlippage: suggested, suggestedSlippageBps: suggested.bps }),
    validUntilBlock: `${block.number + holdsBlocks(answer, config)}`,
    warnings: [
      ...quoted.warnings,
      ...impactWarnings(impactBps),
      ...costWarnings(answer.amountOut, figures.gasCostInDst),
      ...guardWarnings(market),
    ],
  }
}

const SMALL_BLOCK_MS = 1_000

/**
 * For how many more blocks the API still answers from this state: small blocks come every second, and
 * a state older than the limit is refused. Quotes of sampled pools are valid for one block.
 */
function holdsBlocks(
  { isSampled }: QuoteAnswer,
  { maxStateAgeMs }: Pick<AppConfig, 'maxStateAgeMs'>,
): bigint {
  if (isSampled) return 1n
  return BigInt(Math.max(1, Math.floor(maxStateAgeMs / SMALL_BLOCK_MS)))
}

/** Tells a search when to stop, and is told when only the exact replay is left. */
export type SolveWatch = { readonly shouldStop: () => boolean; readonly onSolved: () => void }

/**
 * Runs the solver within its time budget and reports how long it took in `server-timing`, in `meta`
 * and in the trace.
 */
export function measureSolve<T extends { readonly answer: QuoteAnswer }>(
  ctx: ApiContext,
  { config, metrics }: Services,
  solve: (watch: SolveWatch) => T,
): { readonly value: T; readonly solveMs: number } {
  const startMs = performance.now()
  let solvedMs: number | undefined
  const watch: SolveWatch = {
    // The searches of one request share its budget.
    shouldStop: () =>
      (ctx.state.solvedMs ?? 0) + performance.now() - startMs > config.solveBudgetMs,
    onSolved: () => {
      solvedMs = performance.now()
    },
  }
  let value: T
  try {
    value = solve(watch)
  } catch (error) {
    addPart(ctx.state, { name: 'solve', startMs, endMs: performance.now(), code: codeOf(error) })
    throw error
  } finally {
    addSolved(ctx, startMs)
  }
  const endMs = performance.now()
  traceAnswer(ctx, value.answer, { startMs, solvedMs: solvedMs ?? endMs, endMs })
  const solveMs = Math.round((endMs - startMs) * 100) / 100
  metrics.solveSeconds.observe({ endpoint: lastOf(ctx.path) }, solveMs / 1_000)
  ctx.set('server-timing', `solve;dur=${solveMs}`)
  return { value, solveMs }
}

/** Adds the time of a search to that of its request. */
function addSolved({ state }: ApiContext, startMs: number): void {
  state.solvedMs = (state.solvedMs ?? 0) + performance.now() - startMs
}

/** The answer; with `includeNearest`, the error of an unfilled order says what is nearest to it. */
export function withNearestFill<T>(
  asked: {
    readonly ctx: ApiContext
    readonly includeNearest?: boolean | undefined
    readonly search: Omit<NearestSearch, 'discovery'>
  },
  { config, market }: Services,
  find: () => T,
): T {
  try {
    return find()
  } catch (error) {
    if (!asked.includeNearest) throw error
    const { search } = asked
    const startMs = performance.now()
    const shouldStop = () => performance.now() - startMs > config.solveBudgetMs
    const options = { ...search.options, shouldStop }
    const nearest = withNearest(error, { ...search, options, discovery: market.discovery?.() })
    addSolved(asked.ctx, startMs)
    throw nearest
  }
}

/** Adds the search and the exact walk after it to the trace. */
function traceAnswer(
  { state }: ApiContext,
  answer: QuoteAnswer,
  { startMs, solvedMs, endMs }: Readonly<Record<'startMs' | 'solvedMs' | 'endMs', number>>,
): void {
  if (!state.trace) return
  const gapBps = gapOf(answer)?.gapBps
  const gap = typeof gapBps === 'number' && { 'braid.gap_bps': gapBps }
  const legs = answer.route && { 'braid.legs': answer.route.length }
  const facts = { 'braid.mode': answer.mode, ...gap, ...legs }
  addPart(state, { name: 'solve', startMs, endMs: solvedMs, facts })
  if (solvedMs < endMs)
    addPart(state, { name: 'walk', startMs: solvedMs, endMs, facts: { ...legs } })
}

/** Records the gap of an answer to its bound, and counts answers above their own bound. */
export function observeGap({ metrics }: Pick<Services, 'metrics'>, answer: QuoteAnswer): void {
  const gap = gapOf(answer)
  if (gap?.gapBps === null) metrics.boundExceeded.inc()
  else if (gap) metrics.gapBps.observe(gap.gapBps)
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
