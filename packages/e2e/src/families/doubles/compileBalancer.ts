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

/** Every contract, by name. */
export type BalancerContracts = Readonly<Record<BalancerContract, Compiled>>

/**
 * Compiles every contract. Without optimisation it takes a tenth of the time, and every number is the
 * same but the gas.
 */
export function compileBalancer({ isOptimised = false } = {}): BalancerContracts {
  const optimizer = isOptimised ? { enabled: true, runs: 500 } : { enabled: false }
  const settings = { evmVersion: 'cancun', optimizer }
  return compile({ files: FILES, settings }) as BalancerContracts
}
