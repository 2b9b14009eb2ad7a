import { type Address, type Client, type Hex, keccak256 } from 'viem'
import { getCode } from 'viem/actions'
import { type KnownExecutor, routerDeployment, SINGLETON_FACTORY } from './deployment.js'
import { knownExecutors } from './executors.js'

/** The code on a chain at the address of the router for a wrapped token, and of its executors. */
export type DeploymentReport = {
  readonly router: Address
  /** The known executors that are deployed, newest first. */
  readonly executors: readonly KnownExecutor[]
  /** Keccak-256 of the router's code on the chain; absent if there is no code. */
  readonly codeHash?: Hex
  /** All differences from the known code, in words; empty if there are none. */
  readonly faults: readonly string[]
}

/** What is compared, if it is not what this package deploys and publishes. */
export type DeploymentToCheck = {
  /** By default the address from the singleton factory, which is then checked too. */
  readonly router?: Address | undefined
  /** Newest first; those that this package knows by default. One that is not deployed is left out. */
  readonly executors?: readonly KnownExecutor[] | undefined
}

/**
 * Compares the router on a chain with the published code, byte by byte, and its executors by their code
 * hashes. Approve and pay a router only if `faults` is empty, and name only executors of the report.
 */
export async function checkDeployment(
  client: Client,
  wrappedNative: Address,
  wanted: DeploymentToCheck = {},
): Promise<DeploymentReport> {
  const published = routerDeployment(wrappedNative)
  const router = wanted.router ? lower(wanted.router) : published.router
  const known = wanted.executors ?? knownExecutors(router, wrappedNative)
  const codeAt = (address: Address) => getCode(client, { address })
  const [tokenCode, routerCode, factoryCode, codes] = await Promise.all([
    codeAt(wrappedNative),
    codeAt(router),
    // The given router may be of another factory.
    wanted.router ? undefined : codeAt(SINGLETON_FACTORY),
    Promise.all(known.map(({ address }) => codeAt(address))),
  ])
  const executors = known.filter((_, i) => codes[i])
  const others = known.filter(({ codeHash }, i) => {
    const code = codes[i]
    return code && keccak256(code) !== codeHash
  })
  const faults = [
    ...(factoryCode || wanted.router ? [] : [`no singleton factory at ${SINGLETON_FACTORY}`]),
    ...(tokenCode ? [] : [`no wrapped token at ${wrappedNative}`]),
    ...(routerCode ? [] : [`no router at ${router}`]),
    ...(executors.length > 0 ? [] : [`no executor at ${known.map(({ address }) => address)}`]),
    ...(routerCode && routerCode !== published.code ? ['the router runs other code'] : []),
    ...others.map(({ address }) => `the executor ${address} runs other code`),
  ]
  return { router, executors, ...(routerCode && { codeHash: keccak256(routerCode) }), faults }
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
