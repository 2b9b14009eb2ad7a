// A swap that would revert leads the court to the pools of its route. What it finds is left out, within bounds; the order
// itself does without them in any case.

import { type Blame, findBlame, findFlaws, readHeader } from '@braid-swap/chain'
import { type Address, BaseError, type Hex, NATIVE, type Pool } from '@braid-swap/core'
import { depthsOfPools } from '@braid-swap/core/advanced'
import { ApiError } from '../errors.js'
import type { MarketState } from '../market/liveMarket.js'
import type { Need } from '../need.js'
import type { Fault, LearnFrom, RevertingSwap } from '../quoting/fault.js'
import { executorOf } from './executor.js'

/** Faults that one key may have looked for: each costs the node some six requests. */
const SEARCHES = { rate: 0.2, burst: 10 }

/** True for the error of a swap that the node says would revert. */
export function isWouldRevert(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    (error.code === 'SWAP_WOULD_REVERT' || error.code === 'SIMULATION_REVERTED')
  )
}

type Parts = Omit<Need, 'learnFrom' | 'wallets' | 'sampler'>

/**
 * Learns from swaps that would revert. Those that fail at the same time share a search: one that waited for another's,
 * and has a pool that is known by now, needs none of its own.
 */
export function createLearning(need: Parts): LearnFrom {
  let searching: Promise<unknown> | undefined
  return async (swap, id) => {
    await searching
    const known = knownOf(need, swap)
    if (known) return known
    const search = searchFault(need, swap, id)
    searching = search.catch(() => {})
    return search
  }
}

/** The pools of a route against which a verdict stands, be it only told. */
function knownOf({ ledger }: Parts, { route }: RevertingSwap): Fault | undefined {
  const current = ledger.current()
  const verdictOf = ({ id, tokens }: Pool) =>
    [id, ...tokens].flatMap((subject) => current.get(subject) ?? [])[0]
  const pools = route.map(({ pool }) => pool).filter(({ family }) => family !== 'wrap')
  const out = pools.filter((pool) => verdictOf(pool))
  return out.length > 0 ? { pools: out, reason: verdictOf(out[0]!)!.reason } : undefined
}

async function searchFault(
  need: Parts,
  swap: RevertingSwap,
  id: string,
): Promise<Fault | undefined> {
  const { limiter, metrics, market, config, client, trusted } = need
  const state = market.current()
  if (!state || !(await limiter.take(`${id} faults`, 1, SEARCHES)).isAllowed) return undefined
  // Known from the pools, even if the node does not answer what is asked of the tokens.
  let fault: Fault | undefined
  try {
    const { snapshot } = state.graph
    const terms = {
      ...swap,
      router: config.router,
      executor: executorOf(need, swap.route),
      trusted,
    }
    const blame = await need.askNode(
      () => findBlame(client, { snapshot }, terms),
      config.maxRequestMs,
    )
    const { culprits, strange } = blame
    if (culprits.length > 0) {
      fault = { pools: culprits.map(({ pool }) => pool), reason: culprits[0]!.reason }
      await convict(need, swap, { culprits, by: id })
    } else if (strange.length > 0) {
      fault = { pools: strange, reason: 'each pool pays by itself; a token of these is on no list' }
    }
    metrics.estimates.inc({ outcome: culprits.length > 0 ? 'blamed_pool' : 'blamed_none' })
  } catch (error) {
    // Of the API or of the chain: a node that does not tell is no fault of ours.
    if (!(error instanceof BaseError)) throw error
    metrics.estimates.inc({ outcome: 'blamed_unknown' })
  }
  return fault
}

/** Puts pools into the ledger, and the tokens of the route that fail the transfer test now; has their venues asked. */
async function convict(
  need: Parts,
  { route }: RevertingSwap,
  { culprits, by }: Pick<Blame, 'culprits'> & { readonly by: string },
): Promise<void> {
  const { client, askNode, config, market, ledger } = need
  const { graph } = market.current()!
  const { pools } = graph.snapshot
  market.doubt?.(culprits.map(({ pool }) => pool.id))
  const depths = depthsOfPools(graph)
  const all = [...depths.values()].reduce((sum, depth) => sum + depth, 0)
  const partOf = (isOut: (pool: Pool) => boolean) =>
    pools.filter(isOut).reduce((sum, { id }) => sum + (depths.get(id) ?? 0), 0) / (all || 1)
  const decide = (subject: Hex, why: Omit<Parameters<typeof ledger.decide>[0], 'subject' | 'by'>) =>
    ledger.decide({ subject, by, ...why })
  for (const { pool, reason } of culprits) {
    decide(pool.id, { reason, depth: partOf(({ id }) => id === pool.id) })
  }
  const tokens = new Set<Address>(route.flatMap(({ pool }) => pool.tokens))
  tokens.delete(config.wrappedNative)
  tokens.delete(NATIVE)
  const flaws = await askNode(async () => {
    const header = await readHeader(client, 'latest')
    const counterparty = executorOf(need, route)
    return findFlaws(client, [...tokens], { pools, header, counterparty })
  })
  for (const flaw of flaws) {
    const depth = partOf((pool) => pool.tokens.includes(flaw.address))
    decide(flaw.address, { reason: flaw.message, flaw, depth })
  }
}

/** The tokens that a route passes between the ends of its order. */
export function tokensBetween(
  { route, order: { tokenIn, tokenOut } }: RevertingSwap,
  wrappedNative: Address,
): readonly Address[] {
  const ends: ReadonlySet<Address> = new Set([tokenIn, tokenOut, NATIVE, wrappedNative])
  const tokens = new Set(route.flatMap(({ pool }) => pool.tokens))
  return [...tokens].filter((token) => !ends.has(token))
}

/**
 * The pools of tokens that a route passes between the ends of its order: of the thinnest such token, or of `all`. An order
 * may do without them where its swap fails and no pool is to blame, because a token may know that it is tested.
 */
export function poolsBetween(
  swap: RevertingSwap,
  {
    graph,
    wrappedNative,
    all,
  }: Pick<MarketState, 'graph'> & { readonly wrappedNative: Address; readonly all: boolean },
): readonly Hex[] {
  const { pools } = graph.snapshot
  const depths = depthsOfPools(graph)
  const of = (token: Address) => pools.filter(({ tokens }) => tokens.includes(token))
  const depthOf = (token: Address) =>
    of(token).reduce((sum, { id }) => sum + (depths.get(id) ?? 0), 0)
  const passed = tokensBetween(swap, wrappedNative)
  const thinnest = passed.toSorted((a, b) => depthOf(a) - depthOf(b))
  return thinnest.slice(0, all ? undefined : 1).flatMap((token) => of(token).map(({ id }) => id))
}

/** The refusal of a swap that reverts, with the pools and the tokens at which it may, if they are known. */
export function withFault(error: ApiError, fault: Fault | undefined): ApiError {
  if (!fault) return error
  const pools = fault.pools.map(({ id }) => id)
  const tokens = new Set(fault.pools.flatMap((pool) => pool.tokens))
  return new ApiError(error.code, `${error.message}; it fails at pool ${pools.join(', ')}`, {
    details: {
      ...error.details,
      ...{ pools: pools.join(' '), tokens: [...tokens].join(' '), failure: fault.reason },
    },
    cause: error,
  })
}
