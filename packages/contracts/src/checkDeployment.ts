import { type Address, type Hex, keccak256, zeroAddress } from 'viem'
import { codeWith, ROUTER_CODE_HASH } from './code.js'
import type { KnownExecutor } from './deployment.js'
import { routerImmutables } from './generated/router.js'

/** The code on a chain at the address of a router, and of its executors. */
export type DeploymentReport = {
  readonly router: Address
  /** The known executors that are deployed, newest first. */
  readonly executors: readonly KnownExecutor[]
  /** Keccak-256 of the router's code on the chain; absent if there is no code. */
  readonly codeHash?: Hex
  /** All differences from the known code, in words; empty if there are none. */
  readonly faults: readonly string[]
}

/** What is compared: {@link shippedRouter}, or a router with its wrapped token and {@link knownExecutors}. */
export type DeploymentToCheck = {
  readonly router: Address
  readonly wrappedNative: Address
  /** Newest first. One that is not deployed is left out. */
  readonly executors: readonly KnownExecutor[]
}

/** A node as wallets and libraries offer it (EIP-1193): viem's clients and `window.ethereum` are such. */
export type NodeRequests = {
  // biome-ignore lint/suspicious/noExplicitAny: the types of methods differ between libraries.
  readonly request: (...args: any) => Promise<any>
}

/**
 * Compares a router on a chain, and its executors, with the published code, by their hashes. Approve and pay a router
 * only if `faults` is empty, and name only executors of the report. Throws what the node throws.
 */
export async function checkDeployment(
  node: NodeRequests,
  { router: wanted, wrappedNative, executors: known }: DeploymentToCheck,
): Promise<DeploymentReport> {
  const router = wanted.toLowerCase() as Address
  const codeAt = async (address: Address): Promise<Hex | undefined> => {
    const code = await node.request({ method: 'eth_getCode', params: [address, 'latest'] })
    return code === '0x' ? undefined : code
  }
  const addresses = [wrappedNative, router, ...known.map(({ address }) => address)]
  const [tokenCode, routerCode, ...codes] = await Promise.all(addresses.map(codeAt))
  const executors = known.filter((_, i) => codes[i])
  const others = known.filter(({ codeHash }, i) => codes[i] && keccak256(codes[i]) !== codeHash)
  const faults = [
    ...(tokenCode ? [] : [`no wrapped token at ${wrappedNative}`]),
    ...(routerCode ? [] : [`no router at ${router}`]),
    ...(executors.length > 0 ? [] : [`no executor at ${known.map(({ address }) => address)}`]),
    ...(!routerCode || isRouter(routerCode, wrappedNative) ? [] : ['the router runs other code']),
    ...others.map(({ address }) => `the executor ${address} runs other code`),
  ]
  return { router, executors, ...(routerCode && { codeHash: keccak256(routerCode) }), faults }
}

/** True if the code is the router's, with this wrapped token at all places where it names one. */
function isRouter(code: Hex, wrappedNative: Address): boolean {
  const { wrappedNative: places } = routerImmutables
  const zeroed = codeWith(code, [[zeroAddress, places]])
  return (
    codeWith(zeroed, [[wrappedNative, places]]) === code.toLowerCase() &&
    keccak256(zeroed) === ROUTER_CODE_HASH
  )
}
