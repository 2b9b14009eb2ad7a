import type { Address } from '@braid-swap/core'
import { type Chain, sortTokens, type UniswapV2 } from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { type Compiled, compileDoubles } from './compile.js'

const abi = parseAbi([
  'function createPair(address, address) returns (address)',
  'function getPair(address, address) view returns (address)',
  'function mint(address to, uint256 amount)',
  'function mint(address to) returns (uint256)',
  'function setPool(address)',
])

let compiled: Readonly<Record<string, Compiled>> | undefined

/** Deploys one of the tokens of OddTokens.sol. */
export async function deployOddToken(chain: Chain, name: string): Promise<Address> {
  compiled ??= compileDoubles(['OddTokens.sol'])
  const data = compiled[name]!.bytecode
  const [receipt] = await chain.execute([
    { label: `deploy ${name}`, from: chain.deployer, data, gas: 2_000_000n },
  ])
  return receipt!.contractAddress!.toLowerCase() as Address
}

/** A V2 pair of two tokens that anyone may mint, filled without a transfer of either. */
export async function createMintedPair(
  chain: Chain,
  v2: UniswapV2,
  of: { readonly tokens: readonly [Address, Address]; readonly amounts: readonly [bigint, bigint] },
): Promise<Address> {
  const [a, b] = sortTokens(...of.tokens)
  const call = (to: Address, data: `0x${string}`) => ({
    ...{ label: `make a pair of ${a} and ${b}`, from: chain.deployer, to, data, gas: 3_000_000n },
  })
  const create = encodeFunctionData({ abi, functionName: 'createPair', args: [a, b] })
  await chain.execute([call(v2.factory, create)])
  const args = [a, b] as const
  const pair = await chain.client.readContract({
    ...{ address: v2.factory, abi, functionName: 'getPair', args },
  })
  const fill = of.tokens.map((token, i) =>
    call(token, encodeFunctionData({ abi, functionName: 'mint', args: [pair, of.amounts[i]!] })),
  )
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [chain.deployer] })
  if (of.amounts[0] > 0n) await chain.execute([...fill, call(pair, mint)])
  return pair.toLowerCase() as Address
}

/** Sets the address to which sales of the token go, because its transfers there differ. */
export async function setPool(chain: Chain, token: Address, pool: Address): Promise<void> {
  const data = encodeFunctionData({ abi, functionName: 'setPool', args: [pool] })
  await chain.execute([
    { label: 'set the pool', from: chain.deployer, to: token, data, gas: 100_000n },
  ])
}
