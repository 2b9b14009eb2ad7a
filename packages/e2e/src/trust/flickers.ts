// Attackers that take back what they show: liquidity at the best price that is there in the block in which an order is
// quoted, and gone, less, or dearer in the block in which it is filled.

import { poolCallerAbi, poolCallerBytecode } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import type { UniswapV3Pool } from '@braid-swap/core/families'
import {
  amountsOf,
  approveCall,
  type Call,
  mintCalls,
  type Position,
  sortTokens,
} from '@braid-swap/devnet'
import { createV3Pool } from '@braid-swap/devnet/testing'
import { type ContractFunctionArgs, encodeFunctionData } from 'viem'
import { deploy } from '../families/doubles/compile.js'
import { v3Of } from './attackers.js'
import { type Attacker, tokensOf, type World } from './playAttacker.js'

/** The fee of the attacker's pools, which is the least. */
const FEE_PPM = 100
const DOLLARS_A_POOL = 225

type Own = {
  readonly pool: Address
  readonly position: Position
  /** Wei of either token in the pool. */
  readonly amounts: readonly [bigint, bigint]
}
type Name = 'mint' | 'burn' | 'swap'
type Act = (
  name: Name,
  args: ContractFunctionArgs<typeof poolCallerAbi, 'nonpayable', Name>,
) => Call

/** Pools of the everyday pairs, each with so many ticks on either side of the price of the deepest pool of its pair. */
async function addPools({ devnet, api, invest }: World, ticks: number) {
  const { USDC, 'USD₮0': USDT, UBTC, UETH } = tokensOf(devnet)
  const v3 = v3Of(devnet, 'devnet-v3a')
  const { deployer: owner, wrappedNative } = devnet
  const spender = await deploy(devnet, { abi: poolCallerAbi, bytecode: poolCallerBytecode })
  const { pools } = api.market.current()!.graph.snapshot
  const own: Own[] = []
  for (const [token, dollar] of [
    ...[[wrappedNative, USDC] as const, [wrappedNative, USDT] as const],
    ...[[UBTC, USDC] as const, [UETH, USDC] as const],
  ]) {
    const tokens = sortTokens(token, dollar)
    const deep = pools
      .filter((one): one is UniswapV3Pool => one.family === 'uniswapV3')
      .filter((one) => one.tokens.join() === tokens.join())
      .reduce((a, b) => (a.liquidity > b.liquidity ? a : b))
    const { sqrtPriceX96, tick } = deep
    const range = { tickLower: tick - ticks, tickUpper: tick + ticks }
    const unit = amountsOf({ ...range, liquidity: 10n ** 18n }, sqrtPriceX96)
    const wei = BigInt((DOLLARS_A_POOL / 2) * 1e6)
    const liquidity = (10n ** 18n * wei) / unit[tokens.indexOf(dollar)]!
    const spec = { tokens, feePpm: FEE_PPM, sqrtPriceX96, positions: [] }
    const { address } = await createV3Pool(devnet, v3, spec)
    const position = { ...range, liquidity }
    own.push({ pool: address, position, amounts: amountsOf(position, sqrtPriceX96) })
    invest(DOLLARS_A_POOL)
  }
  await devnet.execute(
    [wrappedNative, USDC, USDT, UBTC, UETH].flatMap((token) => [
      ...mintCalls(owner, { token, to: owner, amount: 10n ** 22n }),
      approveCall(token, { owner, spender }),
    ]),
  )
  const act: Act = (functionName, args) => ({
    ...{ label: functionName, from: owner, to: spender, gas: 400_000n },
    data: encodeFunctionData({ abi: poolCallerAbi, functionName, args } as never),
  })
  return { own, act }
}

/** Whether an order may be quoted by the pools in the block that so many others came before. */
type Shows = (block: number) => boolean

/** Liquidity that is in the pools in some blocks, and but a part of it in the others. */
const flickering = (name: string, shows: Shows, left = 0n): Attacker => ({
  name,
  act: async (world) => {
    const { devnet, mine } = world
    const { own, act } = await addPools(world, 20)
    const move = (isIn: boolean, part: bigint) =>
      own.map(({ pool, position: { tickLower, tickUpper, liquidity } }) => {
        const args = [pool, tickLower, tickUpper, (liquidity * part) / 100n] as const
        return act(isIn ? 'mint' : 'burn', args)
      })
    let isIn = shows(0)
    const first = isIn ? 100n : left
    if (first > 0n) await devnet.execute(move(true, first))
    await mine()
    let block = 0
    return async () => {
      block += 1
      if (isIn === shows(block)) return
      isIn = !isIn
      await devnet.send(move(isIn, 100n - left))
    }
  },
})

/** A price that is the market’s in every second block, and a percent from it in the others; from 2 % on, others take it. */
const swaying: Attacker = {
  name: 'a price of every second block',
  // One fall may be anybody's trade: the second one tells.
  mayRefuse: [7, 3],
  act: async (world) => {
    const { devnet, mine } = world
    const { own, act } = await addPools(world, 200)
    const sway = (isBack: boolean) =>
      own.map(({ pool, amounts }) =>
        act('swap', [pool, isBack, (amounts[isBack ? 0 : 1] * 11n) / 20n]),
      )
    await devnet.execute(
      own.map(({ pool, position: { tickLower, tickUpper, liquidity } }) =>
        act('mint', [pool, tickLower, tickUpper, liquidity]),
      ),
    )
    await devnet.execute(sway(false))
    await mine()
    let isBack = false
    return async () => {
      isBack = !isBack
      await devnet.send(sway(isBack))
    }
  },
}

/** Attackers by how often they show their liquidity, and how much of it they take back. */
export const flickers: readonly Attacker[] = [
  flickering('liquidity of every second block', (block) => block % 2 === 1),
  flickering('liquidity of every third block', (block) => block % 3 === 2),
  flickering('liquidity of which a tenth stays', (block) => block % 2 === 1, 10n),
  swaying,
]
