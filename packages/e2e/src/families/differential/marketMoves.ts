import { poolCallerAbi } from '@braid-swap/contracts/testing'
import type { Address, Direction, Pool } from '@braid-swap/core'
import {
  type AlgebraIntegralPool,
  type AlgebraV1Pool,
  toCurve,
  type UniswapV2Pool,
  type UniswapV3Pool,
} from '@braid-swap/core/families'
import {
  type AlgebraIntegral,
  type AlgebraV1,
  algebraMintCall,
  amountsOf,
  approveCall,
  type Call,
  type Deployment,
  type Devnet,
  mintCalls,
  type Random,
  swapCall,
} from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { algebraSettings } from './algebraIntegralMoves.js'
import { algebraV1Settings } from './algebraV1Pools.js'
import { anyInteger } from './integers.js'

const abi = parseAbi([
  'function transfer(address, uint256) returns (bool)',
  'function mint(address) returns (uint256)',
  'function burn(address) returns (uint256, uint256)',
  'function sync()',
  'function skim(address)',
  'function setFeeProtocol(uint8, uint8)',
])
const pancakeAbi = parseAbi(['function setFeeProtocol(address, uint32, uint32)'])
const GAS = 3_000_000n

/** A pool of the devnet with ticks. */
type RangedPool = UniswapV3Pool | AlgebraIntegralPool | AlgebraV1Pool
type Position = { readonly lower: number; readonly upper: number; readonly liquidity: bigint }

/** The devnet, and the positions that the moves have minted through the caller, by pool. */
export type MovedMarket = {
  readonly devnet: Devnet
  readonly random: Random
  /** Mints and burns in pools of the Uniswap V3 kind for the deployer. */
  readonly caller: Address
  readonly positions: Map<string, Position[]>
}

/** A move of one pool and its calls; the pool may refuse some of them. */
export type Move = { readonly kind: string; readonly calls: readonly Call[] }

type Mover<D, P> = (
  market: MovedMarket,
  on: { readonly deployment: D; readonly pool: P },
) => readonly Call[] | Promise<readonly Call[]>
type Kinds = { readonly [kind: string]: Mover<never, never> }

/** The moves of each kind of pool; swaps are twice as likely as all others. */
const movers: { readonly [K in Deployment['kind']]: Kinds } = {
  uniswapV2: { mint: mintPair, burn: burnPair, sync: donate },
  uniswapV3: { mint: mintRange, burn: burnRange, feeProtocol: keepFees },
  pancakeV3: { mint: mintRange, burn: burnRange, feeProtocol: keepPancakeFees },
  algebraIntegral: {
    mint: mintAlgebra,
    burn: (market, { deployment }: Integral) => algebraSettings.burn(worldOf(market, deployment)),
    feeConfiguration: (market, { deployment, pool }: Integral) =>
      algebraSettings.configureFee(worldOf(market, deployment), pool),
    tickSpacing: (market, { deployment, pool }: Integral) =>
      algebraSettings.setSpacing(worldOf(market, deployment), pool),
  },
  algebraV1: {
    mint: mintRange,
    burn: burnRange,
    feeConfiguration: (market, { deployment, pool }: V1) => [
      algebraV1Settings.configureFee(worldOf(market, deployment), pool),
    ],
    communityFee: (market, { deployment, pool }: V1) => [
      algebraV1Settings.keepFees(worldOf(market, deployment), pool),
    ],
  },
}

type Integral = { readonly deployment: AlgebraIntegral; readonly pool: AlgebraIntegralPool }
type V1 = { readonly deployment: AlgebraV1; readonly pool: AlgebraV1Pool }

/** One random move of a pool in the given state. */
export async function anyMarketMove(
  market: MovedMarket,
  deployment: Deployment,
  pool: Pool,
): Promise<Move> {
  const kinds = Object.entries(movers[deployment.kind]) as [string, Mover<Deployment, Pool>][]
  const [kind, mover] =
    market.random.next() < 2 / 3 ? (['swap', swap] as const) : market.random.pick(kinds)
  return { kind, calls: await mover(market, { deployment, pool }) }
}

/** Gives the deployer plenty of the pools' tokens, and approves the callers for them. */
export async function fundMovers(
  { devnet, caller }: Pick<MovedMarket, 'devnet' | 'caller'>,
  tokens: readonly Address[],
): Promise<void> {
  const { deployer: owner, wrappedNative, deployments } = devnet
  const spenders = [...deployments.map(({ router }) => router), caller].concat(
    deployments.flatMap((deployment) =>
      'positionManager' in deployment ? [deployment.positionManager] : [],
    ),
  )
  await devnet.execute(
    tokens.flatMap((token) => [
      // Wrapped from the deployer's native tokens.
      ...mintCalls(owner, {
        token,
        to: owner,
        amount: token === wrappedNative ? 10n ** 29n : 10n ** 40n,
      }),
      ...[...new Set(spenders)].map((spender) => approveCall(token, { owner, spender })),
    ]),
  )
}

/** The part of the price that is left after the largest swaps. */
const PRICE_LEFT = 0.95

/** A swap in either direction, from dust to an amount that moves the price by a twentieth. */
function swap(
  { random, devnet }: MovedMarket,
  { deployment, pool }: { readonly deployment: Deployment; readonly pool: Pool },
): readonly Call[] {
  const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
  const curve = toCurve(pool, direction)
  const most = curve.inputAt(curve.price(0) * PRICE_LEFT)
  const amountIn = BigInt(Math.ceil(most * 10 ** (-6 * random.next())))
  const { id: address, venue } = pool
  const { family } = deployment
  const { feePpm, tokens } = pool as UniswapV2Pool
  const call = swapCall(deployment, {
    ...{ pool: { address, venue, family, tokens, feePpm }, from: devnet.trader.address },
    ...{ tokenIn, tokenOut, amountIn },
  })
  return [{ ...call, gas: GAS }]
}

const callOf = ({ devnet }: MovedMarket, to: Address, data: Call['data'] & {}): Call => ({
  ...{ label: 'move', from: devnet.deployer, to, data, gas: GAS },
})

function mintPair(market: MovedMarket, { pool }: { readonly pool: UniswapV2Pool }) {
  const { random, devnet } = market
  const part = BigInt(anyInteger(random, 3, 200))
  const sent = pool.tokens.map((token, i) => {
    const args = [pool.id, pool.reserves[i as 0 | 1] / part + 1n] as const
    return callOf(market, token, encodeFunctionData({ abi, functionName: 'transfer', args }))
  })
  const args = [devnet.deployer] as const
  return [...sent, callOf(market, pool.id, encodeFunctionData({ abi, functionName: 'mint', args }))]
}

/** Burns a part of the deployer's shares of the pair. */
async function burnPair(market: MovedMarket, { pool }: { readonly pool: UniswapV2Pool }) {
  const { random, devnet } = market
  const held = await devnet.client.readContract({
    ...{ address: pool.id, abi: parseAbi(['function balanceOf(address) view returns (uint256)']) },
    ...{ functionName: 'balanceOf', args: [devnet.deployer] },
  })
  const amount = held / BigInt(anyInteger(random, 4, 200))
  const sent = encodeFunctionData({ abi, functionName: 'transfer', args: [pool.id, amount] })
  const burnt = encodeFunctionData({ abi, functionName: 'burn', args: [devnet.deployer] })
  return [callOf(market, pool.id, sent), callOf(market, pool.id, burnt)]
}

/** A donation of tokens, followed by the pair's sync or skim. */
function donate(market: MovedMarket, { pool }: { readonly pool: UniswapV2Pool }) {
  const { random, devnet } = market
  const args = [pool.id, pool.reserves[0] / BigInt(anyInteger(random, 50, 5_000)) + 1n] as const
  const counted =
    random.next() < 0.7
      ? encodeFunctionData({ abi, functionName: 'sync' })
      : encodeFunctionData({ abi, functionName: 'skim', args: [devnet.deployer] })
  return [
    callOf(market, pool.tokens[0], encodeFunctionData({ abi, functionName: 'transfer', args })),
    callOf(market, pool.id, counted),
  ]
}

/** A mint near the price or on a used tick, with a part of the liquidity in range. */
function anyPosition(
  { random }: MovedMarket,
  { deployment, pool }: { readonly deployment: Deployment; readonly pool: RangedPool },
): Position {
  const { tickSpacings } = deployment as { readonly tickSpacings: Readonly<Record<number, number>> }
  const spacing = pool.family === 'uniswapV3' ? tickSpacings[pool.feePpm]! : 60
  const middle = Math.round((pool.tick + random.normal() * 10 * spacing) / spacing)
  const upper = (middle + anyInteger(random, 1, 30)) * spacing
  const used =
    random.next() < 0.5 ? pool.ticks.filter(({ index }) => index < upper).at(-1) : undefined
  const lower = used?.index ?? (middle - anyInteger(random, 1, 30)) * spacing
  const liquidity = pool.liquidity / BigInt(anyInteger(random, 2, 500)) + 1_000n
  return { lower, upper, liquidity }
}

function mintRange(
  market: MovedMarket,
  on: { readonly deployment: Deployment; readonly pool: RangedPool },
) {
  const { pool } = on
  const position = anyPosition(market, on)
  const { positions, caller } = market
  positions.set(pool.id, [...(positions.get(pool.id) ?? []), position])
  const functionName = pool.family === 'uniswapV3' ? 'mint' : 'mintAlgebra'
  const args = [pool.id, position.lower, position.upper, position.liquidity] as const
  return [callOf(market, caller, encodeFunctionData({ abi: poolCallerAbi, functionName, args }))]
}

/** Burns all, half or none of a position that these moves have minted. */
function burnRange(market: MovedMarket, { pool }: { readonly pool: RangedPool }) {
  const { random, positions, caller } = market
  const held = positions.get(pool.id) ?? []
  if (held.length === 0) return []
  const position = random.pick(held)
  const { lower, upper, liquidity } = position
  const amount = random.pick([liquidity, liquidity / 2n, 0n])
  const left = { ...position, liquidity: liquidity - amount }
  positions.set(
    pool.id,
    held.flatMap((one) => (one === position ? (left.liquidity > 0n ? [left] : []) : [one])),
  )
  const args = [pool.id, lower, upper, amount] as const
  return [
    callOf(market, caller, encodeFunctionData({ abi: poolCallerAbi, functionName: 'burn', args })),
  ]
}

function mintAlgebra(market: MovedMarket, on: Integral) {
  const { deployment, pool } = on
  const { lower: tickLower, upper: tickUpper, liquidity } = anyPosition(market, on)
  const amounts = amountsOf({ tickLower, tickUpper, liquidity }, pool.sqrtPriceX96)
  const { positionManager } = deployment
  const manager = { from: market.devnet.deployer, positionManager }
  return [algebraMintCall(manager, { tokens: pool.tokens, tickLower, tickUpper, amounts })]
}

/** Sets the protocol's part of the fees, which does not affect swappers. */
function keepFees(market: MovedMarket, { pool }: { readonly pool: UniswapV3Pool }) {
  const args = [anyInteger(market.random, 4, 10), anyInteger(market.random, 4, 10)] as const
  return [
    callOf(market, pool.id, encodeFunctionData({ abi, functionName: 'setFeeProtocol', args })),
  ]
}

function keepPancakeFees(
  market: MovedMarket,
  { deployment, pool }: { readonly deployment: Deployment; readonly pool: UniswapV3Pool },
) {
  const parts = [anyInteger(market.random, 1_000, 4_000), anyInteger(market.random, 1_000, 4_000)]
  const data = encodeFunctionData({
    ...{ abi: pancakeAbi, functionName: 'setFeeProtocol' },
    args: [pool.id, parts[0]!, parts[1]!],
  })
  return [callOf(market, deployment.factory, data)]
}

/** The state that the moves of a family's own test need. */
function worldOf<D>({ devnet, random }: MovedMarket, algebra: D) {
  const bare = { chain: devnet, random, tokens: [], trader: devnet.trader.address }
  return { bare, algebra }
}
