import { Router } from '@koa/router'
import { compatEndpoints, shapesOf } from '../compat/index.js'
import { addFields } from '../compat/shape/shape.js'
import { type Described, endpoints } from '../docs/endpoints.js'
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
import { readQuery, requireChain } from '../routes/request.js'
import { snapshotRoute } from '../routes/snapshot.js'
import { swapRoute } from '../routes/swap.js'
import { tokenRoute, tokensRoute } from '../routes/tokens.js'
import { quoteStreamRoute, type StreamTerms } from '../streams/quoteStreams.js'
import type { Values } from '../wire/requests.js'

/** The paths that need a key, those that `docs/endpoints.ts` lists and those of other shapes. */
export function keyedRoutes(need: Need, terms: StreamTerms): Router<RequestState> {
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
  const routes: Handlers = {
    '/swap/v1/{chainId}/quote': quoteRoute(need),
    '/swap/v1/{chainId}/quotes': quotesRoute(need),
    '/swap/v1/{chainId}/quote/stream': quoteStreamRoute(need, terms),
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
  for (const { path, query } of endpoints) {
    const [schema, route] = [need.schemas[query], routes[path as Described['path']]]
    router.get(pathOf(path), async (ctx: ApiContext) => {
      requireChain(ctx['params'].chainId, need)
      await route(ctx, readQuery(ctx, schema) as never)
    })
  }
  return router
}

/** For each endpoint, what answers a request with the values of its query. */
type Handlers = {
  readonly [E in Described as E['path']]: (
    ctx: ApiContext,
    query: Values<E['query']>,
  ) => Promise<void>
}
