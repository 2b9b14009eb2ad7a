/** The market state that an answer is made from, and what must be well before there is any. */
import { ApiError } from '../errors.js'
import type { MarketState } from '../market/liveMarket.js'
import type { StateRef } from '../market/recentStates.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { ENGINE_VERSION } from '../wire/quoteId.js'

/** A market state that is young enough for its request, with its age in milliseconds. */
export type FreshState = MarketState & { readonly ageMs: number }

/** Answers about the state of this process need these. */
export type StateNeed = Pick<
  Need,
  'market' | 'config' | 'recentStates' | 'ageMsOf' | 'routerCode' | 'nodeChain'
>

/** The state that a request asks for: the newest with an age limit, or an earlier one by name. */
export type StateWish = StateRef & { readonly maxStateAgeMs?: bigint | undefined }

/**
 * The market state that a request is answered from; sets the headers that name it. Throws NOT_READY,
 * WRONG_CHAIN, STATE_STALE if it is too old or the nodes disagree on the newest block, and
 * STATE_NOT_RETAINED for an earlier state that is not retained.
 */
export function freshState(
  ctx: Pick<ApiContext, 'set'>,
  need: StateNeed,
  wish: StateWish = {},
): FreshState {
  const { market, config, recentStates } = need
  requireOurChain(need)
  const newest = market.current()
  if (newest) recentStates.remember(newest)
  const isPinned = wish.block !== undefined || wish.snapshotId !== undefined
  const mostMs = isPinned ? Number.POSITIVE_INFINITY : config.maxStateAgeMs
  const limitMs = Math.min(mostMs, Number(wish.maxStateAgeMs ?? mostMs))
  const state = withAge(need, isPinned ? retained(need, wish) : newest, limitMs)
  const { block } = state.graph.snapshot
  ctx.set({
    'x-block-number': `${block.number}`,
    'x-block-hash': block.hash,
    'x-state-age-ms': `${state.ageMs}`,
    'x-engine-version': ENGINE_VERSION,
  })
  return state
}

/** Throws for a state as {@link freshState} does for the newest one; for streams. */
export function requireFresh(need: StateNeed, state: MarketState | null): FreshState {
  requireOurChain(need)
  return withAge(need, state, need.config.maxStateAgeMs)
}

/** A state with its age. Throws NOT_READY, STATE_STALE. */
function withAge(need: StateNeed, state: MarketState | null, limitMs: number): FreshState {
  if (!state) throw new ApiError('NOT_READY', 'the market is still loading')
  const ageMs = need.ageMsOf(state)
  if (ageMs > limitMs) {
    const inS = (ms: number) => `${Math.round(ms / 100) / 10} s`
    const message = `the newest block is ${inS(ageMs)} old, the limit is ${inS(limitMs)}; ask again in a second, or see /readyz`
    const { timestamp } = state.graph.snapshot.block
    throw new ApiError('STATE_STALE', message, {
      details: { ageMs, limitMs, blockTimestamp: `${timestamp}` },
    })
  }
  const disagreement = need.market.disagreement?.()
  if (disagreement) {
    const { number, hashes } = disagreement
    const message =
      'the RPC nodes disagree on the newest block, so nothing is quoted; ask again in a second, or see /readyz'
    throw new ApiError('STATE_STALE', message, {
      details: { ageMs, blockNumber: `${number}`, blockHashes: hashes.join(' ') },
    })
  }
  return { ageMs, ...state }
}

/** Throws WRONG_CHAIN while the node serves another chain. */
function requireOurChain({ nodeChain }: StateNeed): void {
  const fault = nodeChain?.fault()
  if (fault === undefined) return
  throw new ApiError('WRONG_CHAIN', `the RPC node behind this API serves ${fault}`)
}

/** Throws MARKET_RECORDED for what only a node knows, if the market is from a file. */
export function refuseRecorded({ recorded }: Need['market']): void {
  if (!recorded) return
  const message =
    'the market is recorded: quotes are answered, but there is no chain to send to; start the API with BRAID_RPC_URLS instead of BRAID_MARKET for swaps, approvals and wallets'
  throw new ApiError('MARKET_RECORDED', message)
}

/**
 * Throws ROUTER_UNCONFIRMED unless the code of the router is confirmed: a signed call to another
 * contract would lose the funds. Throws MARKET_RECORDED too.
 */
export function requireRouter({ market, routerCode, config }: StateNeed): void {
  refuseRecorded(market)
  const fault = routerCode.fault()
  if (fault === undefined) return
  const message = 'the code of the router is not confirmed, so no transaction is returned'
  throw new ApiError('ROUTER_UNCONFIRMED', message, {
    details: { router: config.router, fault },
  })
}

function retained({ recentStates }: StateNeed, { block, snapshotId }: StateRef): MarketState {
  const state = recentStates.find({ block, snapshotId })
  if (state) return state
  const blocks = recentStates.blocks()
  const wanted = snapshotId ?? `block ${block}`
  const message = `the state of ${wanted} is not retained: only states of recent blocks are`
  throw new ApiError('STATE_NOT_RETAINED', message, {
    details: { oldest: `${blocks[0] ?? ''}`, newest: `${blocks.at(-1) ?? ''}` },
  })
}
