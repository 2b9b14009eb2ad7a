import { findFlaws, readHeader, type TokenFlaw } from '@braid-swap/chain'
import { type Address, NATIVE, type Order, type Route } from '@braid-swap/core'
import { ApiError } from '../errors.js'
import type { Need } from '../need.js'
import { type Suspensions, suspendedPools } from '../quoting/suspensions.js'
import { executorOf } from './executor.js'
import { type Fault, findFault } from './faultyHop.js'

/** Faults that one key may have looked for: each costs the node some six requests. */
const SEARCHES = { rate: 0.2, burst: 10 }

/** True for the error of a swap that the node says would revert. */
export function isWouldRevert(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    (error.code === 'SWAP_WOULD_REVERT' || error.code === 'SIMULATION_REVERTED')
  )
}

/**
 * Suspends the pools at which a swap fails, and the tokens of its route that no longer move as pools assume: of a
 * route that passes several bad tokens, all are known at once. Has the venues of its pools asked. Returns the fault, or
 * `undefined` if no pool is to blame or the node does not tell.
 *
 * Swaps that fail at the same time share a search: one that waited for another's, and has a pool that is suspended by
 * now, needs none of its own.
 */
export async function learnFrom(
  need: Need,
  swap: { readonly order: Order; readonly route: Route },
  bucket: string,
): Promise<Fault | 'known' | undefined> {
  const { suspensions } = need
  await searching.get(suspensions)
  if (isSuspended(need, swap.route)) return 'known'
  const search = searchFault(need, swap, bucket)
  const ended = search.then(
    () => {},
    () => {},
  )
  searching.set(suspensions, ended)
  return search
}

/** The search under way, by what it fills. */
const searching = new WeakMap<Suspensions, Promise<void>>()

function isSuspended({ suspensions }: Need, route: Route): boolean {
  const pools = route.map(({ pool }) => pool)
  return suspendedPools({ pools }, suspensions).length > 0
}

async function searchFault(
  need: Need,
  swap: { readonly order: Order; readonly route: Route },
  bucket: string,
): Promise<Fault | undefined> {
  const { limiter, suspensions, metrics, market } = need
  if (!(await limiter.take(`${bucket} faults`, 1, SEARCHES)).isAllowed) return undefined
  market.doubt?.(swap.route.map(({ pool }) => pool.id))
  try {
    const fault = await need.askNode(() => findFault(need, swap), need.config.maxRequestMs)
    metrics.revertedSwaps.inc({ blamed: fault ? 'pool' : 'none' })
    if (!fault) return undefined
    for (const { pool } of fault.hops) suspensions.suspend(pool.id, { reason: fault.reason })
    for (const flaw of await flawsOf(need, swap.route)) {
      suspensions.suspend(flaw.address, { reason: flaw.message, flaw })
    }
    return fault
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    metrics.revertedSwaps.inc({ blamed: 'unknown' })
    return undefined
  }
}

/** The tokens of a route that fail the transfer test now. */
async function flawsOf(
  { client, askNode, config, market, routerCode }: Need,
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
