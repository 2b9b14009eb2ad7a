import type { Client } from '@braid-swap/chain'
import { type VerifiedRouter, verifyRouter } from '@braid-swap/client'
import { deployments, executorOf, routerDeployment } from '@braid-swap/contracts'
import type { Address } from '@braid-swap/core'

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
  if (named !== undefined) return withExecutor(readAddress('--router', named), 'named')
  const published: Readonly<Record<string, { readonly router: Address } | undefined>> = deployments
  const router = published[CHAIN_ID]?.router
  return router
    ? withExecutor(router, 'published')
    : withExecutor(routerDeployment(wrappedNative).router, 'deterministic')
}

function withExecutor(router: Address, source: KnownRouter['source']): KnownRouter {
  return { router, executor: executorOf(router), source }
}

/**
 * Checks on the node that the code of the router and its executor is ours. Runs before anything is
 * approved or sent. Throws ROUTER_UNVERIFIED, RPC_FAILED.
 */
export async function requireRouter(
  client: Client,
  { router }: KnownRouter,
  wrappedNative: Address,
): Promise<void> {
  await callNode(() => verifyRouter(client, { router, wrappedNative }))
}
