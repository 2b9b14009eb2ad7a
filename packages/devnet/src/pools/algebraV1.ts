import type { Venue } from '@braid-swap/chain'
import { poolCallerBytecode } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import {
  encodeAbiParameters,
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
 * An Algebra V1 deployment: factory and pools of its v1-core, version 1.0. No periphery of it is
 * published, so positions and swaps go through the devnet's own caller contract.
 */
export type AlgebraV1 = {
  readonly kind: 'algebraV1'
  readonly family: 'algebraV1'
  readonly venue: Venue
  readonly factory: Address
  readonly poolDeployer: Address
  /** Mints, burns and swaps for any account that approved it. */
  readonly router: Address
  /** Tick spacing of pools by their initial fee in ppm. */
  readonly tickSpacings: Readonly<Record<number, number>>
}

/** The initial state of a pool; the pool sets its fee itself. */
export type AlgebraV1PoolSpec = Omit<V3PoolSpec, 'feePpm'>

/** BASE_FEE and TICK_SPACING of v1-core. */
const TICK_SPACINGS = { 100: 60 }

const abi = parseAbi([
  'function setFactory(address factory)',
  'function createPool(address tokenA, address tokenB) returns (address pool)',
  'function initialize(uint160 initialPrice)',
])

/** Deploys an unmodified Algebra V1 as a venue with this id. */
export async function deployAlgebraV1(chain: Chain, id: string): Promise<AlgebraV1> {
  const { client, deployer: from } = chain
  const fromBlock = (await client.getBlockNumber()) + 1n
  const [poolDeployer, router] = await deploy(chain, [
    {
      label: 'AlgebraPoolDeployer',
      code: creationCode.algebraV1PoolDeployer(),
      args: [],
      gas: 6_500_000n,
    },
    { label: 'PoolCaller', code: poolCallerBytecode, args: [], gas: 2_000_000n },
  ])
  // The second argument receives the community fee, which is zero.
  const [factory] = await deploy(chain, [
    {
      label: 'AlgebraFactory',
      code: creationCode.algebraV1Factory(),
      args: [poolDeployer!, from],
      gas: 4_500_000n,
    },
  ])
  await chain.execute([
    {
      label: `set the factory of ${id}`,
      ...{ from, to: poolDeployer!, gas: 100_000n },
      data: encodeFunctionData({ abi, functionName: 'setFactory', args: [factory!] }),
    },
  ])
  return {
    ...{ kind: 'algebraV1', family: 'algebraV1' },
    venue: { id, family: 'algebraV1', factory: factory!, fromBlock },
    ...{ factory: factory!, poolDeployer: poolDeployer!, router: router! },
    tickSpacings: TICK_SPACINGS,
  }
}

/** The calls that create a pool and mint its positions, paid by the deployer. */
export function algebraV1PoolCalls(
  { deployer: from }: Chain,
  algebra: AlgebraV1,
  spec: AlgebraV1PoolSpec,
): readonly Call[] {
  checkTokenOrder(spec.tokens)
  const { router, factory, venue } = algebra
  const pool = poolAddressOf(algebra, spec)
  const named = `${spec.tokens.join('/')} on ${venue.id}`
  return [
    {
      label: `create ${named}`,
      ...{ from, to: factory, gas: 9_000_000n },
      data: encodeFunctionData({ abi, functionName: 'createPool', args: spec.tokens }),
    },
    {
      label: `initialize ${named}`,
      ...{ from, to: pool, gas: 300_000n },
      data: encodeFunctionData({ abi, functionName: 'initialize', args: [spec.sqrtPriceX96] }),
    },
    ...callerMintCalls(from, { router, pool, named, mint: 'mintAlgebra' }, spec),
  ]
}

/** The pool of two tokens, whether it exists or not. */
export function algebraV1PoolOf(
  algebra: AlgebraV1,
  { tokens, feePpm }: Pick<DevnetPool, 'tokens' | 'feePpm'>,
): DevnetPool {
  const address = poolAddressOf(algebra, { tokens })
  return { address, venue: algebra.venue.id, family: 'algebraV1', tokens, feePpm }
}

function poolAddressOf(
  { poolDeployer }: AlgebraV1,
  { tokens }: Pick<DevnetPool, 'tokens'>,
): Address {
  const types = [{ type: 'address' }, { type: 'address' }] as const
  const salt = keccak256(encodeAbiParameters(types, [...tokens]))
  const bytecode = creationCode.algebraV1Pool()
  return lower(getContractAddress({ opcode: 'CREATE2', from: poolDeployer, salt, bytecode }))
}
