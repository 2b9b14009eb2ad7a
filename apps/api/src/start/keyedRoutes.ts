import { Router } from '@koa/router'
import { addFields, compatAdditions, compatEndpoints } from '../compat/index.js'
import type { EndpointPath } from '../docs/endpoints.js'
import type { ApiContext, RequestState } from '../middleware/state.js'
import {
  approveAllowanceRoute,
  approveSpenderRoute,
  approveTransactionRoute,
} from '../routes/approve.js'
import { dexCompareRoute } from '../routes/dexCompare.js'
import { liquiditySourcesRoute } from '../routes/liquiditySources.js'
import { quoteRoute } from '../routes/quote.js'
import { quotesRoute } from '../routes/quotes.js'
import { snapshotRoute } from '../routes/snapshot.js'
import { swapRoute } from '../routes/swap.js'
import { tokenRoute, tokensRoute } from '../routes/tokens.js'
import type { Services } from '../services/services.js'

/**
 * The paths that need a key, those that `docs/endpoints.ts` lists and those of other shapes. Streams are built upon
 * routes, so theirs comes from outside.
 */
export function keyedRoutes(
  services: Services,
  quoteStream: (ctx: ApiContext) => Promise<void>,
): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  const pathOf = (template: string) => template.replace(/\{(\w+)\}/g, ':$1')
  for (const addition of compatAdditions(services.config.compat)) {
    router.get(pathOf(addition.path), addFields(addition))
  }
  for (const { path, route } of compatEndpoints(services.config.compat)) {
    router.get(pathOf(path), route(services))
  }
  const routes: Readonly<Record<EndpointPath, (ctx: ApiContext) => Promise<void>>> = {
    '/swap/v1/{chainId}/quote': quoteRoute(services),
    '/swap/v1/{chainId}/quotes': quotesRoute(services),
    '/swap/v1/{chainId}/quote/stream': quoteStream,
    '/swap/v1/{chainId}/swap': swapRoute(services),
    '/swap/v1/{chainId}/approve/transaction': approveTransactionRoute(services),
    '/swap/v1/{chainId}/approve/allowance': approveAllowanceRoute(services),
    '/swap/v1/{chainId}/approve/spender': approveSpenderRoute(services),
    '/swap/v1/{chainId}/dex-compare': dexCompareRoute(services),
    '/swap/v1/{chainId}/liquidity-sources': liquiditySourcesRoute(services),
    '/swap/v1/{chainId}/snapshot': snapshotRoute(services),
    '/{chainId}/tokens': tokensRoute(services),
    '/{chainId}/tokens/{address}': tokenRoute(services),
  }
  for (const [path, route] of Object.entries(routes)) router.get(pathOf(path), route)
  return router
}
