import type { TokenText } from '@braid-swap/chain'
import type { Address, Order, Route } from '@braid-swap/core'
import { calledContract } from '@braid-swap/core/families'
import { ApiError } from '../errors.js'
import type { Need } from '../need.js'
import { showAddress } from '../wire/addresses.js'
import { feePercentOf, poolTypeOf, tokenInOf, tokenOutOf } from '../wire/graph.js'
import type { RouteEntry, TokenInfo } from '../wire/responses.js'
import { splitIntoPaths } from '../wire/routes.js'

/** `srcToken` and `dstToken`. */
export async function readTokenInfos(
  { tokens }: Need,
  { src, dst }: { readonly src: Address; readonly dst: Address },
): Promise<{ srcToken: TokenInfo; dstToken: TokenInfo }> {
  const texts = await tokens.read([src, dst])
  return {
    srcToken: tokens.infoOf(textOf(texts, src)),
    dstToken: tokens.infoOf(textOf(texts, dst)),
  }
}

/** `routes`: the parallel paths of a route with the metadata of their tokens. */
export async function readRoutes(
  { tokens }: Need,
  { route, amountOut }: { readonly route: Route; readonly amountOut: bigint },
  order: Order,
): Promise<readonly RouteEntry[]> {
  const texts = await tokens.read(route.flatMap((hop) => [tokenInOf(hop), tokenOutOf(hop)]))
  const nameOf = (token: Address) => {
    const { address, decimals, symbol } = textOf(texts, token)
    return { address: showAddress(address), decimals, symbol }
  }
  return splitIntoPaths(route, order, amountOut).map(({ hops, percent, amountIn, amountOut }) => ({
    percent,
    path: [order.tokenIn, ...hops.map(tokenOutOf)].map(nameOf),
    pools: hops.map((hop) => ({
      address: showAddress(calledContract(hop.pool)),
      fee: feePercentOf(hop),
      exchange: hop.pool.venue,
      poolType: poolTypeOf(hop),
    })),
    amountIn: `${amountIn}`,
    amountOut: `${amountOut}`,
  }))
}

/** Missing metadata of a token of the market is a failure of the node, not of the caller. */
function textOf(texts: ReadonlyMap<Address, TokenText>, address: Address): TokenText {
  const text = texts.get(address)
  if (!text)
    throw new ApiError('UPSTREAM_RPC', `the node did not return the metadata of token ${address}`)
  return text
}
