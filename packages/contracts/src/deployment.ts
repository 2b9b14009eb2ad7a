import {
  type Address,
  concatHex,
  encodeDeployData,
  getContractAddress,
  getCreate2Address,
  type Hex,
} from 'viem'
import { routerAbi, routerBytecode } from './generated/router.js'

/**
 * The Safe singleton factory: a CREATE2 proxy whose calldata is the salt followed by the creation
 * code. It has this address on every chain where it is deployed.
 */
export const SINGLETON_FACTORY = '0x914d7fec6aac8cd542e72bca78b30650d45643d7'

const SALT: Hex = `0x${'00'.repeat(32)}`

/** The deployment transaction of a router, and its address and its executor's in lower case. */
export type RouterDeployment = {
  /** Send `calldata` to this address; the transaction needs no value. */
  readonly factory: Address
  readonly salt: Hex
  readonly calldata: Hex
  readonly router: Address
  readonly executor: Address
}

/**
 * The deployment of the router for a chain's wrapped native token. The addresses depend only on the
 * bytecode and the token, not on the sender. The wrapped token must exist before.
 */
export function routerDeployment(wrappedNative: Address): RouterDeployment {
  const bytecode = encodeDeployData({
    abi: routerAbi,
    bytecode: routerBytecode,
    args: [wrappedNative],
  })
  const router = getCreate2Address({ from: SINGLETON_FACTORY, salt: SALT, bytecode })
  return {
    factory: SINGLETON_FACTORY,
    salt: SALT,
    calldata: concatHex([SALT, bytecode]),
    router: lower(router),
    executor: executorOf(router),
  }
}

/** The executor of a router at any address: the first contract it creates, so its CREATE nonce is 1. */
export function executorOf(router: Address): Address {
  return lower(getContractAddress({ from: router, nonce: 1n }))
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
