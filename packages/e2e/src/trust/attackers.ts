// Attackers with little money, each with one way in that is open to strangers: an end of an order, the price range of a
// pool, its ticks, their own swaps, the trials of a venue, a branch of the chain, and a token that somebody has listed.

import type { wire } from '@braid-swap/api'
import { type Address, NATIVE } from '@braid-swap/core'
import {
  approveCall,
  type Call,
  type Devnet,
  mintCalls,
  sortTokens,
  swapCall,
  toSqrtPriceX96,
  type UniswapV2,
  type UniswapV3,
} from '@braid-swap/devnet'
import { createV2Pool, createV3Pool } from '@braid-swap/devnet/testing'
import { encodeFunctionData } from 'viem'
import { compileDoubles, deploy } from '../families/doubles/compile.js'
import { type Attacker, HYPE_USD, ONE, tokensOf, type World } from './playAttacker.js'
import { type Mood, moods } from './trustWorld.js'

export const v2Of = (devnet: Devnet) => devnet.deployments[0] as UniswapV2
export const v3Of = (devnet: Devnet, id: string) =>
  devnet.deployments.find(({ venue }) => venue.id === id) as UniswapV3
const MoodyToken = () => compileDoubles(['MoodyToken.sol'])['MoodyToken']!

/** A token whose behaviour its owner changes, with a pair of so many dollars on each side. */
export async function addToken({ devnet, invest }: World, other: Address, dollars: number) {
  const token = await deploy(devnet, MoodyToken())
  const wei = other === tokensOf(devnet).USDC ? 1e6 : 1e18 / HYPE_USD
  await addPair(devnet, [token, other], [BigInt(dollars) * ONE, BigInt(Math.round(dollars * wei))])
  const { wallet, router } = devnet
  await devnet.execute([
    ...mintCalls(devnet.deployer, { token, to: wallet.address, amount: 1_000n * ONE }),
    approveCall(token, { owner: wallet.address, spender: router }),
  ])
  invest(dollars)
  return token
}

export function addPair(
  devnet: Devnet,
  tokens: readonly [Address, Address],
  amounts: readonly [bigint, bigint],
) {
  const sorted = sortTokens(...tokens)
  const isSame = sorted[0] === tokens[0]
  const own = isSame ? amounts : ([amounts[1], amounts[0]] as const)
  return createV2Pool(devnet, v2Of(devnet), { tokens: sorted, amounts: own })
}

function moodCall(
  { deployer }: Devnet,
  token: Address,
  mood: Mood,
  subject: Address = NATIVE,
): Call {
  const args = [moods.indexOf(mood), subject, 0n] as const
  const data = encodeFunctionData({ abi: MoodyToken().abi, functionName: 'setMood', args })
  return { label: mood, from: deployer, to: token, data, gas: 300_000n }
}

/** Whom a token may refuse, to make a swap revert wherever it likes. */
const STAGES: readonly Mood[] = ['paused', 'refuses', 'burns', 'skims', 'shrunk', 'limits']
const ROUNDS = 3

/** An attacker whose token is at one end of orders through good pools. */
const framing = (end: 'src' | 'dst'): Attacker => ({
  name: `framing at the ${end === 'src' ? 'start' : 'end'} of an order`,
  act: async (world) => {
    const { devnet, mine, ask } = world
    const { USDC, UBTC } = tokensOf(devnet)
    const token = await addToken(world, end === 'src' ? devnet.wrappedNative : USDC, 20)
    await mine()
    await mine()
    const good = devnet.pools.find(({ family }) => family === 'uniswapV2')!
    for (const mood of STAGES) {
      await devnet.execute([
        moodCall(devnet, token, mood, mood === 'skims' ? good.address : devnet.executor),
      ])
      await world.api.catchUp()
      for (let i = 0; i < ROUNDS; i++) {
        const amount = `${ONE / 100n + BigInt(i)}`
        await ask(
          end === 'src' ? { src: token, dst: USDC, amount } : { src: NATIVE, dst: token, amount },
        )
        await ask(
          end === 'src' ? { src: token, dst: UBTC, amount } : { src: NATIVE, dst: token, amount },
        )
      }
    }
  },
})

/** Pools of listed tokens whose price is at one end and their liquidity at the other: no call can afford a swap. */
const farPools: Attacker = {
  name: 'far pools',
  act: async ({ devnet, invest, mine }) => {
    const v3 = v3Of(devnet, 'devnet-v3b')
    const tokens = devnet.tokens.map(({ address }) => address).slice(1, 10)
    const known = new Set(
      devnet.pools.filter(({ venue }) => venue === v3.venue.id).map((pool) => pool.tokens.join()),
    )
    const pairs = tokens.flatMap((a, i) => tokens.slice(i + 1).map((b) => sortTokens(a, b)))
    const free = pairs.filter((pair) => !known.has(pair.join())).slice(0, 12)
    for (const [i, pair] of free.entries()) {
      const [price, tickLower] = i % 2 === 0 ? [1e-37, 250_000] : [1e37, -250_200]
      await createV3Pool(devnet, v3, {
        ...{ tokens: pair, feePpm: 100, sqrtPriceX96: toSqrtPriceX96(price) },
        positions: [{ tickLower, tickUpper: tickLower + 200, liquidity: 10n ** 13n }],
      })
    }
    invest(1)
    await mine()
  },
}

/** Positions of dust at every tick around the price of a deep pool. */
const dustTicks: Attacker = {
  name: 'dust ticks',
  act: async ({ devnet, api, invest, mine }) => {
    const v3 = v3Of(devnet, 'devnet-v3a')
    const { pools } = api.market.current()!.graph.snapshot
    const deep = pools.find(
      (pool) => pool.venue === v3.venue.id && pool.tokens.includes(devnet.wrappedNative),
    )
    if (deep?.family !== 'uniswapV3') throw new Error('no pool of the venue')
    const { tick, tickSpacing, feePpm, sqrtPriceX96, tokens } = deep
    const start = Math.floor(tick / tickSpacing) * tickSpacing
    const positions = Array.from({ length: 60 }, (_, i) => {
      const tickLower = start + (i - 30) * tickSpacing
      return { tickLower, tickUpper: tickLower + tickSpacing, liquidity: 10n ** 9n }
    })
    const spec = { tokens: [tokens[0]!, tokens[1]!] as const, feePpm, sqrtPriceX96, positions }
    await createV3Pool(devnet, v3, spec)
    invest(1)
    await mine()
  },
}

/** The call that makes the native token dearer in a pair that everyday orders use. */
function liftCall(devnet: Devnet): Call {
  const { deployments, pools, trader } = devnet
  const [tokenIn, tokenOut] = [tokensOf(devnet).USDC, devnet.wrappedNative]
  const pool = pools.find(
    ({ tokens, family }) =>
      family === 'uniswapV2' && tokens.includes(tokenIn) && tokens.includes(tokenOut),
  )!
  const deployment = deployments.find(({ venue }) => venue.id === pool.venue)!
  const amountIn = 5_000_000_000n
  return swapCall(deployment, { from: trader.address, tokenIn, tokenOut, pool, amountIn })
}

/** Swaps that revert for their sender alone: a receiver that takes nothing, a price that is gone. */
const ownReverts: Attacker = {
  name: 'reverts of the caller’s own making',
  act: async ({ devnet, api, mine, ask }) => {
    const { USDC, UBTC } = tokensOf(devnet)
    const receiver = devnet.multicall3
    const id = await devnet.client.snapshot()
    await devnet.execute([liftCall(devnet)])
    await api.catchUp()
    const block = `${api.market.current()!.graph.snapshot.block.number}`
    // The price goes back, so that everyday orders are held against the market as it was.
    await devnet.client.revert({ id })
    await devnet.mine(2)
    await api.catchUp()
    for (let i = 0; i < 20; i++) {
      await ask({ src: USDC, dst: NATIVE, amount: `${10_000_000 + i}`, receiver })
      await ask({ src: UBTC, dst: NATIVE, amount: `${10_000 + i}`, receiver })
      await ask({ src: NATIVE, dst: USDC, amount: `${ONE}`, block, slippage: '0' })
    }
    await mine()
  },
}

/** Pools of own tokens in a good venue, which refuse as soon as they are asked, and swaps that name them. */
const poisonedTrials: Attacker = {
  name: 'poisoned trials',
  act: async (world) => {
    const { devnet, mine, ask } = world
    const tokens: Address[] = []
    for (let i = 0; i < 6; i++) tokens.push(await addToken(world, devnet.wrappedNative, 10))
    await mine()
    await mine()
    await devnet.execute(
      tokens.map((token, i) => moodCall(devnet, token, STAGES[i]!, devnet.executor)),
    )
    await world.api.catchUp()
    for (let i = 0; i < 4; i++) {
      for (const dst of tokens) await ask({ src: NATIVE, dst, amount: `${ONE / 100n + BigInt(i)}` })
      await mine()
    }
  },
}

/** A token that behaves and does not, from block to block, while swaps for it are asked. */
const flapping: Attacker = {
  name: 'flapping',
  act: async (world) => {
    const { devnet, ask } = world
    const token = await addToken(world, devnet.wrappedNative, 20)
    let block = 0
    return async () => {
      block += 1
      await devnet.send([moodCall(devnet, token, block % 2 === 0 ? 'good' : 'paused')])
      if (block % 3 === 0) await ask({ src: NATIVE, dst: token, amount: `${ONE / 100n}` })
    }
  },
}

/** Swaps of prices on branches that are gone. */
const reorganisations: Attacker = {
  name: 'reorganisations used to frame',
  act: async ({ devnet, api, ask }) => {
    for (let i = 0; i < 6; i++) {
      const id = await devnet.client.snapshot()
      await devnet.execute([liftCall(devnet)])
      await api.catchUp()
      const block = `${api.market.current()!.graph.snapshot.block.number}`
      await devnet.client.revert({ id })
      const order = { src: NATIVE, dst: tokensOf(devnet).USDC, amount: `${10n * ONE + BigInt(i)}` }
      // The API does not know yet that its newest block is gone, and then it does.
      await ask({ ...order, slippage: '0' })
      await ask({ ...order, block, slippage: '0' })
      await devnet.mine(2)
      await api.catchUp()
      await ask({ ...order, block, slippage: '0' })
    }
  },
}

/** Blocks in which a new pool and its token are tested. */
const BLOCKS_TO_TRUST = 5

/** A token that the operator lets in, with the best price for dollars, pauses without a word. */
const turnsBad: Attacker = {
  name: 'a listed token that turns bad',
  // Only a revert tells of it.
  mayRefuse: [7, 1],
  prepare: async (devnet) => {
    const token = await deploy(devnet, MoodyToken())
    await addPair(devnet, [token, devnet.wrappedNative], [100n * ONE, (5n * ONE) / 2n])
    await addPair(devnet, [token, tokensOf(devnet).USDC], [100n * ONE, 103_000_000n])
    return { listed: [token] }
  },
  act: async ({ devnet, invest, api, mine }, [token]) => {
    invest(200)
    const { address: from } = devnet.wallet
    const order = { src: NATIVE, dst: tokensOf(devnet).USDC, amount: `${ONE}`, from, slippage: '1' }
    const passes = async () => {
      const { body } = await api.get<wire.SwapBody>('/swap/v1/999/swap', order)
      return body.tx.data.includes(token!.slice(2))
    }
    for (let i = 0; i < BLOCKS_TO_TRUST && !(await passes()); i++) await mine()
    if (!(await passes())) throw new Error('the best price attracts no order')
    await devnet.execute([moodCall(devnet, token!, 'paused')])
    await api.catchUp()
  },
}

/** Every attacker, and nobody for comparison. */
export const attackers: readonly Attacker[] = [
  { name: 'nobody', act: async () => {} },
  framing('dst'),
  framing('src'),
  farPools,
  dustTicks,
  ownReverts,
  poisonedTrials,
  flapping,
  reorganisations,
  turnsBad,
]
