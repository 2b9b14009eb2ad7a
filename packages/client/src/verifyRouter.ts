import { checkDeployment, type KnownExecutor } from '@braid-swap/contracts'
import { type Address, BaseError } from '@braid-swap/core'
import { requireFields } from '@braid-swap/core/advanced'
import { createClient, custom } from 'viem'
import { WHYPE } from './verifySwap.js'

// An address without code takes native tokens and keeps them, and a call of it succeeds. So before
// anything is approved or sent, a node of the caller's own choice is asked for the code.

/** A node as wallets and libraries offer it (EIP-1193): viem's clients and `window.ethereum` are such. */
export type NodeRequests = {
  // biome-ignore lint/suspicious/noExplicitAny: the types of methods differ between libraries.
  readonly request: (...args: any) => Promise<any>
}

/** A router whose code is the published one, and the executors that its calls may name, newest first. */
export type VerifiedRouter = {
  readonly router: Address
  readonly executors: readonly Address[]
}

/**
 * Compares the code of the router and its executors on a chain with what is published, and gives the
 * addresses of those that are there. Call it before you approve or send anything, through a node that the API does not choose.
 * Throws ROUTER_UNVERIFIED, BAD_OPTIONS, or what the node throws.
 *
 * @example const known = await verifyRouter(publicClient)
 */
export async function verifyRouter(
  node: NodeRequests,
  expected: {
    /** The router you know; the address it has by its deployment when absent. */
    readonly router?: Address | undefined
    /** The executors you know; those that this package ships when absent. */
    readonly executors?: readonly KnownExecutor[] | undefined
    /** WHYPE by default. */
    readonly wrappedNative?: Address
  } = {},
): Promise<VerifiedRouter> {
  requireFields('node', node, ['request'])
  const client = createClient({ transport: custom(node) })
  const { wrappedNative = WHYPE } = expected
  const { router, executors, faults } = await checkDeployment(client, wrappedNative, expected)
  if (faults.length > 0) throw new RouterUnverifiedError(router, faults)
  return { router, executors: executors.map(({ address }) => address) }
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
