/** Who asks: in whose turn and on whose account an answer is found, and who is told of it. */
import type { Graph } from '@braid-swap/core'
import type { Limits } from '../keys/rateLimiter.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { CALLS_OF_SWAP, callsAMinute } from '../node/clients.js'
import type { Found, Search, SearchName } from '../search/searches.js'
import { limited } from './limit.js'

/** What a request may be charged for beside itself, and its name in a refusal. */
const CHARGES = {
  simulations: 'simulations',
  lookups: 'looking up tokens',
  calls: 'calls of the node',
} as const
type Charge = keyof typeof CHARGES

/** Who asks. */
export type Asker = {
  /** Whose part of the capacity is used, and who pays for calls of the node: see `CallerKey`. */
  readonly id: string
  /** Runs a search in the time that is left, and measures it in milliseconds. Throws its error. */
  readonly search: <N extends SearchName>(
    graph: Graph,
    search: Search<N>,
  ) => Promise<{ readonly value: Found<N>; readonly solveMs: number }>
  /**
   * Charges, from a bucket of its own, for simulations, for looking up tokens (which the node is called for too), or
   * for calls of the node, if the node's requests are limited. Throws RATE_LIMITED.
   */
  readonly charge: (what: Charge, count: number) => Promise<void>
  /** Charges for calls of the node if they can be paid for, or else returns the seconds until they can. */
  readonly afford: (calls: number) => Promise<number>
  /** Hears the id of the quote and how it was found, also if what comes after them fails. */
  readonly tell: (known: { readonly quoteId?: string; readonly mode?: 'exact' | 'sum' }) => void
}

/** An asker whose searches share the time of one request. */
export function createAsker(
  { search, config, metrics }: Pick<Need, 'search' | 'config' | 'metrics'>,
  asking: Omit<Asker, 'search'> & {
    /** Names the searches in the metrics. */
    readonly endpoint: string
    /** False once nobody waits for the answer. */
    readonly isWanted: () => boolean
    /** Hears the time of all searches so far, in milliseconds, after each. */
    readonly spend: (allMs: number) => void
  },
): Asker {
  const { endpoint, isWanted, spend, ...asker } = asking
  let allMs: number | undefined
  return {
    ...asker,
    search: async (graph, asked) => {
      const limitMs = Math.max(0, config.maxRequestMs - (allMs ?? 0))
      const terms = { limitMs, key: asker.id, isContinued: allMs !== undefined, isWanted }
      const outcome = await search(graph, asked, terms)
      allMs = (allMs ?? 0) + outcome.tookMs
      spend(allMs)
      if ('error' in outcome) throw outcome.error
      const solveMs = Math.round(outcome.tookMs * 100) / 100
      if (asked.name !== 'nearest') metrics.solveSeconds.observe({ endpoint }, solveMs / 1_000)
      return { value: outcome.value, solveMs }
    },
  }
}

/** Limits of looking up tokens that the market does not have, which asks the node. */
const LOOKUP_LIMITS: Limits = { rate: 2, burst: 20 }

/** The asker of a request: its key pays, and it is told in headers. */
export function askerOf(ctx: ApiContext, need: Need): Asker {
  const { state, res } = ctx
  const { id, bucket } = state.key!
  const { config, limiter } = need
  const takeFrom = (kind: Charge, count: number, limits: Limits) =>
    limiter.take(kind === 'calls' ? `${id} node` : `${bucket} ${kind}`, count, limits)
  const take = async (kind: Charge, count: number, limits: Limits | undefined) => {
    if (!limits) return
    const taken = await takeFrom(kind, count, limits)
    if (!taken.isAllowed) throw limited(ctx, { name: CHARGES[kind], limits, taken })
  }
  return createAsker(need, {
    id,
    endpoint: ctx.path.slice(ctx.path.lastIndexOf('/') + 1),
    isWanted: () => !(res.writableEnded || res.destroyed),
    spend: (allMs) => {
      state.solvedMs = allMs
      ctx.set('server-timing', `solve;dur=${Math.round(allMs * 100) / 100}`)
    },
    charge: async (what, count) => {
      if (what === 'simulations') return take(what, count, config.simulationLimits)
      if (what === 'lookups') await take(what, count, LOOKUP_LIMITS)
      return take('calls', count, callLimits(config))
    },
    afford: async (calls) => {
      const limits = callLimits(config)
      if (!limits) return 0
      const { isAllowed, retryAfterS } = await takeFrom('calls', calls, limits)
      return isAllowed ? 0 : retryAfterS
    },
    tell: ({ quoteId, mode }) => {
      if (mode !== undefined) ctx.set('x-quote-mode', mode)
      if (quoteId === undefined) return
      state.quoteId = quoteId
      ctx.set('x-quote-id', quoteId)
    },
  })
}

/** Calls of the node that a key may cause; at least those of a swap with `from` at once. */
function callLimits({ rpcRequestsPerMinute }: Need['config']): Limits | undefined {
  const calls = callsAMinute(rpcRequestsPerMinute)
  return calls && { rate: calls.ofKey / 60, burst: Math.max(CALLS_OF_SWAP, calls.ofKey) }
}
