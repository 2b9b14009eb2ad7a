import { Router } from '@koa/router'
import { compatEndpoints, shapesOf } from '../compat/index.js'
import { addFields } from '../compat/shape.js'
import type { EndpointPath } from '../docs/endpoints.js'
import type { ApiContext, RequestState } from '../middleware/state.js'
import type { Need } from '../need.js'
import {
  approveAllowanceRoute,
  approveSpenderRoute,
  approveTransactionRoute,
} from '../routes/approve.js'
import { dexCompareRoute } from '../routes/dexCompare.js'
import { liquiditySourcesRoute } from '../routes/liquiditySources.js'
import { quoteRoute } from '../routes/quote.js'
import { quotesRoute } from '../routes/quotes.js'
import { readQuery } from '../routes/request.js'
import { snapshotRoute } from '../routes/snapshot.js'
import { swapRoute } from '../routes/swap.js'
import { tokenRoute, tokensRoute } from '../routes/tokens.js'

/**
 * The paths that need a key, those that `docs/endpoints.ts` lists and those of other shapes. Streams are built upon
 * routes, so theirs comes from outside.
 */
export function keyedRoutes(
  need: Need,
  quoteStream: (ctx: ApiContext) => Promise<void>,
): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  const pathOf = (template: string) => template.replace(/\{(\w+)\}/g, ':$1')
  for (const { addition } of shapesOf(need.config.compat)) {
    if (addition) router.get(pathOf(addition.path), addFields(addition))
  }
  for (const { path, query, route } of compatEndpoints(need.config.compat)) {
    const [answer, schema] = [route(need), query(need.schemas)]
    router.get(path, async (ctx: ApiContext) => {
      ctx.body = await answer(ctx, readQuery(ctx, schema) as never)
    })
  }
  const routes: Readonly<Record<EndpointPath, (ctx: ApiContext) => Promise<void>>> = {
    '/swap/v1/{chainId}/quote': quoteRoute(need),
    '/swap/v1/{chainId}/quotes': quotesRoute(need),
    '/swap/v1/{chainId}/quote/stream': quoteStream,
    '/swap/v1/{chainId}/swap': swapRoute(need),
    '/swap/v1/{chainId}/approve/transaction': approveTransactionRoute(need),
    '/swap/v1/{chainId}/approve/allowance': approveAllowanceRoute(need),
    '/swap/v1/{chainId}/approve/spender': approveSpenderRoute(need),
    '/swap/v1/{chainId}/dex-compare': dexCompareRoute(need),
    '/swap/v1/{chainId}/liquidity-sources': liquiditySourcesRoute(need),
    '/swap/v1/{chainId}/snapshot': snapshotRoute(need),
    '/{chainId}/tokens': tokensRoute(need),
    '/{chainId}/tokens/{address}': tokenRoute(need),
  }
  for (const [path, route] of Object.entries(routes)) router.get(pathOf(path), route)
  return router
}
