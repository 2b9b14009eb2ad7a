import type { Client } from '@braid-swap/chain'
import { type VerifiedRouter, verifyRouter } from '@braid-swap/client'
import { deployments, executorOf, routerDeployment } from '@braid-swap/contracts'
import type { Address } from '@braid-swap/core'

import { askNode } from '../sources/node.js'
import { readAddress } from './slippage.js'

// Which router is known is never a question to an API: it is named on the command line, published
// with this code, or where its own code puts it. Whether it is there is a question to the node.

const CHAIN_ID = 999

/** The router that a swap must go to, and how it is known. */
export type KnownRouter = VerifiedRouter & {
  readonly source: 'named' | 'published' | 'deterministic'
}

/**
 * The router named by `--router`, else the published one, else the address it has wherever somebody
 * deployed it for that wrapped token. Nothing says yet that its code is there.
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
 * Asks the node whether the code at the router's address, and at its executor's, is ours: nothing is
 * approved or sent before. Throws ROUTER_UNVERIFIED, RPC_FAILED.
 */
export async function requireRouter(
  client: Client,
  { router }: KnownRouter,
  wrappedNative: Address,
): Promise<void> {
  await askNode(() => verifyRouter(client, { router, wrappedNative }))
}
