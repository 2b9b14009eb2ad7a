import type { Address, Hex } from '@braid-swap/core'
import { type Call, type DevnetPool, swapCall } from '@braid-swap/devnet'
import type { Answers } from './answers.js'
import type { PlannedOrder } from './orders.js'
import type { World } from './world.js'

/** A pending swap of the trader in front of the order. */
export type Race = { readonly hash: Hex; readonly isOnRoute: boolean }

/**
 * Sends a swap of the trader before the order: in a pool of the route, mostly in the same direction
 * and with a hundredth to three times the route's own amount, or in a pool outside the route.
 */
export async function sendRace(
  world: World,
  order: PlannedOrder,
  { quote }: Answers,
): Promise<Race | undefined> {
  const { devnet, random } = world
  const onRoute = new Set(quote.graph.map(({ pool }) => pool.toLowerCase()))
  const pools = devnet.pools.filter(
    ({ address }) => onRoute.has(address) === (order.race === 'a pool of the route'),
  )
  if (order.race === 'nobody' || pools.length === 0) return undefined
  const pool = random.pick(pools)
  const hop = quote.graph.find((entry) => entry.pool.toLowerCase() === pool.address)
  const size = 10 ** (random.next() * 2.5 - 2)
  const isSameWay = random.next() < 0.8
  const isZeroForOne = hop
    ? (hop.from.toLowerCase() === pool.tokens[0]) === isSameWay
    : random.next() < 0.5
  const like = BigInt(Math.ceil(Number(isSameWay ? hop?.amountIn : hop?.amountOut) * size) || 1e6)
  const [hash] = await devnet.send([callOf(world, pool, { isZeroForOne, amountIn: like })])
  return { hash: hash!, isOnRoute: hop !== undefined }
}

function callOf(
  { devnet }: World,
  pool: DevnetPool,
  { isZeroForOne, amountIn }: { readonly isZeroForOne: boolean; readonly amountIn: bigint },
): Call {
  const deployment = devnet.deployments.find(({ venue }) => venue.id === pool.venue)!
  const [a, b] = pool.tokens
  const [tokenIn, tokenOut]: readonly [Address, Address] = isZeroForOne ? [a, b] : [b, a]
  return swapCall(deployment, { pool, from: devnet.trader.address, tokenIn, tokenOut, amountIn })
}
