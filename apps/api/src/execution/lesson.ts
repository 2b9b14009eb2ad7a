import { findFlaws, readHeader, type TokenFlaw } from '@braid-swap/chain'
import { type Address, NATIVE, type Route } from '@braid-swap/core'
import { ApiError } from '../errors.js'
import type { Need } from '../need.js'
import type { Fault, LearnFrom, Swap } from '../quoting/suspensions.js'
import { executorOf } from './executor.js'
import { findFault } from './faultyHop.js'

/** Faults that one key may have looked for: each costs the node some six requests. */
const SEARCHES = { rate: 0.2, burst: 10 }

/** True for the error of a swap that the node says would revert. */
export function isWouldRevert(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    (error.code === 'SWAP_WOULD_REVERT' || error.code === 'SIMULATION_REVERTED')
  )
}

type Parts = Omit<Need, 'learnFrom' | 'wallets'>

/**
 * Learns from swaps that would revert. Those that fail at the same time share a search: one that waited for
 * another's, and has a pool that is suspended by now, needs none of its own.
 */
export function createLearning(need: Parts): LearnFrom {
  let searching: Promise<unknown> | undefined
  return async (swap, id) => {
    await searching
    const pools = swap.route.map(({ pool }) => pool)
    if (need.suspensions.pools({ pools }).length > 0) return 'known'
    const search = searchFault(need, swap, id)
    searching = search.catch(() => {})
    return search
  }
}

async function searchFault(need: Parts, swap: Swap, id: string): Promise<Fault | undefined> {
  const { limiter, suspensions, metrics, market } = need
  if (!(await limiter.take(`${id} faults`, 1, SEARCHES)).isAllowed) return undefined
  market.doubt?.(swap.route.map(({ pool }) => pool.id))
  try {
    const fault = await need.askNode(() => findFault(need, swap), need.config.maxRequestMs)
    metrics.estimates.inc({ outcome: fault ? 'blamed_pool' : 'blamed_none' })
    if (!fault) return undefined
    for (const { pool } of fault.hops) suspensions.suspend(pool.id, { reason: fault.reason })
    for (const flaw of await flawsOf(need, swap.route)) {
      suspensions.suspend(flaw.address, { reason: flaw.message, flaw })
    }
    return fault
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    metrics.estimates.inc({ outcome: 'blamed_unknown' })
    return undefined
  }
}

/** The tokens of a route that fail the transfer test now. */
async function flawsOf(
  { client, askNode, config, market, routerCode }: Parts,
  route: Route,
): Promise<readonly TokenFlaw[]> {
  const tokens = new Set<Address>(route.flatMap(({ pool }) => pool.tokens))
  tokens.delete(config.wrappedNative)
  tokens.delete(NATIVE)
  const pools = market.current()?.graph.snapshot.pools ?? []
  return askNode(async () => {
    const header = await readHeader(client, 'latest')
    const counterparty = executorOf({ routerCode, config }, route)
    return findFlaws(client, [...tokens], { pools, header, counterparty })
  })
}

/** The refusal of a swap that reverts, with the pool and the tokens at which it does, if they are known. */
export function withFault(error: ApiError, fault: Fault | 'known' | undefined): ApiError {
  if (!fault || fault === 'known') return error
  const pools = fault.hops.map(({ pool }) => pool.id)
  const tokens = new Set(fault.hops.flatMap(({ pool }) => pool.tokens))
  return new ApiError(error.code, `${error.message}; it fails at pool ${pools.join(', ')}`, {
    details: {
      ...error.details,
      ...{ pools: pools.join(' '), tokens: [...tokens].join(' '), failure: fault.reason },
    },
    cause: error,
  })
}
