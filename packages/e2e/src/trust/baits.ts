// The attacker's tokens: what each does, and two pools of $100 that together are 2 % better than the market.

import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import {
  approveCall,
  type Call,
  createV3Pool,
  type Devnet,
  mintCalls,
  sortTokens,
  toSqrtPriceX96,
  type UniswapV3,
  v3SwapCall,
} from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { compileDoubles, deploy } from '../families/doubles/compile.js'
import { type Mood, moods } from './trustWorld.js'

/** What a token does to the orders that pass it. */
export const behaviours = [
  'pause',
  'tax',
  'burn out of a pool',
  'refusal of the executor alone',
  'tax above 2 % of the supply',
  'tax with fewer than 101 units',
  'limit on the largest transfer',
  'tax that is switched in every block',
  'blacklist of a pool',
  'halved balances',
] as const
type Behaviour = (typeof behaviours)[number]

/** One of the attacker's tokens. */
export type Bait = {
  readonly behaviour: Behaviour
  readonly token: Address
  /** The pool that pays the token out to victims, and the one that takes it. */
  readonly out: BaitPool
  readonly back: BaitPool
}

export type BaitPool = {
  readonly address: Address
  readonly other: Address
  readonly sqrtPriceX96: bigint
}

const ONE = 10n ** 18n
const HYPE_USD = 40
/** The dollars of a token on either side of a pool's price. */
const SIDE_USD = 50
/** Half of a position, in ticks: 0.5 %. */
const HALF_BAND = 50
const BETTER = 1.02
/** The same of a token in few units, by whose rounding an order loses as much. */
const BETTER_BY_UNIT = 1.05
const FEE_PPM = 100
/** More than a pool takes before it is at its first price. */
const ENOUGH = 2n ** 100n

const abi = parseAbi([
  'function setMood(uint8, address, uint256)',
  'function announce()',
  'function burn(address, uint256)',
  'function mint(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
])

/** The venue of the attacker's pools. */
export const venueOf = ({ deployments }: Devnet) =>
  deployments.find(({ venue }) => venue.id === 'devnet-v3b') as UniswapV3

/** The main tokens by symbol. */
export const tokensOf = ({ tokens }: Devnet) =>
  Object.fromEntries(tokens.map(({ symbol, address }) => [symbol, address])) as Readonly<
    Record<'USDC' | 'USD₮0' | 'UBTC' | 'UETH', Address>
  >

/** A token worth a dollar, sold for WHYPE and bought for dollars; with an odd number the other way round. */
export async function addBait(devnet: Devnet, behaviour: Behaviour, i: number): Promise<Bait> {
  const { MoodyToken } = compileDoubles(['MoodyToken.sol'])
  const token = await deploy(devnet, MoodyToken!)
  const unit = behaviour === 'tax with fewer than 101 units' ? 1 : 1e18
  const isSold = i % 2 === 0
  const gain = unit === 1 ? BETTER_BY_UNIT : BETTER
  const better = isSold ? 1 / gain : gain
  const hype = await addPool(
    devnet,
    { token, unit },
    devnet.wrappedNative,
    (better / HYPE_USD) * 1e18,
  )
  const dollars = await addPool(devnet, { token, unit }, tokensOf(devnet).USDC, 1e6)
  const { deployer } = devnet
  await devnet.execute([
    ...mintCalls(deployer, { token, to: deployer, amount: BigInt(unit) * 200n }),
    approveCall(token, { owner: deployer, spender: venueOf(devnet).router }),
  ])
  return {
    behaviour,
    token,
    ...(isSold ? { out: hype, back: dollars } : { out: dollars, back: hype }),
  }
}

/** A pool with $50 on either side of a price, in wei of the other token for one token. */
async function addPool(
  devnet: Devnet,
  { token, unit }: { readonly token: Address; readonly unit: number },
  other: Address,
  price: number,
): Promise<BaitPool> {
  const tokens = sortTokens(token, other)
  const isFirst = tokens[0] === token
  const perWei = price / unit
  const root = Math.sqrt(isFirst ? perWei : 1 / perWei)
  const sqrtPriceX96 = toSqrtPriceX96(root ** 2)
  const tick = Math.floor((2 * Math.log(root)) / Math.log(1.0001))
  const part = Math.expm1((HALF_BAND / 2) * Math.log(1.0001))
  const liquidity = BigInt(Math.round((SIDE_USD * unit * (isFirst ? root : 1 / root)) / part))
  const { address } = await createV3Pool(devnet, venueOf(devnet), {
    ...{ tokens, feePpm: FEE_PPM, sqrtPriceX96 },
    positions: [{ tickLower: tick - HALF_BAND, tickUpper: tick + HALF_BAND, liquidity }],
  })
  return { address, other, sqrtPriceX96 }
}

/** The call that changes what a token does. */
export function moodCall(
  devnet: Devnet,
  bait: Bait,
  mood: Mood,
  of: { subject?: Address; limit?: bigint } = {},
): Call {
  const args = [moods.indexOf(mood), of.subject ?? NATIVE, of.limit ?? 0n] as const
  return callToken(devnet, bait, encodeFunctionData({ abi, functionName: 'setMood', args }))
}

const callToken = ({ deployer }: Devnet, { token, behaviour }: Bait, data: Hex): Call => ({
  ...{ label: behaviour, from: deployer, to: token, data, gas: 300_000n },
})

/** The call by which a token tells in a log that it changed. */
export const announceCall = (devnet: Devnet, bait: Bait): Call =>
  callToken(devnet, bait, encodeFunctionData({ abi, functionName: 'announce' }))

/** The calls that end the good behaviour, and those that bring it back. */
export async function flipCalls(
  devnet: Devnet,
  bait: Bait,
): Promise<readonly [readonly Call[], readonly Call[]]> {
  const { token: address, out, back } = bait
  const mood = (name: Mood, of = {}) =>
    [[moodCall(devnet, bait, name, of)], [moodCall(devnet, bait, 'good')]] as const
  const { client, executor } = devnet
  switch (bait.behaviour) {
    case 'pause':
      return mood('paused')
    case 'burn out of a pool': {
      const held = await client.readContract({
        address,
        abi,
        functionName: 'balanceOf',
        args: [out.address],
      })
      const args = [out.address, held - 1n] as const
      const call = (functionName: 'burn' | 'mint') =>
        callToken(devnet, bait, encodeFunctionData({ abi, functionName, args }))
      return [[call('burn')], [call('mint')]]
    }
    case 'refusal of the executor alone':
      return mood('refuses', { subject: executor })
    case 'blacklist of a pool':
      return mood('refuses', { subject: back.address })
    case 'tax above 2 % of the supply':
      return mood('taxed', {
        limit: (await client.readContract({ address, abi, functionName: 'totalSupply' })) / 50n,
      })
    case 'limit on the largest transfer':
      return mood('limits', { limit: 5n * ONE })
    case 'halved balances':
      return mood('shrunk')
    default:
      return mood('taxed')
  }
}

/** The swaps that bring both pools back to their first prices; one that is there already reverts. */
export function armCalls(devnet: Devnet, { token, out, back }: Bait): readonly Call[] {
  const from = devnet.deployer
  const swap = (
    tokenIn: Address,
    tokenOut: Address,
    { sqrtPriceX96: sqrtPriceLimitX96 }: BaitPool,
  ) => ({
    ...v3SwapCall(venueOf(devnet), {
      ...{ from, tokenIn, tokenOut, feePpm: FEE_PPM, sqrtPriceLimitX96, amountIn: ENOUGH },
    }),
    gas: 300_000n,
  })
  return [swap(token, out.other, out), swap(back.other, token, back)]
}
