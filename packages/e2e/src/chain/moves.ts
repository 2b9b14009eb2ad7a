import { poolCallerAbi } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import {
  type Call,
  createV2Pool,
  createV3Pool,
  type DevnetPool,
  fullRange,
  mintCalls,
  sortTokens,
  swapCall,
} from '@braid-swap/devnet'
import { encodeFunctionData, maxUint128, parseAbi } from 'viem'
import { type ChainWorld, v3Spec } from './world.js'

/** A seeded source of whole numbers below a bound. */
export type Dice = (below: number) => number

/** Mulberry32: small, seeded, good enough to choose moves. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const positionAbi = parseAbi([
  'function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline)) payable returns (uint256, uint128, uint256, uint256)',
  'function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline)) payable returns (uint256, uint256)',
  'function collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max)) payable returns (uint256, uint256)',
  'function positions(uint256) view returns (uint96, address, address, address, uint24, int24, int24, uint128, uint256, uint256, uint128, uint128)',
  'function totalSupply() view returns (uint256)',
])
const pairAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function burn(address) returns (uint256, uint256)',
  'function sync()',
])
const DEADLINE = 2n ** 63n

/** One random move of the market, as transactions to send. */
export async function anyMove(world: ChainWorld, dice: Dice): Promise<readonly Call[]> {
  const moves = [
    swapAny,
    swapAny,
    swapAny,
    swapAny,
    mintAny,
    mintAny,
    burnAny,
    burnAny,
    burnPair,
    burnPancake,
  ]
  return moves[dice(moves.length)]!(world, dice)
}

/** A swap through any pool, in either direction, from dust to a large part of the pool. */
export function swapAny(world: ChainWorld, dice: Dice): readonly Call[] {
  return [swapOf(world, world.pools[dice(world.pools.length)]!, dice)]
}

/** A swap through one pool. */
export function swapOf(world: ChainWorld, pool: DevnetPool, dice: Dice): Call {
  const [tokenIn, tokenOut] = dice(2) === 0 ? pool.tokens : [pool.tokens[1], pool.tokens[0]]
  const amountIn = BigInt(1 + dice(999)) * 10n ** BigInt(14 + dice(9))
  const { v2, v3, pancake } = world
  const deployment = [v2, v3, pancake].find(({ venue }) => venue.id === pool.venue)!
  return swapCall(deployment, { pool, from: world.trader, tokenIn, tokenOut, amountIn })
}

/** A new position in any V3-shaped pool: anywhere, next to the price, or on used ticks. */
export function mintAny(world: ChainWorld, dice: Dice): readonly Call[] {
  const pools = world.pools.filter(({ family }) => family === 'uniswapV3')
  const pool = pools[dice(pools.length)]!
  const { deployer } = world.chain
  const isPancake = pool.venue === world.pancake.venue.id
  const spacing = (isPancake ? world.pancake : world.v3).tickSpacings[pool.feePpm]!
  const low = (dice(40) - 20) * spacing
  const range =
    dice(6) === 0
      ? fullRange(spacing)
      : { tickLower: low, tickUpper: low + (1 + dice(20)) * spacing }
  const amount = BigInt(1 + dice(999)) * 10n ** BigInt(15 + dice(6))
  if (isPancake) return [callerCall(world, pool, { functionName: 'mint', range, amount })]
  const [token0, token1] = pool.tokens
  const { positionManager } = world.v3
  return [
    ...pool.tokens.flatMap((token) => mintCalls(deployer, { token, to: deployer, amount })),
    {
      label: 'mint a position',
      from: deployer,
      to: positionManager,
      data: encodeFunctionData({
        abi: positionAbi,
        functionName: 'mint',
        args: [
          {
            ...{ token0, token1, fee: pool.feePpm, ...range },
            ...{ amount0Desired: amount, amount1Desired: amount, amount0Min: 0n, amount1Min: 0n },
            ...{ recipient: deployer, deadline: DEADLINE },
          },
        ],
      }),
      gas: 900_000n,
    },
  ]
}

/** Burns a part or none of a PancakeSwap pool's initial positions. */
export function burnPancake(world: ChainWorld, dice: Dice): readonly Call[] {
  const pools = world.pools.filter(({ venue }) => venue === world.pancake.venue.id)
  const pool = pools[dice(pools.length)]!
  const { positions } = v3Spec(world.pancake, pool.tokens, pool.feePpm)
  const { liquidity, ...range } = positions[dice(positions.length)]!
  const amount = (liquidity * BigInt(dice(20))) / 100n
  return [callerCall(world, pool, { functionName: 'burn', range, amount })]
}

function callerCall(
  { chain, pancake }: ChainWorld,
  pool: DevnetPool,
  change: {
    readonly functionName: 'mint' | 'burn'
    readonly range: { readonly tickLower: number; readonly tickUpper: number }
    readonly amount: bigint
  },
): Call {
  const { functionName, range, amount } = change
  return {
    label: `${functionName} a position`,
    ...{ from: chain.deployer, to: pancake.router, gas: 900_000n },
    data: encodeFunctionData({
      abi: poolCallerAbi,
      functionName,
      args: [pool.address, range.tickLower, range.tickUpper, amount],
    }),
  }
}

/** Burns a part, all or none of a position's liquidity, and collects. */
export async function burnAny(world: ChainWorld, dice: Dice): Promise<readonly Call[]> {
  const { client, deployer } = world.chain
  const { positionManager } = world.v3
  const read = { address: positionManager, abi: positionAbi } as const
  const supply = await client.readContract({ ...read, functionName: 'totalSupply' })
  const tokenId = BigInt(1 + dice(Number(supply)))
  const position = await client.readContract({
    ...read,
    functionName: 'positions',
    args: [tokenId],
  })
  const liquidity = [position[7], position[7] / 2n, 0n][dice(3)]!
  const to = positionManager
  const collect = encodeFunctionData({
    abi: positionAbi,
    functionName: 'collect',
    args: [{ tokenId, recipient: deployer, amount0Max: maxUint128, amount1Max: maxUint128 }],
  })
  const calls: Call[] = []
  if (liquidity > 0n) {
    const data = encodeFunctionData({
      abi: positionAbi,
      functionName: 'decreaseLiquidity',
      args: [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: DEADLINE }],
    })
    calls.push({ label: 'decrease liquidity', from: deployer, to, data, gas: 600_000n })
  }
  // A collect of nothing reverts, so a position with liquidity is first updated by a burn of zero.
  if (liquidity > 0n || position[7] > 0n) {
    const after = liquidity > 0n
    if (after) calls.push({ label: 'collect', from: deployer, to, data: collect, gas: 600_000n })
  }
  return calls
}

/** Burns liquidity of a V2 pool, or syncs the pool. */
export async function burnPair(world: ChainWorld, dice: Dice): Promise<readonly Call[]> {
  const { client, deployer } = world.chain
  const pairs = world.pools.filter(({ family }) => family === 'uniswapV2')
  const pair = pairs[dice(pairs.length)]!.address
  const balance = await client.readContract({
    address: pair,
    abi: pairAbi,
    functionName: 'balanceOf',
    args: [deployer],
  })
  const call = (label: string, data: `0x${string}`): Call => ({
    ...{ label, from: deployer, to: pair, data, gas: 400_000n },
  })
  if (dice(2) === 0)
    return [call('sync', encodeFunctionData({ abi: pairAbi, functionName: 'sync' }))]
  const amount = balance / BigInt(2 + dice(50))
  return [
    call(
      'send liquidity back',
      encodeFunctionData({ abi: pairAbi, functionName: 'transfer', args: [pair, amount] }),
    ),
    call(
      'burn liquidity',
      encodeFunctionData({ abi: pairAbi, functionName: 'burn', args: [deployer] }),
    ),
  ]
}

/** Creates one V2 and one V3 pool of two tokens without a common pool. */
export async function createPools(
  world: ChainWorld,
  [x, y]: readonly [Address, Address],
  feePpm = 3000,
): Promise<readonly DevnetPool[]> {
  const { chain, v2, v3 } = world
  const tokens = sortTokens(x, y)
  return [
    await createV2Pool(chain, v2, { tokens, amounts: [10n ** 20n, 10n ** 20n] }),
    await createV3Pool(chain, v3, v3Spec(v3, tokens, feePpm)),
  ]
}
