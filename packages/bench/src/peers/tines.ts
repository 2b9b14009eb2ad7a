import type { Address, Pool } from '@braid-swap/core'
import { type PlannedHop, SHARE_ONE } from '@braid-swap/core/advanced'
import type { Edge } from '../edges.js'
import { leastGas } from '../leastGas.js'
import { decimalsOf, type Market } from '../market.js'
import type { Request } from '../request.js'
import type { Answer, Router } from '../routers/router.js'
import { requirePeer } from './packages.js'

/** Number of flows, or Tines' own choice by price impact and gas. */
export type Flows = number | 'auto'

/**
 * Sushi's router from npm, with prebuilt pools, our gas estimates and our gas price. Its legs are
 * used as they are (portions of the remaining balance of a token); its claimed output is not used.
 */
export function tines(flows: Flows): Router {
  const name = `Tines (${flows})`
  return {
    name,
    ready: (market) => {
      const state = toTines(market)
      return { name, capsLegs: false, quote: (request) => quote(state, request, flows) }
    },
  }
}

// The gas model of the package, which our own estimates replace.
const TINES_V3_BASE_GAS = 70_000
const TINES_V3_STEP_GAS = 40_000

/**
 * Gas of crossing an initialised tick in core, which does not export it; a test compares the two.
 */
export const V3_STEP_GAS = 66_000

type TinesState = {
  readonly library: TinesLibrary
  readonly tokens: ReadonlyMap<Address, RToken>
  readonly pools: readonly RPool[]
  readonly native: RToken
  readonly edgeOf: ReadonlyMap<string, Edge>
}

function toTines(market: Market): TinesState {
  const library = requirePeer('@sushiswap/tines') as TinesLibrary
  const tokens = new Map<Address, RToken>()
  const tokenOf = (address: Address): RToken => {
    const decimals = decimalsOf(market, address)
    const known = tokens.get(address) ?? { name: address, symbol: address, address, decimals }
    tokens.set(address, known)
    return known
  }
  const edgeOf = new Map<string, Edge>()
  for (const edges of market.edges.from.values()) {
    for (const edge of edges) edgeOf.set(edge.pool.id + edge.tokenIn, edge)
  }
  const pools = market.snapshot.pools.flatMap((pool) => toRPool(library, pool, tokenOf) ?? [])
  return { library, tokens, pools, native: tokenOf(market.snapshot.wrappedNative), edgeOf }
}

function toRPool(
  library: TinesLibrary,
  pool: Pool,
  tokenOf: (address: Address) => RToken,
): RPool | undefined {
  const token0 = tokenOf(pool.tokens[0]!)
  const token1 = tokenOf(pool.tokens[1]!)
  if (pool.family === 'uniswapV2') {
    const [reserve0, reserve1] = pool.reserves
    const { ConstantProductRPool } = library
    const fee = pool.feePpm / 1e6
    const built = new ConstantProductRPool(pool.id, token0, token1, fee, reserve0, reserve1)
    return Object.assign(built, { swapGasCost: leastGas(pool) })
  }
  if (pool.family !== 'uniswapV3' || pool.sqrtPriceX96 === 0n) return undefined
  // A snapshot has no balances; virtual reserves satisfy the package's liquidity checks.
  const reserve0 = (pool.liquidity << 96n) / pool.sqrtPriceX96
  const reserve1 = (pool.liquidity * pool.sqrtPriceX96) >> 96n
  const ticks = pool.ticks.map(({ index, liquidityNet }) => ({ index, DLiquidity: liquidityNet }))
  const built = new library.UniV3Pool(
    pool.id,
    token0,
    token1,
    pool.feePpm / 1e6,
    reserve0,
    reserve1,
    pool.tick,
    pool.liquidity,
    pool.sqrtPriceX96,
    ticks,
  )
  return withOurGas(built, leastGas(pool))
}

function withOurGas(pool: RPool, baseGas: number): RPool {
  const calcOutByIn = pool.calcOutByIn.bind(pool)
  pool.calcOutByIn = (...args) => {
    const { out, gasSpent } = calcOutByIn(...args)
    const steps = Math.max(0, (gasSpent - TINES_V3_BASE_GAS) / TINES_V3_STEP_GAS)
    return { out, gasSpent: baseGas + V3_STEP_GAS * steps }
  }
  return pool
}

function quote(state: TinesState, request: Request, flows: Flows): Answer | undefined {
  const { tokenIn, tokenOut, amountIn } = request.order
  const from = state.tokens.get(tokenIn)
  const to = state.tokens.get(tokenOut)
  if (!from || !to) return undefined
  const { findMultiRouteExactIn } = state.library
  const gasPrice = Number(request.gasPrice)
  const route = findMultiRouteExactIn(
    from,
    to,
    amountIn,
    state.pools,
    state.native,
    gasPrice,
    flows === 'auto' ? undefined : flows,
  )
  if (route.status !== 'Success' || route.legs.length === 0) return undefined
  const hops = route.legs.map((leg): PlannedHop => {
    const edge = state.edgeOf.get(leg.poolAddress + leg.tokenFrom.address)
    if (!edge) throw new Error(`Tines returned an unknown pool: ${leg.poolAddress}`)
    const share = leg.swapPortion === 1 ? 0 : Math.round(leg.swapPortion * SHARE_ONE)
    return { pool: edge.pool, direction: edge.direction, share }
  })
  return { hops }
}

type RToken = {
  readonly name: string
  readonly symbol: string
  readonly address: Address
  readonly decimals: number
}

type RPool = {
  calcOutByIn: (amountIn: number, direction: boolean) => { out: number; gasSpent: number }
}

type TinesLibrary = {
  readonly ConstantProductRPool: new (
    address: string,
    token0: RToken,
    token1: RToken,
    fee: number,
    reserve0: bigint,
    reserve1: bigint,
  ) => RPool
  readonly UniV3Pool: new (
    address: string,
    token0: RToken,
    token1: RToken,
    fee: number,
    reserve0: bigint,
    reserve1: bigint,
    tick: number,
    liquidity: bigint,
    sqrtPriceX96: bigint,
    ticks: { index: number; DLiquidity: bigint }[],
  ) => RPool
  readonly findMultiRouteExactIn: (
    from: RToken,
    to: RToken,
    amountIn: bigint,
    pools: readonly RPool[],
    base: RToken,
    gasPrice: number,
    flows?: number,
  ) => {
    readonly status: 'Success' | 'NoWay' | 'Partial'
    readonly legs: readonly {
      readonly poolAddress: string
      readonly tokenFrom: RToken
      readonly swapPortion: number
    }[]
  }
}
