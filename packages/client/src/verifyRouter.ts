import {
  checkDeployment,
  type KnownExecutor,
  type NodeRequests,
  shippedRouter,
} from '@braid-swap/contracts'
import { type Address, BaseError } from '@braid-swap/core'
import { nodeFailed, requireFields } from '@braid-swap/core/advanced'

// An address without code takes native tokens and keeps them, and a call of it succeeds. So before
// anything is approved or sent, a node of the caller's own choice is asked for the code.

/** A router whose code is the published one, and the executors that its calls may name, newest first. */
export type VerifiedRouter = {
  readonly router: Address
  readonly executors: readonly Address[]
}

/**
 * Compares the code of the router and its executors on a chain with what is published, and gives the
 * addresses of those that are there. Call it before you approve or send anything, through a node that the API does not choose.
 * Throws ROUTER_UNVERIFIED, RPC_FAILED or BAD_OPTIONS.
 *
 * @example const known = await verifyRouter(publicClient)
 */
export async function verifyRouter(
  node: NodeRequests,
  expected: {
    /** The router you know; when absent, the shipped one, where its deployment puts it. */
    readonly router?: Address | undefined
    /** The executors you know, as `knownExecutors` of contracts gives them; those of the shipped router when absent. */
    readonly executors?: readonly KnownExecutor[] | undefined
    /** That of the shipped router by default. */
    readonly wrappedNative?: Address
  } = {},
): Promise<VerifiedRouter> {
  requireFields('node', node, ['request'])
  const { wrappedNative = shippedRouter.wrappedNative } = expected
  const router = (expected.router ?? shippedRouter.router).toLowerCase() as Address
  const shipped = router === shippedRouter.router ? shippedRouter.executors : []
  const wanted = { router, wrappedNative, executors: expected.executors ?? shipped }
  const report = await checkDeployment(node, wanted).catch((thrown: unknown) => {
    throw nodeFailed(thrown)
  })
  if (report.faults.length > 0) throw new RouterUnverifiedError(router, report.faults)
  return { router, executors: report.executors.map(({ address }) => address) }
}

/** The code at the router's address is not the router: nothing may be approved or sent to it. */
export class RouterUnverifiedError extends BaseError {
  readonly code = 'ROUTER_UNVERIFIED'

  constructor(router: Address, faults: readonly string[]) {
    super('the chain does not have our router there: nothing may be approved or sent to it', {
      ...{ router, got: faults.join(', ') },
      wanted: 'the published code of the router and its executors',
    })
  }
}
