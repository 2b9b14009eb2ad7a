import type { Client } from '@braid-swap/chain'
import { type VerifiedRouter, verifyRouter } from '@braid-swap/client'
import { deployments, executorFor, knownExecutors, routerDeployment } from '@braid-swap/contracts'
import { type Address, NATIVE, type Route } from '@braid-swap/core'
import { UsageError } from '../errors.js'
import { callNode } from '../sources/node.js'
import { readAddress } from './slippage.js'

// The router never comes from an API. It is named on the command line, published with this code, or
// at the deterministic address of its code. The node confirms that its code is there.

const CHAIN_ID = 999

/** The router that a swap must go to, and the source of its address. */
export type KnownRouter = VerifiedRouter & {
  readonly source: 'named' | 'published' | 'deterministic'
}

/**
 * The router of `--router`, else the published one, else its deterministic address for the wrapped
 * token. Does not check that its code is there.
 */
export function knownRouter(named: string | undefined, wrappedNative: Address): KnownRouter {
  const withExecutors = (router: Address, source: KnownRouter['source']): KnownRouter => {
    const executors = knownExecutors(router, wrappedNative).map(({ address }) => address)
    return { router, executors, source }
  }
  if (named !== undefined) return withExecutors(readAddress('--router', named), 'named')
  const published: Readonly<Record<string, { readonly router: Address } | undefined>> = deployments
  const router = published[CHAIN_ID]?.router
  return router
    ? withExecutors(router, 'published')
    : withExecutors(routerDeployment(wrappedNative).router, 'deterministic')
}

/** The newest of the router's executors that knows all families of the route. */
export function executorOf(
  { router, executors }: KnownRouter,
  route: Route,
  wrappedNative: Address,
): Address {
  const deployed = knownExecutors(router, wrappedNative).filter(({ address }) =>
    executors.includes(address),
  )
  const swaps = route.filter(({ pool }) => !pool.tokens.includes(NATIVE))
  const families = swaps.map(({ pool }) => pool.family)
  const found = executorFor(deployed, families)
  if (found) return found.address
  throw new UsageError('no deployed executor of the router can perform this route', {
    ...{ got: families.join(', '), wanted: `families of ${executors.join(', ')}` },
  })
}

/**
 * The router with those of its executors that are deployed, after the node has said that their code is
 * ours. Runs before anything is approved or sent. Throws ROUTER_UNVERIFIED, RPC_FAILED.
 */
export async function requireRouter(
  client: Client,
  known: KnownRouter,
  wrappedNative: Address,
): Promise<KnownRouter> {
  const { router } = known
  return { ...known, ...(await callNode(() => verifyRouter(client, { router, wrappedNative }))) }
}
