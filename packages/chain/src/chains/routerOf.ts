// Where the router of a chain is, unless an operator names another.

import { deployments, routerDeployment } from '@braid-swap/contracts'
import type { Address } from '@braid-swap/core'

/** The router that is published for a chain, else where its deployment puts it; code may not be there yet. */
export function routerOf(
  chainId: number,
  wrappedNative: Address,
): { readonly router: Address; readonly source: 'published' | 'deterministic' } {
  const published: Readonly<Record<string, { readonly router: Address } | undefined>> = deployments
  const router = published[chainId]?.router
  return router
    ? { router, source: 'published' }
    : { router: routerDeployment(wrappedNative).router, source: 'deterministic' }
}
