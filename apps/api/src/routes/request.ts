import type { Address, Snapshot } from '@braid-swap/core'
import type { z } from 'zod'
import { ApiError, messageOf } from '../errors.js'
import type { Discovery, MarketState } from '../market/liveMarket.js'
import { hasPools } from '../market/marketPools.js'
import type { StateRef } from '../market/recentStates.js'
import { ageMsOf } from '../market/stateAge.js'
import { chargeLookups } from '../middleware/limit.js'
import type { ApiContext } from '../middleware/state.js'
import type { Services } from '../services/services.js'
import { decimalsOf } from '../tokens/decimals.js'
import { withoutKeys } from '../wire/errorBody.js'
import { ENGINE_VERSION } from '../wire/quoteId.js'
import { readParameters } from '../wire/readParameters.js'

const CHAIN_ID_PATTERN = '^(0|-?[1-9][0-9]*)$'

/** Throws INVALID_CHAIN_ID or CHAIN_NOT_SUPPORTED unless the path has the chain id of this API. */
export function requireChain(ctx: ApiContext, { config }: Services): void {
  const received: string = ctx['params'].chainId
  const issue = (code: string, message: string, expected: string) => ({
    issues: [
      {
        in: 'path' as const,
        path: 'chainId',
        code,
        message,
        received: received.slice(0, 100),
        expected,
      },
    ],
  })
  if (!new RegExp(CHAIN_ID_PATTERN).test(received)) {
    const code = 'INVALID_CHAIN_ID'
    const rule = issue(code, 'must be an integer', CHAIN_ID_PATTERN)
    throw new ApiError(code, messageOf(rule.issues), rule)
  }
  if (received !== `${config.chainId}`) {
    const code = 'CHAIN_NOT_SUPPORTED'
    throw new ApiError(code, `chain ${received.slice(0, 100)} is not supported`, {
      ...issue(code, 'must be a supported chain', `${config.chainId}`),
      details: { supported: `${config.chainId}` },
    })
  }
}

/** The query parameters. Reports unknown names in `x-ignored-params`. */
export function readQuery<S extends z.ZodObject>(ctx: ApiContext, schema: S): z.output<S> {
  const { values, ignored } = readParameters(schema, ctx.query, 'query')
  if (ignored.length > 0) {
    const names = ignored.slice(0, 20).map(toShown)
    ctx.set('x-ignored-params', names.join(', '))
  }
  return values
}

function toShown(name: string): string {
  // Cut by code points: half of a surrogate pair cannot be encoded.
  return encodeURIComponent([...withoutKeys(name)].slice(0, 40).join(''))
}

/** Answers about the state of this process need these. */
export type StateServices = Pick<
  Services,
  'market' | 'config' | 'recentStates' | 'clock' | 'chainClock' | 'routerCode' | 'nodeChain'
>

/** The state that a request asks for: the newest with an age limit, or an earlier one by name. */
export type StateWish = StateRef & { readonly maxStateAgeMs?: bigint | undefined }

/**
 * The market state that a request is answered from; sets the headers that name it. Throws NOT_READY,
 * WRONG_CHAIN, STATE_STALE if it is too old or the nodes disagree on the newest block, and
 * STATE_NOT_RETAINED for an earlier state that is not retained.
 */
export function freshState(
  ctx: ApiContext,
  services: StateServices,
  wish: StateWish = {},
): MarketState & { readonly ageMs: number } {
  const state = findState(services, wish)
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
export function requireFresh(
  services: StateServices,
  state: MarketState | null,
): MarketState & { readonly ageMs: number } {
  requireOurChain(services)
  return withAge(services, state, services.config.maxStateAgeMs)
}

function findState(
  services: StateServices,
  wish: StateWish,
): MarketState & { readonly ageMs: number } {
  const { market, config, recentStates } = services
  requireOurChain(services)
  const newest = market.current()
  if (newest) recentStates.remember(newest)
  const isPinned = wish.block !== undefined || wish.snapshotId !== undefined
  const state = isPinned ? retained(services, wish) : newest
  const mostMs = isPinned ? Number.POSITIVE_INFINITY : config.maxStateAgeMs
  return withAge(services, state, Math.min(mostMs, Number(wish.maxStateAgeMs ?? mostMs)))
}

/** A state with its age. Throws NOT_READY, STATE_STALE. */
function withAge(
  services: StateServices,
  state: MarketState | null,
  limitMs: number,
): MarketState & { readonly ageMs: number } {
  if (!state) throw new ApiError('NOT_READY', 'the market is still loading')
  const ageMs = ageMsOf(state, services)
  if (ageMs > limitMs) {
    const inS = (ms: number) => `${Math.round(ms / 100) / 10} s`
    const message = `the newest block is ${inS(ageMs)} old, the limit is ${inS(limitMs)}; ask again in a second, or see /readyz`
    const { timestamp } = state.graph.snapshot.block
    throw new ApiError('STATE_STALE', message, {
      details: { ageMs, limitMs, blockTimestamp: `${timestamp}` },
    })
  }
  const disagreement = services.market.disagreement?.()
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
function requireOurChain({ nodeChain }: StateServices): void {
  const fault = nodeChain?.fault()
  if (fault === undefined) return
  throw new ApiError('WRONG_CHAIN', `the RPC node behind this API serves ${fault}`)
}

/**
 * Throws NO_POOLS if the market has no pool, because a wrong list of venues must not look like a
 * missing route.
 */
export function requirePools({ market }: StateServices, { graph }: MarketState): void {
  if (hasPools(graph.snapshot)) return
  const search = market.discovery?.()
  throw new ApiError('NO_POOLS', whyNoPools(search), {
    details: search ? { venues: search.venues, poolsFound: search.poolsFound } : {},
  })
}

function whyNoPools(search: Discovery | undefined): string {
  if (search && search.poolsFound > 0) {
    return 'no pool is in answers: venues are on trial or tokens are refused; /readyz has the states'
  }
  return search && !search.isDone
    ? 'no pool has been found yet; the search continues'
    : 'no configured venue has a pool on this chain; check BRAID_VENUES'
}

/**
 * Throws ROUTER_UNCONFIRMED unless the code of the router is confirmed. A signed call to another
 * contract would lose the funds.
 */
export function requireRouter({ routerCode, config }: StateServices): void {
  const fault = routerCode.fault()
  if (fault === undefined) return
  const message = 'the code of the router is not confirmed, so no transaction is returned'
  throw new ApiError('ROUTER_UNCONFIRMED', message, {
    details: { router: config.router, fault },
  })
}

function retained({ recentStates }: StateServices, { block, snapshotId }: StateRef): MarketState {
  const state = recentStates.find({ block, snapshotId })
  if (state) return state
  const blocks = recentStates.blocks()
  const wanted = snapshotId ?? `block ${block}`
  const message = `the state of ${wanted} is not retained: only states of recent blocks are`
  throw new ApiError('STATE_NOT_RETAINED', message, {
    details: { oldest: `${blocks[0] ?? ''}`, newest: `${blocks.at(-1) ?? ''}` },
  })
}

/**
 * Throws TOKEN_NOT_FOUND with every parameter whose address is a token neither in the market nor on
 * chain, and TOKEN_UNSUPPORTED for a token that the operator's list marks as unsupported. The key of the request, if
 * there is one, is charged for what the node must be asked.
 */
export async function requireTokens(
  services: Services,
  snapshot: Snapshot,
  named: Readonly<Record<string, Address>>,
  ctx?: ApiContext,
): Promise<void> {
  const { tokens, config } = services
  for (const [path, address] of Object.entries(named)) {
    const reason = config.tokenList.get(address)?.unsupported
    if (reason === undefined) continue
    const message = `${path} is a token that this API does not trade: ${reason}`
    throw new ApiError('TOKEN_UNSUPPORTED', message, { details: { token: address, reason } })
  }
  const unknown = Object.entries(named).filter(
    ([, address]) => decimalsOf(snapshot, address) === undefined,
  )
  if (unknown.length === 0) return
  const asked = unknown.map(([, address]) => address)
  const lookups = asked.filter((address) => !tokens.isKnown(address)).length
  if (ctx && lookups > 0) await chargeLookups(ctx, services, lookups)
  const found = await tokens.read(asked)
  const absent = unknown.filter(([, address]) => !found.has(address))
  if (absent.length === 0) return
  const code = 'TOKEN_NOT_FOUND'
  const issues = absent.map(([path, received]) => ({
    ...{ in: 'query' as const, path, code, received },
    message: 'must be a token: this address does not answer decimals()',
    expected: 'a contract with decimals()',
  }))
  throw new ApiError(code, messageOf(issues), { issues })
}

/**
 * {@link requireTokens} for tokens to trade. Also throws TOKEN_UNSUPPORTED for tokens that failed the
 * transfer test (fee, rebasing or stuck), and NO_POOLS if the market has no pool.
 */
export async function requireTradable(
  services: Services,
  state: MarketState,
  named: Readonly<Record<string, Address>>,
  ctx?: ApiContext,
): Promise<void> {
  requirePools(services, state)
  const { graph, flawed = [] } = state
  await requireTokens(services, graph.snapshot, named, ctx)
  const suspended = [...services.suspensions.current().values()].flatMap(({ flaw }) => flaw ?? [])
  const flaws = new Map([...flawed, ...suspended].map((flaw) => [flaw.address, flaw]))
  const issues = Object.entries(named).flatMap(([path, received]) => {
    const flaw = flaws.get(received)
    const expected = 'a token that delivers exactly the amount sent'
    return flaw
      ? [{ in: 'query' as const, path, code: flaw.code, message: flaw.message, received, expected }]
      : []
  })
  if (issues.length === 0) return
  const message = issues.map((issue) => issue.message).join('; ')
  throw new ApiError('TOKEN_UNSUPPORTED', message, { issues })
}
