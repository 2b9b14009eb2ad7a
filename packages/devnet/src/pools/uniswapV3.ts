import type { Venue } from '@braid-swap/chain'
import { type Address, NATIVE } from '@braid-swap/core'
import { encodeFunctionData } from 'viem'
import { uniswapV3Abi } from '../abis.js'
import { lower } from '../node/accounts.js'
import { creationCode } from '../node/artifacts.js'
import type { Chain } from '../node/chain.js'
import { checkTokenOrder, deploy, NO_DEADLINE, SWAP_GAS } from '../node/deploy.js'
import { approveCall, mintCalls } from '../node/erc20.js'
import type { Call } from '../node/transactions.js'
import type { DevnetPool } from './pool.js'
import { amountsOf, type Position } from './position.js'

/** A Uniswap V3 deployment: the factory of v3-core and three contracts of v3-periphery. */
export type UniswapV3 = {
  readonly kind: 'uniswapV3'
  readonly family: 'uniswapV3'
  readonly venue: Venue
  readonly factory: Address
  readonly positionManager: Address
  /** SwapRouter. */
  readonly router: Address
  /** QuoterV2. */
  readonly quoter: Address
  /** Tick spacing of each available fee in ppm. */
  readonly tickSpacings: Readonly<Record<number, number>>
}

/** The initial state of a V3 pool. */
export type V3PoolSpec = {
  /** In ascending order. */
  readonly tokens: readonly [Address, Address]
  readonly feePpm: number
  /** √(wei of token1 per wei of token0) · 2⁹⁶. */
  readonly sqrtPriceX96: bigint
  readonly positions: readonly Position[]
}

/** The fees that UniswapV3Factory's constructor enables. */
const FACTORY_TICK_SPACINGS: Readonly<Record<number, number>> = { 500: 10, 3000: 60, 10000: 200 }

/**
 * Deploys an unmodified Uniswap V3 as a venue with this id. Besides the factory's own fees it
 * enables `extraFees` (ppm to tick spacing); the default is 100 to 1, as in most deployments.
 */
export async function deployUniswapV3(
  chain: Chain,
  id: string,
  extraFees: Readonly<Record<number, number>> = { 100: 1 },
): Promise<UniswapV3> {
  const { deployer, wrappedNative } = chain
  const fromBlock = (await chain.client.getBlockNumber()) + 1n
  const [factory] = await deploy(chain, [
    { label: 'UniswapV3Factory', code: creationCode.uniswapV3Factory(), args: [], gas: 5_500_000n },
  ])
  const args = [factory!, wrappedNative]
  const [positionManager, router, quoter] = await deploy(chain, [
    // Its third argument draws the position's picture, which is not needed here.
    {
      label: 'NonfungiblePositionManager',
      code: creationCode.positionManager(),
      args: [...args, NATIVE],
      gas: 6_000_000n,
    },
    { label: 'SwapRouter', code: creationCode.uniswapV3Router(), args, gas: 3_500_000n },
    { label: 'QuoterV2', code: creationCode.uniswapV3Quoter(), args, gas: 2_500_000n },
  ])
  await chain.execute(
    Object.entries(extraFees).map(([fee, spacing]) => ({
      label: `enable fee ${fee} on ${id}`,
      from: deployer,
      to: factory!,
      data: encodeFunctionData({
        abi: uniswapV3Abi,
        functionName: 'enableFeeAmount',
        args: [Number(fee), spacing],
      }),
      gas: 100_000n,
    })),
  )
  return {
    ...{ kind: 'uniswapV3', family: 'uniswapV3' },
    venue: { id, family: 'uniswapV3', factory: factory!, fromBlock },
    factory: factory!,
    ...{ positionManager: positionManager!, router: router!, quoter: quoter! },
    tickSpacings: { ...FACTORY_TICK_SPACINGS, ...extraFees },
  }
}

/** The calls that create a pool and mint its positions to the deployer. */
export function v3PoolCalls(chain: Chain, v3: UniswapV3, spec: V3PoolSpec): readonly Call[] {
  checkTokenOrder(spec.tokens)
  const { deployer } = chain
  const { positionManager } = v3
  const [token0, token1] = spec.tokens
  const create: Call = {
    label: `create ${token0}/${token1} at ${spec.feePpm} ppm on ${v3.venue.id}`,
    from: deployer,
    to: positionManager,
    data: encodeFunctionData({
      abi: uniswapV3Abi,
      functionName: 'createAndInitializePoolIfNecessary',
      args: [token0, token1, spec.feePpm, spec.sqrtPriceX96],
    }),
    gas: 5_200_000n,
  }
  const amounts = spec.positions.map((position) => amountsOf(position, spec.sqrtPriceX96))
  return [
    create,
    ...spec.tokens.flatMap((token, i) => [
      ...mintCalls(deployer, {
        token,
        to: deployer,
        amount: amounts.reduce((sum, pair) => sum + pair[i]!, 0n),
      }),
      approveCall(token, { owner: deployer, spender: positionManager }),
    ]),
    ...spec.positions.map((position, i) =>
      mintPositionCall({ deployer, positionManager }, spec, position, amounts[i]!),
    ),
  ]
}

function mintPositionCall(
  { deployer, positionManager }: { readonly deployer: Address; readonly positionManager: Address },
  { tokens: [token0, token1], feePpm }: V3PoolSpec,
  { tickLower, tickUpper }: Position,
  [amount0Desired, amount1Desired]: readonly [bigint, bigint],
): Call {
  return {
    label: `mint a position in [${tickLower}, ${tickUpper}] of ${token0}/${token1}`,
    from: deployer,
    to: positionManager,
    data: encodeFunctionData({
      abi: uniswapV3Abi,
      functionName: 'mint',
      args: [
        {
          ...{ token0, token1, fee: feePpm, tickLower, tickUpper },
          ...{ amount0Desired, amount1Desired, amount0Min: 0n, amount1Min: 0n },
          ...{ recipient: deployer, deadline: NO_DEADLINE, SWAP_GAS },
        },
      ],
    }),
    gas: 700_000n,
  }
}

/** The pool of two tokens and a fee, which must exist. */
export async function readV3Pool(
  chain: Chain,
  v3: UniswapV3,
  { tokens, feePpm }: Pick<V3PoolSpec, 'tokens' | 'feePpm'>,
): Promise<DevnetPool> {
  const address = await chain.client.readContract({
    address: v3.factory,
    abi: uniswapV3Abi,
    functionName: 'getPool',
    args: [...tokens, feePpm],
  })
  const { id: venue } = v3.venue
  return { address: lower(address), venue, family: 'uniswapV3', tokens, feePpm }
}

/** A swap of `from`'s tokens through one V3 pool by Uniswap's router, which needs an approval. */
export function v3SwapCall(
  v3: UniswapV3,
  swap: {
    readonly from: Address
    readonly tokenIn: Address
    readonly tokenOut: Address
    readonly amountIn: bigint
    readonly feePpm: number
    /** The swap ends at this price, in X96; absent: it sells all. */
    readonly sqrtPriceLimitX96?: bigint
  },
): Call {
  const { from, tokenIn, tokenOut, amountIn, feePpm: fee, sqrtPriceLimitX96 = 0n } = swap
  return {
    label: `swap ${amountIn} of ${tokenIn} for ${tokenOut} on ${v3.venue.id}`,
    from,
    to: v3.router,
    data: encodeFunctionData({
      abi: uniswapV3Abi,
      functionName: 'exactInputSingle',
      args: [
        {
          ...{ tokenIn, tokenOut, fee, amountIn, recipient: from, deadline: NO_DEADLINE, SWAP_GAS },
          ...{ amountOutMinimum: 0n, sqrtPriceLimitX96 },
        },
      ],
    }),
    gas: SWAP_GAS,
  }
}
