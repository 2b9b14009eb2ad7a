import type { Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { encodeFunctionData, getContractAddress, zeroAddress } from 'viem'
import { algebraIntegralAbi as abi } from '../abis.js'
import { lower } from '../node/accounts.js'
import { creationCode } from '../node/artifacts.js'
import type { Chain } from '../node/chain.js'
import { checkTokenOrder, deploy, NO_DEADLINE, SWAP_GAS } from '../node/deploy.js'
import { approveCall, mintCalls } from '../node/erc20.js'
import type { Call } from '../node/transactions.js'
import type { DevnetPool, PoolSwap } from './pool.js'
import { amountsOf } from './position.js'
import type { V3PoolSpec } from './uniswapV3.js'

/**
 * An Algebra Integral deployment: factory and pools of integral-core, two contracts of its
 * periphery, and the plugin of integral-base-plugin that gives each swap its fee.
 */
export type AlgebraIntegral = {
  readonly kind: 'algebraIntegral'
  readonly family: 'algebraIntegral'
  readonly venue: Venue
  readonly factory: Address
  readonly positionManager: Address
  /** SwapRouter. */
  readonly router: Address
  /** Tick spacing of pools by their initial fee in ppm. */
  readonly tickSpacings: Readonly<Record<number, number>>
}

/** The plugin's base fee, and INIT_DEFAULT_TICK_SPACING of the core. */
const TICK_SPACINGS = { 100: 60 }

/** The deployer argument for pools of the factory's own deployer. */
const BASE_DEPLOYER = zeroAddress

/** The published plugins, by the fee that they set, and the factory of each. */
const PLUGIN_FACTORIES = {
  adaptive: ['BasePluginV1Factory', creationCode.algebraAdaptiveFactory],
  sliding: ['BasePluginV2Factory', creationCode.algebraSlidingFactory],
} as const

/** Deploys an unmodified Algebra Integral with a base plugin, as a venue with this id. */
export async function deployAlgebraIntegral(
  chain: Chain,
  id: string,
  fee: keyof typeof PLUGIN_FACTORIES = 'adaptive',
): Promise<AlgebraIntegral> {
  const { client, deployer: from, wrappedNative } = chain
  const fromBlock = (await client.getBlockNumber()) + 1n
  const nonce = BigInt(await client.getTransactionCount({ address: from }))
  // Factory and deployer refer to each other, so the address of the second is computed first.
  const factory = lower(getContractAddress({ from, nonce }))
  const poolDeployer = lower(getContractAddress({ from, nonce: nonce + 1n }))
  const args = [factory, wrappedNative]
  const [pluginFactoryName, pluginFactoryCode] = PLUGIN_FACTORIES[fee]
  const [, , pluginFactory, positionManager, router] = await deploy(chain, [
    {
      label: 'AlgebraFactory',
      code: creationCode.algebraFactory(),
      args: [poolDeployer],
      gas: 3_500_000n,
    },
    {
      label: 'AlgebraPoolDeployer',
      code: creationCode.algebraPoolDeployer(),
      args: [factory],
      gas: 6_500_000n,
    },
    {
      label: pluginFactoryName,
      code: pluginFactoryCode(),
      args: [factory],
      gas: 6_000_000n,
    },
    {
      label: 'NonfungiblePositionManager',
      code: creationCode.algebraPositionManager(),
      // The third contract draws the position's picture, which is not needed here.
      args: [...args, zeroAddress, poolDeployer],
      gas: 6_500_000n,
    },
    {
      label: 'SwapRouter',
      code: creationCode.algebraRouter(),
      args: [...args, poolDeployer],
      gas: 4_000_000n,
    },
  ])
  await chain.execute([
    {
      label: `set the plugin factory of ${id}`,
      ...{ from, to: factory, gas: 100_000n },
      data: encodeFunctionData({
        abi,
        functionName: 'setDefaultPluginFactory',
        args: [pluginFactory!],
      }),
    },
  ])
  return {
    ...{ kind: 'algebraIntegral', family: 'algebraIntegral' },
    venue: { id, family: 'algebraIntegral', factory, fromBlock },
    ...{ factory, positionManager: positionManager!, router: router! },
    tickSpacings: TICK_SPACINGS,
  }
}

/** The position manager's parameters, and the owner of the minted positions. */
type Manager = { readonly from: Address; readonly positionManager: Address }

/** The call that creates a pool with its plugin, at a price. */
export function algebraCreateCall(
  { from, positionManager }: Manager,
  { tokens: [token0, token1], sqrtPriceX96 }: Pick<V3PoolSpec, 'tokens' | 'sqrtPriceX96'>,
): Call {
  return {
    label: `create ${token0}/${token1} on Algebra`,
    ...{ from, to: positionManager, gas: 9_000_000n },
    data: encodeFunctionData({
      abi,
      functionName: 'createAndInitializePoolIfNecessary',
      args: [token0, token1, BASE_DEPLOYER, sqrtPriceX96, '0x'],
    }),
  }
}

/** The call that mints a position of up to these amounts, which must be approved to the manager. */
export function algebraMintCall(
  { from, positionManager }: Manager,
  position: {
    readonly tokens: readonly [Address, Address]
    readonly tickLower: number
    readonly tickUpper: number
    readonly amounts: readonly [bigint, bigint]
  },
): Call {
  const { tokens, tickLower, tickUpper, amounts } = position
  const [[token0, token1], [amount0Desired, amount1Desired]] = [tokens, amounts]
  return {
    label: `mint a position in [${tickLower}, ${tickUpper}] of ${token0}/${token1}`,
    ...{ from, to: positionManager, gas: 1_000_000n },
    data: encodeFunctionData({
      abi,
      functionName: 'mint',
      args: [
        {
          ...{ token0, token1, deployer: BASE_DEPLOYER, tickLower, tickUpper },
          ...{ amount0Desired, amount1Desired, amount0Min: 0n, amount1Min: 0n },
          ...{ recipient: from, deadline: NO_DEADLINE },
        },
      ],
    }),
  }
}

/** The calls that create a pool and mint its positions to the deployer. */
export function algebraPoolCalls(
  chain: Chain,
  { positionManager }: Pick<AlgebraIntegral, 'positionManager'>,
  spec: Omit<V3PoolSpec, 'feePpm'>,
): readonly Call[] {
  const { tokens, positions, sqrtPriceX96 } = spec
  checkTokenOrder(tokens)
  const { deployer: from } = chain
  const amounts = positions.map((position) => amountsOf(position, sqrtPriceX96))
  return [
    algebraCreateCall({ from, positionManager }, spec),
    ...tokens.flatMap((token, i) => [
      ...mintCalls(from, {
        ...{ token, to: from },
        amount: amounts.reduce((sum, pair) => sum + pair[i]!, 0n),
      }),
      approveCall(token, { owner: from, spender: positionManager }),
    ]),
    ...positions.map(({ tickLower, tickUpper }, i) =>
      algebraMintCall(
        { from, positionManager },
        { tokens, tickLower, tickUpper, amounts: amounts[i]! },
      ),
    ),
  ]
}

/** The pool of two tokens, which must exist. */
export async function readAlgebraPool(
  chain: Chain,
  { factory, venue }: Pick<AlgebraIntegral, 'factory' | 'venue'>,
  { tokens, feePpm }: Pick<DevnetPool, 'tokens' | 'feePpm'>,
): Promise<DevnetPool> {
  const address = await chain.client.readContract({
    ...{ address: factory, abi, functionName: 'poolByPair', args: tokens },
  })
  return {
    ...{ address: lower(address), venue: venue.id, family: 'algebraIntegral', tokens, feePpm },
  }
}

/** A swap of `from`'s tokens through one pool by the venue's router, which needs an approval. */
export function algebraSwapCall(
  { router, venue }: Pick<AlgebraIntegral, 'router' | 'venue'>,
  { from, tokenIn, tokenOut, amountIn }: Omit<PoolSwap, 'pool'>,
): Call {
  return {
    label: `swap ${amountIn} of ${tokenIn} for ${tokenOut} on ${venue.id}`,
    ...{ from, to: router, gas: SWAP_GAS },
    data: encodeFunctionData({
      abi,
      functionName: 'exactInputSingle',
      args: [
        {
          ...{ tokenIn, tokenOut, deployer: BASE_DEPLOYER, recipient: from, deadline: NO_DEADLINE },
          ...{ amountIn, amountOutMinimum: 0n, limitSqrtPrice: 0n },
        },
      ],
    }),
  }
}
