/**
 * LiquidSwap's form of a route. It has paths whose swaps are in layers: the first swaps of all paths,
 * then the second ones. Our routes are graphs in which flows may join, so this shows the flow
 * decomposition of the graph. It describes the route; the calldata executes the graph itself.
 */
import { type Hop, mulDivDown, type Order, priceImpactBps, type Route } from '@braid-swap/core'
import { z } from 'zod'
import { showAddress } from '../../wire/addresses.js'
import { address, amount, hex } from '../../wire/fields.js'
import { feePercentOf, tokenInOf, tokenOutOf } from '../../wire/graph.js'
import { type PathShare, splitIntoPaths } from '../../wire/routes.js'
import { type Dex, dexOf } from './dexes.js'

const token = z.strictObject({
  ...{ address, symbol: z.string(), name: z.string(), decimals: z.int() },
})
/** Whole tokens. */
const decimal = z.string().regex(/^[0-9]+(\.[0-9]+)?$/)
const impact = z.string().regex(/^([0-9]+\.[0-9]{2}%|unknown)$/)

const hopSwapSchema = z.strictObject({
  tokenIn: address,
  tokenOut: address,
  routerIndex: z.int(),
  routerName: z.string(),
  /** In parts per million. */
  fee: z.int(),
  amountIn: amount,
  amountOut: amount,
  stable: z.boolean(),
  priceImpact: impact,
})

/** The body of `/v2/route`. */
export const routeSchema = z.strictObject({
  success: z.literal(true),
  tokens: z.strictObject({ tokenIn: token, tokenOut: token, intermediates: z.array(token) }),
  amountIn: decimal,
  amountOut: decimal,
  averagePriceImpact: impact,
  execution: z.strictObject({
    to: address,
    calldata: hex,
    value: amount,
    details: z.strictObject({
      path: z.array(address),
      amountIn: amount,
      amountOut: amount,
      minAmountOut: amount,
      feeBps: z.number().optional(),
      feeRecipient: address.optional(),
      hopSwaps: z.array(z.array(hopSwapSchema)),
    }),
  }),
})

/** The body of `/v2/dexes`. */
export const dexesSchema = z.strictObject({
  success: z.literal(true),
  data: z.array(z.strictObject({ index: z.int(), name: z.string(), venues: z.array(z.string()) })),
})

/** The body of `/tokens`. */
export const tokensSchema = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({ tokens: z.array(token), count: z.int(), limitedCount: z.int() }),
})

/** A swap of a layer, on the wire. */
export type HopSwap = z.infer<typeof hopSwapSchema>

/** `0.12%`, or `unknown`, which does not mean none. */
export function showImpact(bps: number | null): string {
  return bps === null ? 'unknown' : `${(bps / 100).toFixed(2)}%`
}

/** The tokens along the widest path. A wrap is not a step, because both tokens are one there. */
export function widestPath(route: Route, order: Order): readonly string[] {
  const [widest] = splitIntoPaths(route, order)
  const hops = (widest?.hops ?? []).filter(isSwap)
  if (hops.length === 0) return [order.tokenIn, order.tokenOut].map(showAddress)
  return [tokenInOf(hops[0]!), ...hops.map(tokenOutOf)].map(showAddress)
}

/**
 * The swaps of a route in layers. Within a layer, the parts of one pool are one swap; a pool that is
 * at different depths of different paths is in several layers, with its part of the amounts in each.
 */
export function hopSwapsOf(
  route: Route,
  order: Order,
  dexes: readonly Dex[],
): readonly (readonly HopSwap[])[] {
  const layers: Map<Hop, bigint>[] = []
  for (const path of splitIntoPaths(route, order)) addPath(layers, path)
  const total = new Map<Hop, bigint>()
  for (const layer of layers) {
    for (const [hop, flow] of layer) total.set(hop, (total.get(hop) ?? 0n) + flow)
  }
  const shown = new Map<Hop, bigint>()
  return layers.map((layer) =>
    [...layer].map(([hop, flow]) => {
      const from = shown.get(hop) ?? 0n
      shown.set(hop, from + flow)
      return showHop(hop, { from, to: from + flow, of: total.get(hop)! }, dexes)
    }),
  )
}

function addPath(layers: Map<Hop, bigint>[], { hops, amountIn }: PathShare): void {
  for (const [depth, hop] of hops.filter(isSwap).entries()) {
    layers[depth] ??= new Map()
    const layer = layers[depth]
    layer.set(hop, (layer.get(hop) ?? 0n) + amountIn)
  }
}

/** The part of a hop from one share of its flow to another, so that the parts sum to the hop. */
function showHop(
  hop: Hop,
  { from, to, of }: Readonly<Record<'from' | 'to' | 'of', bigint>>,
  dexes: readonly Dex[],
): HopSwap {
  const partOf = (whole: bigint) => mulDivDown(whole, to, of) - mulDivDown(whole, from, of)
  const { index, name } = dexOf(dexes, hop.pool.venue)
  const [tokenIn, tokenOut] = [tokenInOf(hop), tokenOutOf(hop)]
  const order = { tokenIn, tokenOut, amountIn: hop.amountIn }
  const impactBps = priceImpactBps(
    { route: [{ ...hop, share: 0 }], amountOut: hop.amountOut },
    order,
  )
  return {
    ...{ tokenIn: showAddress(tokenIn), tokenOut: showAddress(tokenOut) },
    ...{ routerIndex: index, routerName: name },
    fee: Math.round(feePercentOf(hop) * 10_000),
    amountIn: `${partOf(hop.amountIn)}`,
    amountOut: `${partOf(hop.amountOut)}`,
    stable: 'stable' in hop.pool && hop.pool.stable === true,
    priceImpact: showImpact(impactBps),
  }
}

function isSwap({ pool }: Hop): boolean {
  return pool.family !== 'wrap'
}
