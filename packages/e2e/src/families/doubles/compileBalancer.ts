// Compiles Balancer V3 from the sources of its packages, unmodified. Nobody publishes its bytecode.

import { type Compiled, compile } from './compile.js'

/** The contracts that the tests deploy, by file. */
const FILES = {
  '@balancer-labs/v3-vault/contracts/Vault.sol': 'Vault',
  '@balancer-labs/v3-vault/contracts/VaultExtension.sol': 'VaultExtension',
  '@balancer-labs/v3-vault/contracts/VaultAdmin.sol': 'VaultAdmin',
  '@balancer-labs/v3-vault/contracts/ProtocolFeeController.sol': 'ProtocolFeeController',
  '@balancer-labs/v3-pool-weighted/contracts/WeightedPool.sol': 'WeightedPool',
  '@balancer-labs/v3-pool-stable/contracts/StablePool.sol': 'StablePool',
} as const

/** The name of such a contract. */
export type BalancerContract = (typeof FILES)[keyof typeof FILES]

// Without optimisation it takes a tenth of the time, and every number is the same.
const settings = { evmVersion: 'cancun', optimizer: { enabled: false } }

/** Every contract, by name. */
export function compileBalancer(): Readonly<Record<BalancerContract, Compiled>> {
  return compile({ files: FILES, settings }) as Readonly<Record<BalancerContract, Compiled>>
}
