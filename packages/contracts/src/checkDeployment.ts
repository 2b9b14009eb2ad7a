import { type Address, type Client, type Hex, keccak256, pad } from 'viem'
import { getCode, readContract } from 'viem/actions'
import { executorOf, routerDeployment, SINGLETON_FACTORY } from './deployment.js'
import { executorDeployedBytecode } from './generated/executor.js'
import { routerAbi, routerDeployedBytecode } from './generated/router.js'

/** The code on a chain at the address of the router for a wrapped token. */
export type DeploymentReport = {
  readonly router: Address
  readonly executor: Address
  /** Keccak-256 of the router's code on the chain; absent if there is no code. */
  readonly codeHash?: Hex
  /** All differences from the published code, in words; empty if there are none. */
  readonly faults: readonly string[]
}

/**
 * Compares the router and executor on a chain with the published code, byte by byte. The immutable
 * addresses are read and compared separately. `at` is the router's address; by default it is the
 * address from the singleton factory, and the factory is checked too. Approve and pay a router only
 * if `faults` is empty.
 */
export async function checkDeployment(
  client: Client,
  wrappedNative: Address,
  at?: Address,
): Promise<DeploymentReport> {
  const { router, executor } = at
    ? { router: at.toLowerCase() as Address, executor: executorOf(at) }
    : routerDeployment(wrappedNative)
  const codeAt = (address: Address) => getCode(client, { address })
  const [tokenCode, routerCode, executorCode, factoryCode] = await Promise.all([
    ...[wrappedNative, router, executor].map(codeAt),
    // The given router may be of another factory.
    at ? undefined : codeAt(SINGLETON_FACTORY),
  ])
  const missing = [
    ...(factoryCode || at ? [] : [`no singleton factory at ${SINGLETON_FACTORY}`]),
    ...(tokenCode ? [] : [`no wrapped token at ${wrappedNative}`]),
    ...(routerCode ? [] : [`no router at ${router}`]),
    ...(executorCode ? [] : [`no executor at ${executor}`]),
  ]
  if (!routerCode || !executorCode) return { router, executor, faults: missing }
  const faults = [
    ...(without(routerCode, [executor, wrappedNative]) === routerDeployedBytecode
      ? []
      : ['the router runs other code']),
    ...(without(executorCode, [router, wrappedNative]) === executorDeployedBytecode
      ? []
      : ['the executor runs other code']),
  ]
  const others =
    faults.length > 0 ? [] : await readOthers(client, { router, executor, wrappedNative })
  return {
    router,
    executor,
    codeHash: keccak256(routerCode),
    faults: [...missing, ...faults, ...others],
  }
}

/** Code without the immutable addresses that the constructor wrote into it. */
function without(code: Hex, addresses: readonly Address[]): string {
  return addresses.reduce(
    (rest: string, address) =>
      rest.replaceAll(pad(address).slice(2).toLowerCase(), '00'.repeat(32)),
    code,
  )
}

async function readOthers(
  client: Client,
  wanted: { readonly router: Address; readonly executor: Address; readonly wrappedNative: Address },
): Promise<readonly string[]> {
  const names = ['executor', 'wrappedNative'] as const
  const got = await Promise.all(
    names.map((functionName) =>
      readContract(client, { address: wanted.router, abi: routerAbi, functionName }),
    ),
  )
  return names.flatMap((name, i) =>
    got[i]!.toLowerCase() === wanted[name].toLowerCase()
      ? []
      : [`the router's ${name} is ${got[i]}, wanted ${wanted[name]}`],
  )
}
