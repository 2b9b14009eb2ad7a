import {
  type Address,
  concatHex,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  keccak256,
} from 'viem'
import { codeWith, EXECUTOR } from './code.js'
import {
  executorAbi,
  executorBytecode,
  executorDeployedBytecode,
  executorImmutables,
} from './generated/executor.js'
import {
  routerAbi,
  routerBytecode,
  routerDeployedBytecode,
  routerImmutables,
} from './generated/router.js'

/**
 * The Safe singleton factory: a CREATE2 proxy whose calldata is the salt followed by the creation
 * code. It has this address on every chain where it is deployed.
 */
export const SINGLETON_FACTORY = '0x914d7fec6aac8cd542e72bca78b30650d45643d7'

const SALT: Hex = `0x${'00'.repeat(32)}`

/** An executor whose code is known; hex is in lower case. */
export type KnownExecutor = {
  /** Counts up from 1; a higher one is newer. */
  readonly version: number
  readonly address: Address
  /** Keccak-256 of the deployed code. */
  readonly codeHash: Hex
  /** The pool families, as core names them, that its programs may name. */
  readonly families: readonly string[]
}

/** A transaction that creates a contract, the same from every sender and without value. */
export type Creation = { readonly factory: Address; readonly salt: Hex; readonly calldata: Hex }

/** The deployment transaction of a router, its address in lower case, and the code it gets. */
export type RouterDeployment = Creation & { readonly router: Address; readonly code: Hex }

/** The deployment transaction of an executor, which the router must precede. */
export type ExecutorDeployment = Creation & {
  readonly executor: KnownExecutor
  readonly code: Hex
}

/**
 * The deployment of the router for a chain's wrapped native token. The address depends only on the
 * bytecode and the token, not on the sender or an executor. The wrapped token must exist before.
 */
export function routerDeployment(wrappedNative: Address): RouterDeployment {
  const bytecode = encodeDeployData({
    abi: routerAbi,
    bytecode: routerBytecode,
    args: [wrappedNative],
  })
  const { address, ...creation } = creationOf(bytecode)
  const code = codeWith(routerDeployedBytecode, [[wrappedNative, routerImmutables.wrappedNative]])
  return { ...creation, router: address, code }
}

/** The deployment of this package's executor for a router at any address, and its wrapped native token. */
export function executorDeployment(router: Address, wrappedNative: Address): ExecutorDeployment {
  const { address, ...creation } = creationOf(
    encodeDeployData({ abi: executorAbi, bytecode: executorBytecode, args: [router] }),
  )
  const { router: routerAt, wrappedNative: wrappedAt } = executorImmutables
  const code = codeWith(executorDeployedBytecode, [
    [router, routerAt],
    [wrappedNative, wrappedAt],
  ])
  const codeHash = keccak256(code)
  return { ...creation, executor: { ...EXECUTOR, address, codeHash }, code }
}

function creationOf(bytecode: Hex): Creation & { readonly address: Address } {
  const address = getCreate2Address({ from: SINGLETON_FACTORY, salt: SALT, bytecode })
  return {
    ...{ factory: SINGLETON_FACTORY, salt: SALT },
    calldata: concatHex([SALT, bytecode]),
    address: address.toLowerCase() as Address,
  }
}
