import { findFlaws, readHeader, type TokenFlaw } from '@braid-swap/chain'
import { executorOf } from '@braid-swap/contracts'
import type { Address, Order, Route } from '@braid-swap/core'
import type { Services } from '../context.js'
import { ApiError } from '../errors.js'
import { callNode } from '../node/callNode.js'
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
 * Suspends the pools at which a swap fails, and their tokens that no longer move as pools assume, and has the venues of
 * its pools asked. Returns the fault, or `undefined` if no pool is to blame or the node does not tell.
 */
export async function learnFrom(
  services: Services,
  swap: { readonly order: Order; readonly route: Route },
  bucket: string,
): Promise<Fault | undefined> {
  const { limiter, suspensions, metrics, market } = services
  if (!(await limiter.take(`${bucket} faults`, 1, SEARCHES)).isAllowed) return undefined
  market.doubt?.(swap.route.map(({ pool }) => pool.id))
  try {
    const fault = await callNode(() => findFault(services, swap), services.config.maxRequestMs)
    metrics.revertedSwaps.inc({ blamed: fault ? 'pool' : 'none' })
    if (!fault) return undefined
    for (const { pool } of fault.hops) suspensions.suspend(pool.id, { reason: fault.reason })
    for (const flaw of await flawsOf(services, fault)) {
      suspensions.suspend(flaw.address, { reason: flaw.message, flaw })
    }
    return fault
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    metrics.revertedSwaps.inc({ blamed: 'unknown' })
    return undefined
  }
}

/** The tokens of blamed hops that fail the transfer test now. */
async function flawsOf(
  { client, config, market }: Services,
  { hops }: Fault,
): Promise<readonly TokenFlaw[]> {
  const tokens = new Set<Address>(hops.flatMap(({ pool }) => pool.tokens))
  tokens.delete(config.wrappedNative)
  const pools = market.current()?.graph.snapshot.pools ?? []
  return callNode(async () => {
    const header = await readHeader(client, 'latest')
    const counterparty = executorOf(config.router)
    return findFlaws(client, [...tokens], { pools, header, counterparty })
  }, config.nodeTimeoutMs)
}

/** The refusal of a swap that reverts, with the pool and the tokens at which it does, if they are known. */
export function withFault(error: ApiError, fault: Fault | undefined): ApiError {
  if (!fault) return error
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
