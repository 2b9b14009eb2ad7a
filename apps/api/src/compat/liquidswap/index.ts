/**
 * LiquidSwap: whole tokens instead of wei, no key, venues by number. Its clients read the calldata and
 * the amounts in wei of `execution`. Amounts are exact: nothing is rounded to whole tokens.
 */
import { type Address, NATIVE, type Snapshot } from '@braid-swap/core'
import { formatUnits } from 'viem'
import { z } from 'zod'
import { askerOf } from '../../admission/asker.js'
import { freshState } from '../../answers/freshState.js'
import { requireTokens } from '../../answers/tradable.js'
import { ApiError } from '../../errors.js'
import { venuesOf } from '../../market/marketPools.js'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import { requireChain } from '../../routes/request.js'
import { swapFor } from '../../routes/swap.js'
import { showAddress } from '../../wire/addresses.js'
import { tokenInOf, tokenOutOf } from '../../wire/graph.js'
import { booleanParameter, integerParameter } from '../../wire/parameters.js'
import type { RequestSchemas } from '../../wire/requests.js'
import { inOwnTerms, type Shape, texts } from '../shape/shape.js'
import { decimalParameter, toWei } from './decimals.js'
import { dexesParameter } from './dexes.js'
import { hopSwapsOf, showImpact, widestPath } from './response.js'

/** LiquidSwap's address of the native token. */
const DEAD = '0x000000000000000000000000000000000000dead'

const routeQuery = ({ swap }: Pick<RequestSchemas, 'swap'>) =>
  z.object({
    ...{ tokenIn: swap.shape.src, tokenOut: swap.shape.dst },
    amountIn: decimalParameter('amount to sell, in whole tokens; or amountOut').optional(),
    amountOut: decimalParameter('amount to buy, in whole tokens, instead of amountIn').optional(),
    unwrapWHYPE: booleanParameter('pays the native token if tokenOut is the wrapped one'),
    includeDexes: dexesParameter('use only these dexes; then excludeDexes has no effect'),
    excludeDexes: dexesParameter('exclude these dexes'),
    ...texts({
      chainId: 'that of the service when absent',
      slippage: 'percentage, 0 <= x <= 50; 1 when absent',
      feeBps: 'fee of the integrator, in basis points of the output, 0 <= x <= 100',
      feeRecipient: 'address that gets the fee; ignored without one',
    }),
  })

type RouteQuery = z.output<ReturnType<typeof routeQuery>>

/** The names of our parameters in this shape. */
const NAMES = {
  ...{ src: 'tokenIn', dst: 'tokenOut', amount: 'amountIn', dstAmountExact: 'amountOut' },
  ...{ includeProtocols: 'includeDexes', excludeProtocols: 'excludeDexes' },
}

/** `GET /v2/route`: the best rate and the transaction that performs it. */
async function answerRoute(ctx: ApiContext, query: RouteQuery, need: Need) {
  requireChain(query.chainId ?? `${need.config.chainId}`, need)
  const { snapshot } = freshState(ctx, need).graph
  const native = (token: Address) => (token === DEAD ? NATIVE : token)
  const [tokenIn, tokenOut] = [native(query.tokenIn), native(query.tokenOut)]
  const isUnwrapped = query.unwrapWHYPE && tokenOut === snapshot.wrappedNative
  await requireTokens({ tokenIn, tokenOut }, snapshot, { asker: askerOf(ctx, need), ...need })
  const [first, last] = await readTokens(need, [tokenIn, tokenOut])
  const { slippage = '1', feeBps = '0', feeRecipient, amountIn, amountOut } = query
  const asked = {
    ...{ src: tokenIn, dst: isUnwrapped ? NATIVE : tokenOut, slippage },
    amount: amountIn && toWei(amountIn, { path: 'amountIn', ...first! }),
    dstAmountExact: amountOut && toWei(amountOut, { path: 'amountOut', ...last! }),
    ...{ ...venuesAsked(snapshot, query), skipChecks: true, includeMeta: true },
    // A fee of 0 is no fee, even if a recipient is given.
    ...(Number(feeBps) !== 0 && { feeBps, feeRecipient }),
  }
  const answered = await inOwnTerms(need.schemas.swap, asked, NAMES, (params) =>
    swapFor(ctx, need, params, {}),
  )
  const { body, order } = answered
  const { route } = answered.answer
  const { minDstAmount, priceImpactBps, fee } = body.meta!
  const known = [tokenIn, tokenOut, order.tokenIn, order.tokenOut]
  const passed = route.flatMap((hop) => [tokenInOf(hop), tokenOutOf(hop)])
  const inner = new Set(passed.filter((token) => !known.includes(token)))
  return {
    success: true,
    tokens: { tokenIn: first, tokenOut: last, intermediates: await readTokens(need, [...inner]) },
    amountIn: formatUnits(order.amountIn, first!.decimals),
    amountOut: formatUnits(BigInt(body.dstAmount), last!.decimals),
    averagePriceImpact: showImpact(priceImpactBps),
    execution: {
      ...{ to: body.tx.to, calldata: body.tx.data, value: body.tx.value },
      details: {
        path: widestPath(route, order),
        ...{ amountIn: `${order.amountIn}`, amountOut: body.dstAmount, minAmountOut: minDstAmount },
        ...(fee && { feeBps: fee.bps, feeRecipient: fee.recipient }),
        hopSwaps: hopSwapsOf(route, order),
      },
    },
  }
}

/** The venues of the dexes that a request names. Throws NO_ROUTE if none of those to use has a pool. */
function venuesAsked(snapshot: Snapshot, { includeDexes, excludeDexes = [] }: RouteQuery) {
  const market = venuesOf(snapshot)
  const venues = (includeDexes ?? excludeDexes).filter((id) => market.has(id))
  if (venues.length > 0) return { [includeDexes ? 'includeProtocols' : 'excludeProtocols']: venues }
  if (includeDexes) throw new ApiError('NO_ROUTE', 'none of the dexes in includeDexes has a pool')
  return {}
}

const tokensQuery = z.object({
  limit: integerParameter('maximum number of tokens; 100 when absent', {
    ...{ min: 1n, max: 1_000n },
  }).optional(),
  ...texts({ search: 'part of a symbol or name, or an address' }),
})
type TokensQuery = z.output<typeof tokensQuery>

/** `GET /tokens`: the tokens of the market, verified ones first. */
async function answerTokens(
  ctx: ApiContext,
  { limit = 100n, search = '' }: TokensQuery,
  need: Need,
) {
  const sought = search.trim().toLowerCase().slice(0, 100)
  const rank = (token: Address) => Number(!need.tokens.isVerified(token))
  const addresses = freshState(ctx, need)
    .graph.snapshot.tokens.map(({ address }) => address)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  const found = (await readTokens(need, addresses)).filter(({ address, symbol, name }) =>
    [address, symbol, name].some((text) => text.toLowerCase().includes(sought)),
  )
  const tokens = found.slice(0, Number(limit))
  return { success: true, data: { tokens, count: found.length, limitedCount: tokens.length } }
}

/** Addresses without metadata are left out. */
async function readTokens({ tokens }: Need, addresses: readonly Address[]) {
  const texts = await tokens.read(addresses)
  return addresses.flatMap((token) => {
    const text = texts.get(token)
    if (!text) return []
    const { symbol, name, decimals } = text
    return [{ address: showAddress(token), symbol, name, decimals }]
  })
}

/** The shape of LiquidSwap's API. */
export const liquidSwap: Shape = {
  endpoints: [
    {
      ...{ path: '/v2/route', operationId: 'liquidSwapRoute', query: routeQuery },
      summary: 'LiquidSwap: the best rate and the transaction that performs it',
      route: (need) => (ctx, query: RouteQuery) => answerRoute(ctx, query, need),
    },
    {
      ...{ path: '/tokens', operationId: 'liquidSwapTokens', query: () => tokensQuery },
      summary: 'LiquidSwap: the tokens of the market',
      route: (need) => (ctx, query: TokensQuery) => answerTokens(ctx, query, need),
    },
  ],
  errorFields: () => ({ success: false }),
}
