import type { Venue } from '@braid-swap/chain'
import { ladderFactoryDoubleAbi, ladderFactoryDoubleBytecode } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import { type Call, type Chain, mintCalls } from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'

/** ABI of the doubles' pools. */
export const ladderAbi = parseAbi([
  'function setDepths(uint256 depth0, uint256 depth1)',
  'function refuseBatches()',
  'function estimateSwapBatch(address tokenIn, address tokenOut, uint256[] amountsIn) view returns (uint256[])',
])

/** A pool to create: the parameters of its price, and its reserves. */
export type LadderSpec = {
  readonly tokens: readonly [Address, Address]
  readonly depths: readonly [bigint, bigint]
  readonly reserves: readonly [bigint, bigint]
}

/** Deploys a registry of pools that are priced from outside; its venue is `double-ladder`. */
export async function deployLadderDoubles(chain: Chain): Promise<Venue> {
  const [receipt] = await chain.execute([
    {
      label: 'deploy a list of ladder doubles',
      from: chain.deployer,
      data: ladderFactoryDoubleBytecode,
      gas: 4_000_000n,
    },
  ])
  const factory = receipt!.contractAddress!.toLowerCase() as Address
  return { id: 'double-ladder', family: 'ladder', factory }
}

/** Creates pools, sets their prices and fills them; returns their addresses in order. */
export async function createLadderDoubles(
  chain: Chain,
  { factory }: Venue,
  specs: readonly LadderSpec[],
): Promise<readonly Address[]> {
  const { deployer: from, client } = chain
  const abi = ladderFactoryDoubleAbi
  await chain.execute(
    specs.map(({ tokens }) => ({
      ...{ label: 'create a ladder double', from, to: factory, gas: 3_000_000n },
      data: encodeFunctionData({ abi, functionName: 'createPool', args: tokens }),
    })),
  )
  const listed = await client.readContract({ abi, address: factory, functionName: 'getPools' })
  const pools = listed.slice(-specs.length).map((pool) => pool.toLowerCase() as Address)
  await chain.execute(
    specs.flatMap(({ tokens, depths, reserves }, i) => [
      setDepthsCall(from, pools[i]!, depths),
      ...tokens.flatMap((token, t) =>
        mintCalls(from, { token, to: pools[i]!, amount: reserves[t]! }),
      ),
    ]),
  )
  return pools
}

/** Moves a pool's price; emits no log. */
export function setDepthsCall(
  from: Address,
  pool: Address,
  depths: readonly [bigint, bigint],
): Call {
  const data = encodeFunctionData({ abi: ladderAbi, functionName: 'setDepths', args: depths })
  return { label: `price pool ${pool}`, from, to: pool, data, gas: 100_000n }
}

/** Makes a pool refuse batches of estimates. */
export function refuseBatchesCall(from: Address, pool: Address): Call {
  const data = encodeFunctionData({ abi: ladderAbi, functionName: 'refuseBatches' })
  return { label: `refuse batches at ${pool}`, from, to: pool, data, gas: 100_000n }
}
