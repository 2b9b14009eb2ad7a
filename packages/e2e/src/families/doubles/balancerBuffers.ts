import type { Address } from '@braid-swap/core'
import { approveCall, type Chain, mintCalls } from '@braid-swap/devnet'
import { type BalancerVenue, balancerCall } from './balancer.js'
import { deployVault, vaultAbi, vaultCall } from './vaults.js'

/** A buffer to create: the wrapped token's contract and offset, its size, and what the buffer has. */
export type BufferSpec = {
  readonly asset: Address
  readonly name: 'OpenZeppelinVault' | 'SolmateVault'
  readonly args: readonly unknown[]
  /** Assets that are deposited, and assets that are donated to change the rate. */
  readonly deposited: bigint
  readonly donated: bigint
  /** Go into the buffer: assets in wei, and a part of the shares in percent. */
  readonly assets: bigint
  readonly percent: bigint
}

/** Creates wrapped tokens and their buffers with the deployer's tokens; the wrapped tokens. */
export async function createBuffers(
  chain: Chain,
  { trader }: BalancerVenue,
  specs: readonly BufferSpec[],
): Promise<readonly Address[]> {
  const { deployer: from } = chain
  const created: Address[] = []
  for (const { asset, name, args, deposited, donated, assets, percent } of specs) {
    const { factory: wrapped } = await deployVault(chain, name, [asset, ...args])
    const amount = deposited + donated + assets
    await chain.execute([
      ...mintCalls(from, { token: asset, to: from, amount }),
      ...[wrapped, trader].map((spender) => approveCall(asset, { owner: from, spender })),
      approveCall(wrapped, { owner: from, spender: trader }),
      vaultCall(from, wrapped, { abi: vaultAbi, functionName: 'deposit', args: [deposited, from] }),
    ])
    const { data } = await chain.client.call({ to: wrapped, data: '0x18160ddd' })
    const shares = (BigInt(data!) * percent) / 100n
    await chain.execute([
      vaultCall(from, asset, { abi: vaultAbi, functionName: 'transfer', args: [wrapped, donated] }),
      balancerCall(from, trader, { functionName: 'createBuffer', args: [wrapped, assets, shares] }),
    ])
    created.push(wrapped)
  }
  return created
}
