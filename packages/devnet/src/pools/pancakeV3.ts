import type { Venue } from '@braid-swap/chain'
import { pancakeV3PoolDeployerBytecode, poolCallerBytecode } from '@braid-swap/contracts/testing'
import type { Address, Hex } from '@braid-swap/core'
import {
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  parseAbi,
} from 'viem'
import { lower } from '../node/accounts.js'
import { creationCode } from '../node/artifacts.js'
import type { Chain } from '../node/chain.js'
import { checkTokenOrder, deploy } from '../node/deploy.js'
import type { Call } from '../node/transactions.js'
import type { DevnetPool } from './pool.js'
import { callerMintCalls } from './poolCaller.js'
import type { V3PoolSpec } from './uniswapV3.js'

/**
 * A PancakeSwap V3 deployment: factory and pools of its v3-core. Its periphery is published without
 * code, so positions and swaps go through the devnet's own caller contract.
 */
export type PancakeV3 = {
  readonly kind: 'pancakeV3'
  readonly family: 'uniswapV3'
  readonly venue: Venue
  readonly factory: Address
  readonly poolDeployer: Address
  /** Mints, burns and swaps for any account that approved it. */
  readonly router: Address
  /** Tick spacing of each available fee in ppm. */
  readonly tickSpacings: Readonly<Record<number, number>>
}

/** The fees that PancakeV3Factory's constructor enables. */
const FACTORY_TICK_SPACINGS = { 100: 1, 500: 10, 2500: 50, 10000: 200 }

/** Measured extra gas of a swap over Uniswap's: a second slot of slot0 and a read of the farm. */
const EXTRA_GAS = 19_000

const abi = parseAbi([
  'function createPool(address tokenA, address tokenB, uint24 fee) returns (address pool)',
  'function initialize(uint160 sqrtPriceX96)',
  'function enableFeeAmount(uint24 fee, int24 tickSpacing)',
])

/** Deploys an unmodified PancakeSwap V3 as a venue with this id. */
export async function deployPancakeV3(
  chain: Chain,
  id: string,
  extraFees: Readonly<Record<number, number>> = {},
): Promise<PancakeV3> {
  const fromBlock = (await chain.client.getBlockNumber()) + 1n
  const poolDeployerCode = encodeDeployData({
    abi: [{ type: 'constructor', stateMutability: 'nonpayable', inputs: [{ type: 'bytes' }] }],
    bytecode: pancakeV3PoolDeployerBytecode,
    args: [creationCode.pancakeV3Pool()],
  })
  const [poolDeployer, router] = await deploy(chain, [
    { label: 'PancakeV3PoolDeployer', code: poolDeployerCode, args: [], gas: 7_000_000n },
    { label: 'PoolCaller', code: poolCallerBytecode, args: [], gas: 2_000_000n },
  ])
  const [factory] = await deploy(chain, [
    {
      label: 'PancakeV3Factory',
      code: creationCode.pancakeV3Factory(),
      args: [poolDeployer!],
      gas: 3_000_000n,
    },
  ])
  const feesPpm = Object.keys({ ...FACTORY_TICK_SPACINGS, ...extraFees }).map(Number)
  await chain.execute(
    Object.entries(extraFees).map(([fee, spacing]) => ({
      label: `enable fee ${fee} on ${id}`,
      from: chain.deployer,
      to: factory!,
      data: encodeFunctionData({
        abi,
        functionName: 'enableFeeAmount',
        args: [Number(fee), spacing],
      }),
      gas: 200_000n,
    })),
  )
  return {
    ...{ kind: 'pancakeV3', family: 'uniswapV3' },
    venue: { id, family: 'uniswapV3', factory: factory!, feesPpm, extraGas: EXTRA_GAS, fromBlock },
    ...{ factory: factory!, poolDeployer: poolDeployer!, router: router! },
    tickSpacings: { ...FACTORY_TICK_SPACINGS, ...extraFees },
  }
}

/** The calls that create a pool and mint its positions, paid by the deployer. */
export function pancakePoolCalls(
  chain: Chain,
  pancake: PancakeV3,
  spec: V3PoolSpec,
): readonly Call[] {
  checkTokenOrder(spec.tokens)
  const { deployer: from } = chain
  const { router, factory } = pancake
  const [token0, token1] = spec.tokens
  const pool = poolAddressOf(pancake, spec)
  const named = `${token0}/${token1} at ${spec.feePpm} ppm on ${pancake.venue.id}`
  return [
    {
      label: `create ${named}`,
      ...{ from, to: factory, gas: 5_400_000n },
      data: encodeFunctionData({
        abi,
        functionName: 'createPool',
        args: [token0, token1, spec.feePpm],
      }),
    },
    {
      label: `initialize ${named}`,
      ...{ from, to: pool, gas: 200_000n },
      data: encodeFunctionData({ abi, functionName: 'initialize', args: [spec.sqrtPriceX96] }),
    },
    ...callerMintCalls(from, { router, pool, named, mint: 'mint' }, spec),
  ]
}

/** The pool of two tokens and a fee, whether it exists or not. */
export function pancakePoolOf(
  pancake: PancakeV3,
  { tokens, feePpm }: Pick<V3PoolSpec, 'tokens' | 'feePpm'>,
): DevnetPool {
  const address = poolAddressOf(pancake, { tokens, feePpm })
  return { address, venue: pancake.venue.id, family: 'uniswapV3', tokens, feePpm }
}

function poolAddressOf(
  { poolDeployer }: PancakeV3,
  { tokens, feePpm }: Pick<V3PoolSpec, 'tokens' | 'feePpm'>,
): Address {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const
  const salt = keccak256(encodeAbiParameters(types, [...tokens, feePpm]))
  const bytecode: Hex = creationCode.pancakeV3Pool()
  return lower(getContractAddress({ opcode: 'CREATE2', from: poolDeployer, salt, bytecode }))
}
