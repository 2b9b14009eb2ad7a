import { type Graph, type Order, priceImpactBps, type QuoteOptions } from '@braid-swap/core'
import type { AppConfig } from '../config/appConfig.js'
import type { MarketState } from '../market/liveMarket.js'
import type { ApiContext } from '../middleware/state.js'
import { feeMeta } from '../quoting/fee.js'
import { isUnfilled, type PartialOrder, withNearest } from '../quoting/nearest.js'
import { figuresOf, gapOf, type QuoteAnswer } from '../quoting/quoting.js'
import { suggestSlippage } from '../quoting/suggestedSlippage.js'
import type { Found, Outcome, Search, SearchName } from '../search/searches.js'
import type { Services } from '../services/services.js'
import { ENGINE_VERSION, type Identified, quoteIdOf, snapshotIdOf } from '../wire/quoteId.js'
import type { Warning } from '../wire/responses.js'
import { costWarnings, guardWarnings, impactWarnings } from './warnings.js'

/** Computes the id of a quote and sets it in the headers. */
export function setQuoteId(ctx: ApiContext, { graph }: MarketState, request: Identified): string {
  const quoteId = quoteIdOf(graph.snapshot, request)
  ctx.set('x-quote-id', quoteId)
  ctx.state.quoteId = quoteId
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
    ...venuesMeta(market),
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

/** How many venues are in each state, if any is on trial. */
function venuesMeta({ venues }: Services['market']) {
  const counts = new Map<string, number>()
  for (const { state } of venues?.() ?? []) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts.size === 0 ? {} : { venues: Object.fromEntries(counts) }
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

/** Runs a search and reports how long it took in `server-timing` and in `meta`. */
export async function measureSolve<N extends Exclude<SearchName, 'nearest' | 'price'>>(
  ctx: ApiContext,
  services: Services,
  graph: Graph,
  search: Search<N>,
): Promise<{ readonly value: Found<N>; readonly solveMs: number }> {
  const outcome = await searchFor(ctx, services, { graph, search })
  if ('error' in outcome) throw outcome.error
  const solveMs = Math.round(outcome.tookMs * 100) / 100
  services.metrics.solveSeconds.observe({ endpoint: lastOf(ctx.path) }, solveMs / 1_000)
  ctx.set('server-timing', `solve;dur=${solveMs}`)
  return { value: outcome.value, solveMs }
}

/** Runs a search in what is left of the time of its request, and adds its time to that of the request. */
async function searchFor<N extends SearchName>(
  { state, res }: ApiContext,
  { search, config }: Services,
  asked: { readonly graph: Graph; readonly search: Search<N> },
): Promise<Outcome<Found<N>>> {
  const isWanted = () => !(res.writableEnded || res.destroyed)
  const isContinued = state.solvedMs !== undefined
  const limitMs = Math.max(0, config.maxRequestMs - (state.solvedMs ?? 0))
  const terms = { limitMs, key: state.key!.bucket, isContinued, isWanted }
  const outcome = await search(asked.graph, asked.search, terms)
  state.solvedMs = (state.solvedMs ?? 0) + outcome.tookMs
  return outcome
}

/** The answer; with `includeNearest`, the error of an unfilled order says what is nearest to it. */
export async function withNearestFill<T>(
  asked: {
    readonly ctx: ApiContext
    readonly includeNearest?: boolean | undefined
    readonly graph: Graph
    readonly order: PartialOrder
    readonly options: QuoteOptions
  },
  services: Services,
  find: () => Promise<T>,
): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (!asked.includeNearest || !isUnfilled(error)) throw error
    const { ctx, graph, order, options } = asked
    const search = { name: 'nearest', asked: order, options } as const
    const outcome = await searchFor(ctx, services, { graph, search })
    if ('error' in outcome) throw outcome.error
    const discovery = services.market.discovery?.()
    throw withNearest(error, outcome.value, { snapshot: graph.snapshot, options, discovery })
  }
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
