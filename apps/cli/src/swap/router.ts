import { type Client, routerOf } from '@braid-swap/chain'
import { type VerifiedRouter, verifyRouter } from '@braid-swap/client'
import { executorFor, knownExecutors } from '@braid-swap/contracts'
import { type Address, NATIVE, type Route } from '@braid-swap/core'
import { UsageError } from '../errors.js'
import { ownChain } from '../ownChain.js'
import { readAddress } from './slippage.js'

// The router never comes from an API. It is named on the command line, published with this code, or
// at the deterministic address of its code. The node confirms that its code is there.

/** The router that a swap must go to, and the source of its address. */
export type KnownRouter = VerifiedRouter & {
  readonly source: 'named' | 'published' | 'deterministic'
}

/**
 * The router of `--router`, else the published one, else its deterministic address for the wrapped
 * token, that of the own chain unless another is given. Does not check that its code is there.
 */
export function knownRouter(
  named: string | undefined,
  wrappedNative = ownChain().wrapped.address,
): KnownRouter {
  const withExecutors = (router: Address, source: KnownRouter['source']): KnownRouter => {
    const executors = knownExecutors(router, wrappedNative).map(({ address }) => address)
    return { router, executors, source }
  }
  if (named !== undefined) return withExecutors(readAddress('--router', named), 'named')
  const { router, source } = routerOf(ownChain().id, wrappedNative)
  return withExecutors(router, source)
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
export async function requireRouter(client: Client, known: KnownRouter): Promise<KnownRouter> {
  const { router } = known
  const wrappedNative = ownChain().wrapped.address
  const executors = knownExecutors(router, wrappedNative)
  return { ...known, ...(await verifyRouter(client, { router, executors, wrappedNative })) }
}
