import type { AlgebraIntegralPool } from '@braid-swap/core/families'
import {
  type AlgebraIntegral,
  algebraMintCall,
  algebraSwapCall,
  type Call,
} from '@braid-swap/devnet'
import { encodeFunctionData, maxUint128, parseAbi } from 'viem'
import { anyAmount } from './amounts.js'
import type { BareChain } from './bareChain.js'
import { anyInteger } from './integers.js'

const abi = parseAbi([
  'struct Config { uint16 alpha1; uint16 alpha2; uint32 beta1; uint32 beta2; uint16 gamma1; uint16 gamma2; uint16 baseFee; }',
  'function changeFeeConfiguration(Config)',
  'function setTickSpacing(int24)',
  'function setFee(uint16)',
  'function setBaseFee(uint16)',
  'function setPriceChangeFactor(uint16)',
  'function totalSupply() view returns (uint256)',
  'function positions(uint256) view returns (uint88, address, address, address, address, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(Decrease)',
  'struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function collect(Collect)',
])
const GAS = 3_000_000n
const SPACING = 60

/** The pools and contracts that the moves change. */
export type AlgebraWorld = { readonly bare: BareChain; readonly algebra: AlgebraIntegral }

/** One random move of a pool: a swap, a mint, a burn, or a change of a setting. */
export async function anyAlgebraMove(
  world: AlgebraWorld,
  pool: AlgebraIntegralPool,
): Promise<readonly Call[]> {
  const { random } = world.bare
  const moves = [swap, swap, swap, swap, swap, mint, mint, burn, burn, configureFee, setSpacing]
  return random.pick(moves)(world, pool)
}

/** The moves that change a setting or an existing position, by name. */
export const algebraSettings = { burn, configureFee, setSpacing }

function swap({ bare, algebra }: AlgebraWorld, pool: AlgebraIntegralPool): readonly Call[] {
  const { random, trader: from } = bare
  const direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const amountIn = anyAmount(random, pool, direction)
  const [tokenIn, tokenOut] = direction.in === 0 ? pool.tokens : pool.tokens.toReversed()
  const call = algebraSwapCall(algebra, {
    ...{ from, amountIn, tokenIn: tokenIn!, tokenOut: tokenOut! },
  })
  return [{ ...call, gas: GAS }]
}

/** A range around the price, or on ticks of other positions. */
function mint({ bare, algebra }: AlgebraWorld, pool: AlgebraIntegralPool): readonly Call[] {
  const { random, chain } = bare
  const middle = Math.round((pool.tick + random.normal() * 2_000) / SPACING)
  const half = anyInteger(random, 1, 60)
  const [tickLower, tickUpper] = [(middle - half) * SPACING, (middle + half) * SPACING]
  const used = random.next() < 0.5 ? pool.ticks.find(({ index }) => index < tickUpper) : undefined
  const anyWei = () => 10n ** BigInt(anyInteger(random, 3, 26))
  const manager = { from: chain.deployer, positionManager: algebra.positionManager }
  return [
    algebraMintCall(manager, {
      ...{ tokens: pool.tokens, tickLower: used?.index ?? tickLower, tickUpper },
      amounts: [anyWei(), anyWei()],
    }),
  ]
}

/** Burns all, half or none of a position, and collects what it is owed. */
async function burn({ bare, algebra }: AlgebraWorld): Promise<readonly Call[]> {
  const { random, chain } = bare
  const { client, deployer: from } = chain
  const to = algebra.positionManager
  const read = { address: to, abi } as const
  const supply = await client.readContract({ ...read, functionName: 'totalSupply' })
  const tokenId = BigInt(anyInteger(random, 1, Number(supply)))
  const position = await client.readContract({
    ...{ ...read, functionName: 'positions', args: [tokenId] },
  })
  const liquidity = random.pick([position[7], position[7] / 2n, 1n])
  const decrease = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: 1n << 63n }
  const most = { amount0Max: maxUint128, amount1Max: maxUint128 }
  const call = { label: 'burn', from, to, gas: GAS }
  return [
    {
      ...call,
      data: encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args: [decrease] }),
    },
    {
      ...call,
      data: encodeFunctionData({
        ...{ abi, functionName: 'collect', args: [{ tokenId, recipient: from, ...most }] },
      }),
    },
  ]
}

/** Changes a setting of the plugin, which emits its own log, or of a pool without a plugin. */
function configureFee({ bare }: AlgebraWorld, pool: AlgebraIntegralPool): readonly Call[] {
  const { random, chain } = bare
  const call = { label: 'configure the fee', from: chain.deployer, gas: GAS }
  if (!pool.watched) {
    const args = [anyInteger(random, 0, 9_000)] as const
    return [
      { ...call, to: pool.id, data: encodeFunctionData({ abi, functionName: 'setFee', args }) },
    ]
  }
  if (pool.slidingFee) {
    const to = pool.watched[0]!
    return (['setBaseFee', 'setPriceChangeFactor'] as const).map((functionName) => {
      const data = encodeFunctionData({ abi, functionName, args: [anyInteger(random, 0, 9_000)] })
      return { ...call, to, data }
    })
  }
  const config = {
    ...{ alpha1: anyInteger(random, 0, 9_000), alpha2: anyInteger(random, 0, 20_000) },
    ...{ beta1: anyInteger(random, 0, 1_000), beta2: anyInteger(random, 0, 90_000) },
    ...{ gamma1: anyInteger(random, 1, 200), gamma2: anyInteger(random, 1, 20_000) },
    baseFee: anyInteger(random, 1, 5_000),
  }
  const data = encodeFunctionData({ abi, functionName: 'changeFeeConfiguration', args: [config] })
  return [{ ...call, to: pool.watched[0]!, data }]
}

/** Changes the tick spacing for later positions; existing positions keep their ticks. */
function setSpacing({ bare }: AlgebraWorld, pool: AlgebraIntegralPool): readonly Call[] {
  const data = encodeFunctionData({
    ...{ abi, functionName: 'setTickSpacing', args: [bare.random.pick([20, 30, SPACING])] },
  })
  return [{ label: 'set the spacing', from: bare.chain.deployer, to: pool.id, data, gas: GAS }]
}
