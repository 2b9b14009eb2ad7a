import type { Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import type { Call, Chain } from '@braid-swap/devnet'
import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import { type Compiled, compileDoubles, deploy } from './compile.js'

/** ABI of vaults and their assets. */
export const vaultAbi = parseAbi([
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function redeem(uint256 shares, address receiver, address owner) returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function lend(uint256 amount)',
])

let compiled: Readonly<Record<string, Compiled>> | undefined

/** Deploys a vault of Vaults.sol, compiled from its package's source; it is its own venue. */
export async function deployVault(
  chain: Chain,
  name: string,
  args: readonly unknown[],
): Promise<Venue> {
  compiled ??= compileDoubles(['Vaults.sol'])
  const factory = await deploy(chain, compiled[name]!, args)
  return { id: `vault-${factory.slice(2, 10)}`, family: 'erc4626', factory }
}

/** A call of a vault or of its asset. */
export function vaultCall(
  from: Address,
  to: Address,
  call: { readonly abi: Abi; readonly functionName: string; readonly args: readonly unknown[] },
): Call {
  const data = encodeFunctionData(call)
  return { label: `${call.functionName} of ${to}`, from, to, data, gas: 400_000n }
}

/** Takes assets out of a vault that lends. */
export function lendCall(from: Address, vault: Address, amount: bigint): Call {
  return vaultCall(from, vault, { abi: vaultAbi, functionName: 'lend', args: [amount] })
}
