/**
 * LiquidSwap: whole tokens instead of wei, no key, venues by number. Its clients read the calldata and
 * the amounts in wei of `execution`. Amounts are exact: nothing is rounded to whole tokens.
 */
import type { Address } from '@braid-swap/core'
import { formatUnits } from 'viem'
import { z } from 'zod'
import { venuesOf } from '../../market/marketPools.js'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import { freshState, readQuery } from '../../routes/request.js'
import { swapFor } from '../../routes/swap.js'
import { showAddress } from '../../wire/addresses.js'
import { tokenInOf, tokenOutOf } from '../../wire/graph.js'
import { integerParameter, parameter } from '../../wire/parameters.js'
import type { RawParameters } from '../../wire/readParameters.js'
import type { Shape } from '../shape/shape.js'
import { inOwnTerms } from '../shape/translate.js'
import { dexesOf } from './dexes.js'
import { routeQuery, translate } from './request.js'
import {
  dexesSchema,
  hopSwapsOf,
  routeSchema,
  showImpact,
  tokensSchema,
  widestPath,
} from './response.js'

type TokenBody = z.infer<typeof routeSchema>['tokens']['tokenIn']

/** `GET /v2/route`: the best rate and the transaction that performs it. */
function routeRoute(need: Need) {
  const schema = routeQuery(need.config)
  const ownSwap = { schema: need.schemas.swap, config: need.config }
  return async (ctx: ApiContext, query: RawParameters): Promise<void> => {
    const translated = await translate(ctx, need, readQuery(ctx, schema, query))
    const answered = await inOwnTerms(translated.own, ownSwap, (params) =>
      swapFor(ctx, need, params, {}),
    )
    const { body: own, order } = answered
    const { route } = answered.answer
    const { minDstAmount, priceImpactBps, fee } = own.meta!
    const { tokenIn, tokenOut } = translated
    const inner = route
      .flatMap((hop) => [tokenInOf(hop), tokenOutOf(hop)])
      .filter((token) => ![tokenIn, tokenOut, order.tokenIn, order.tokenOut].includes(token))
    const named = await readTokens(need, [tokenIn, tokenOut, ...new Set(inner)])
    const body: z.infer<typeof routeSchema> = {
      success: true,
      tokens: { tokenIn: named[0]!, tokenOut: named[1]!, intermediates: named.slice(2) },
      amountIn: formatUnits(order.amountIn, named[0]!.decimals),
      amountOut: formatUnits(BigInt(own.dstAmount), named[1]!.decimals),
      averagePriceImpact: showImpact(priceImpactBps),
      execution: {
        ...{ to: own.tx.to, calldata: own.tx.data, value: own.tx.value },
        details: {
          path: [...widestPath(route, order)],
          ...{ amountIn: `${order.amountIn}`, amountOut: own.dstAmount },
          minAmountOut: minDstAmount,
          ...(fee && { feeBps: fee.bps, feeRecipient: fee.recipient }),
          hopSwaps: hopSwapsOf(route, order, translated.dexes).map((layer) => [...layer]),
        },
      },
    }
    ctx.body = body
  }
}

/** `GET /v2/dexes`: the numbers of the venues that have pools here. */
function dexesRoute(need: Need) {
  return async (ctx: ApiContext, query: RawParameters): Promise<void> => {
    readQuery(ctx, z.object({}), query)
    const market = venuesOf(freshState(ctx, need).graph.snapshot)
    const data = dexesOf(market).flatMap(({ index, name, venues }) => {
      const served = venues.filter((id) => market.has(id))
      return served.length > 0 ? [{ index, name, venues: served }] : []
    })
    const body: z.infer<typeof dexesSchema> = { success: true, data }
    ctx.body = body
  }
}

const MAX_TOKENS = 1_000n

const tokensQuery = z.object({
  limit: integerParameter('maximum number of tokens; 100 when absent', {
    ...{ min: 1n, max: MAX_TOKENS },
  }).optional(),
  search: parameter<string>({ description: 'part of a symbol or name, or an address' }, (text) => ({
    value: text.trim().toLowerCase().slice(0, 100),
  })).optional(),
})

/** `GET /tokens`: the tokens of the market, verified ones first. */
function tokensRoute(need: Need) {
  return async (ctx: ApiContext, query: RawParameters): Promise<void> => {
    const { limit = 100n, search = '' } = readQuery(ctx, tokensQuery, query)
    const { snapshot } = freshState(ctx, need).graph
    const rank = (token: Address) => Number(!need.tokens.isVerified(token))
    const addresses = snapshot.tokens
      .map(({ address }) => address)
      .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    const found = (await readTokens(need, addresses)).filter(({ address, symbol, name }) =>
      [address, symbol, name].some((text) => text.toLowerCase().includes(search)),
    )
    const tokens = found.slice(0, Number(limit))
    const body: z.infer<typeof tokensSchema> = {
      success: true,
      data: { tokens, count: found.length, limitedCount: tokens.length },
    }
    ctx.body = body
  }
}

/** Addresses without metadata are left out. */
async function readTokens({ tokens }: Need, addresses: readonly Address[]): Promise<TokenBody[]> {
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
      ...{ body: routeSchema, route: routeRoute },
    },
    {
      ...{ path: '/v2/dexes', operationId: 'liquidSwapDexes', query: () => z.object({}) },
      summary: 'LiquidSwap: the numbers of the venues that have pools',
      ...{ body: dexesSchema, route: dexesRoute },
    },
    {
      ...{ path: '/tokens', operationId: 'liquidSwapTokens', query: () => tokensQuery },
      summary: 'LiquidSwap: the tokens of the market',
      ...{ body: tokensSchema, route: tokensRoute },
    },
  ],
  errors: {
    fields: { success: z.literal(false) },
    of: () => ({ success: false }),
  },
}
