import {
  type Address,
  type Graph,
  type Order,
  priceImpactBps,
  type QuoteOptions,
} from '@braid-swap/core'
import { type Finding, isUnfilled, judge, type PartialOrder } from '@braid-swap/core/advanced'
import type { Asker } from '../admission/asker.js'
import type { AppConfig } from '../config/appConfig.js'
import type { Need } from '../need.js'
import { statesOfMinute } from '../quoting/earlierStates.js'
import { feeMeta } from '../quoting/fee.js'
import { baseFeeOf, type GasWishes, tipOf } from '../quoting/gasPrice.js'
import { inWords } from '../quoting/nearest.js'
import { figuresOf, gapOf, type QuoteAnswer } from '../quoting/quoting.js'
import { MOST_FALL_BPS, steadinessWarnings, unsteadyPools } from '../quoting/steadiness.js'
import { suggestSlippage } from '../quoting/suggestedSlippage.js'
import { guardWarnings } from '../quoting/warnings.js'
import { namesOf } from '../tokens/names.js'
import { ENGINE_VERSION, snapshotIdOf } from '../wire/quoteId.js'
import type { Warning } from '../wire/responses.js'
import type { FreshState } from './freshState.js'

/** The fields of `meta` for every quote. */
export async function metaOf(
  need: Need,
  state: FreshState,
  quoted: {
    readonly quoteId: string
    readonly answer: QuoteAnswer
    readonly order: Order
    readonly params: GasWishes
    readonly solveMs: number
    /** Warnings in addition to what is found in the quote itself. */
    readonly warnings: readonly Warning[]
  },
) {
  const { config, market } = need
  const { block } = state.graph.snapshot
  const { answer, order, params } = quoted
  const tip = tipOf(block, params)
  const suggested = suggestSlippage(need, state, { answer, order })
  const bound = gapOf(answer)
  const impactBps = priceImpactBps(answer, order)
  const figures = figuresOf(answer, order)
  const findings = await findingsOf(need, state, { answer, order, impactBps, ...figures })
  return {
    quoteId: quoted.quoteId,
    blockNumber: `${block.number}`,
    blockHash: block.hash,
    blockTimestamp: Number(block.timestamp),
    snapshotId: snapshotIdOf(state.graph.snapshot),
    stateAgeMs: state.ageMs,
    ...(market.recorded && { recorded: true as const }),
    engineVersion: ENGINE_VERSION,
    mode: answer.mode,
    solveMs: quoted.solveMs,
    ...(bound && { bound }),
    ...feeMeta(answer, order, config.wrappedNative),
    ...figures,
    ...venuesMeta(market),
    gasPrice: `${baseFeeOf(block) + tip}`,
    ...(tip > 0n && { priorityFee: `${tip}` }),
    priceImpactBps: impactBps,
    ...(suggested && { suggestedSlippage: suggested, suggestedSlippageBps: suggested.bps }),
    validUntilBlock: `${block.number + holdsBlocks(answer, config)}`,
    warnings: [
      ...quoted.warnings,
      ...findings,
      ...guardWarnings(market),
      ...steadinessWarnings(unsteadyIn(need, state, answer), false),
    ],
  }
}

/** The pools of a route that come and go, by as much as any slippage takes for a fall. */
const unsteadyIn = ({ recentStates }: Need, { graph }: FreshState, { route = [] }: QuoteAnswer) =>
  unsteadyPools(graph, route, statesOfMinute(recentStates, graph.snapshot), MOST_FALL_BPS)

/** What is found in a quote. Names are read only for what there is to say, and left out if the node gives none. */
export async function findingsOf(
  { tokens, vouched }: Pick<Need, 'tokens' | 'vouched'>,
  { ageMs }: Pick<FreshState, 'ageMs'>,
  quoted: {
    readonly answer: QuoteAnswer
    readonly order: Order
    readonly impactBps: number | null
  } & ReturnType<typeof figuresOf>,
): Promise<readonly Finding[]> {
  const { answer, order, impactBps, spotDstAmount, gasCostInDst } = quoted
  const ends = [order.tokenIn, order.tokenOut]
  const passed = (answer.route ?? []).flatMap(({ pool, direction }) => pool.tokens[direction.out]!)
  const known = vouched()
  const isOpen = (token: Address) => !known.has(token) && !ends.includes(token)
  const untrusted = [...new Set(passed)].filter(isOpen)
  const figures = {
    ...{ amountOut: answer.amountOut, impactBps, worthLostBps: answer.worthLostBps, untrusted },
    ...{ gasCost: weiOf(gasCostInDst), spotAmountOut: weiOf(spotDstAmount), fee: answer.fee },
  }
  if (judge(order, figures, { ageMs }).length === 0) return []
  const texts = await namesOf(tokens, [...ends, ...untrusted])
  return judge(order, figures, { ageMs, wordsOf: (token) => texts?.get(token) })
}

const weiOf = (text: string | undefined) => (text === undefined ? undefined : BigInt(text))

/** How many venues are in each state, if any is on trial. */
function venuesMeta({ venues }: Need['market']) {
  const counts = new Map<string, number>()
  for (const { state } of venues?.() ?? []) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts.size === 0 ? {} : { venues: Object.fromEntries(counts) }
}

/**
 * For how many more blocks the API still answers from this state: a state older
 * than the limit is refused. Quotes of sampled pools are valid for one block.
 */
function holdsBlocks(
  { isSampled }: QuoteAnswer,
  { maxStateAgeMs, chain }: Pick<AppConfig, 'maxStateAgeMs' | 'chain'>,
): bigint {
  if (isSampled) return 1n
  return BigInt(Math.max(1, Math.floor(maxStateAgeMs / chain.blocks[0]!.everyMs)))
}

/** The search; with `includeNearest`, the error of an unfilled order says what is nearest to it. */
export async function withNearestFill<T>(
  asked: {
    readonly includeNearest?: boolean | undefined
    readonly graph: Graph
    readonly order: PartialOrder
    readonly options: QuoteOptions
  },
  need: Pick<Need, 'tokens' | 'market'> & { readonly asker: Asker },
  find: () => Promise<T>,
): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (!isUnfilled(error)) throw error
    const { graph, order, options } = asked
    const isAsked = asked.includeNearest && error.code !== 'ROUTE_UNTRUSTED'
    const search = { name: 'nearest', asked: order, options } as const
    const nearest = isAsked ? (await need.asker.search(graph, search)).value : undefined
    const discovery = need.market.discovery?.()
    const { snapshot } = graph
    throw await inWords(error, order, {
      tokens: need.tokens,
      nearest,
      snapshot,
      options,
      discovery,
    })
  }
}

/** Records the gap of an answer to its bound, and counts answers above their own bound. */
export function observeGap({ metrics }: Pick<Need, 'metrics'>, answer: QuoteAnswer): void {
  const gap = gapOf(answer)
  if (gap?.gapBps === null) metrics.boundExceeded.inc()
  else if (gap) metrics.gapBps.observe(gap.gapBps)
}
