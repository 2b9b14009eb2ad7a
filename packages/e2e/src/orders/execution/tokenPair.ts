import type { Venue } from '@braid-swap/chain'
import type { Address, Hex } from '@braid-swap/core'
import type { UniswapV2Pool } from '@braid-swap/core/families'
import { type Chain, deployUniswapV2 } from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'

const pairAbi = parseAbi([
  'function createPair(address a, address b) returns (address)',
  'function getPair(address a, address b) view returns (address)',
  'function mint(address to) returns (uint256)',
  'function deposit() payable',
])

/**
 * Deploys a Uniswap V2 with one pair of a token and the wrapped native token, with equal reserves from
 * the owner. The owner also gets the same amount of wrapped tokens again.
 */
export async function createTokenPair(
  chain: Chain,
  of: { readonly token: Address; readonly owner: Address; readonly reserve: bigint },
): Promise<{ readonly pool: UniswapV2Pool; readonly venue: Venue }> {
  const { wrappedNative, client } = chain
  const { token, owner, reserve } = of
  const send = (label: string, to: Address, data: Hex, value = 0n) =>
    chain.execute([{ label, from: owner, to, data, value, gas: 5_000_000n }])
  const { factory, venue } = await deployUniswapV2(chain, 'v2')
  const tokens = [token, wrappedNative].sort() as [Address, Address]
  const createPair = encodeFunctionData({ abi: pairAbi, functionName: 'createPair', args: tokens })
  await send('create the pair', factory, createPair)
  const read = { address: factory, abi: pairAbi, functionName: 'getPair', args: tokens } as const
  const id = (await client.readContract(read)).toLowerCase() as Address
  const give = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [id, reserve] })
  const mint = encodeFunctionData({ abi: pairAbi, args: [owner], functionName: 'mint' })
  const deposit = encodeFunctionData({ abi: pairAbi, functionName: 'deposit' })
  await send('wrap', wrappedNative, deposit, 2n * reserve)
  await send('fill the pair', wrappedNative, give)
  await send('fill the pair', token, give)
  await send('fill the pair', id, mint)
  const reserves = [reserve, reserve] as const
  const pool = { family: 'uniswapV2', id, tokens, venue: 'v2', reserves, feePpm: 3000 } as const
  return { pool, venue }
}
