/** LiquidSwap's form of a route. It describes the route; the calldata executes our graph itself. */
import { type Hop, type Order, priceImpactBps, type Route } from '@braid-swap/core'
import { showAddress } from '../../wire/addresses.js'
import { feePercentOf, tokenInOf, tokenOutOf } from '../../wire/graph.js'
import { splitIntoPaths } from '../../wire/routes.js'
import { dexOf } from './dexes.js'

/** `0.12%`, or `unknown`, which does not mean none. */
export function showImpact(bps: number | null): string {
  return bps === null ? 'unknown' : `${(bps / 100).toFixed(2)}%`
}

/** The tokens along the widest path. A wrap is not a step, because both tokens are one there. */
export function widestPath(route: Route, order: Order): readonly string[] {
  const hops = (splitIntoPaths(route, order)[0]?.hops ?? []).filter(isSwap)
  if (hops.length === 0) return [order.tokenIn, order.tokenOut].map(showAddress)
  return [tokenInOf(hops[0]!), ...hops.map(tokenOutOf)].map(showAddress)
}

/** The swaps of a route in layers: each is in the layer after the last that brings it its token. */
export function hopSwapsOf(route: Route, { tokenIn }: Order) {
  const layers: ReturnType<typeof showHop>[][] = []
  const layerOf = new Map<string, number>([[tokenIn, 0]])
  for (const hop of route) {
    const [from, to] = [layerOf.get(tokenInOf(hop)) ?? 0, tokenOutOf(hop)]
    layerOf.set(to, Math.max(layerOf.get(to) ?? 0, from + Number(isSwap(hop))))
    if (!isSwap(hop)) continue
    layers[from] ??= []
    layers[from].push(showHop(hop))
  }
  return layers
}

function showHop(hop: Hop) {
  const { pool, amountIn, amountOut } = hop
  const [tokenIn, tokenOut] = [tokenInOf(hop), tokenOutOf(hop)]
  const alone = { route: [{ ...hop, share: 0 }], amountOut }
  const [routerIndex, routerName] = dexOf(pool.venue)
  return {
    ...{ tokenIn: showAddress(tokenIn), tokenOut: showAddress(tokenOut) },
    ...{ routerIndex, routerName },
    fee: Math.round(feePercentOf(hop) * 10_000),
    ...{ amountIn: `${amountIn}`, amountOut: `${amountOut}` },
    stable: 'stable' in pool && pool.stable === true,
    priceImpact: showImpact(priceImpactBps(alone, { tokenIn, tokenOut, amountIn })),
  }
}

function isSwap({ pool }: Hop): boolean {
  return pool.family !== 'wrap'
}
