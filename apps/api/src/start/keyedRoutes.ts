import { Router } from '@koa/router'
import { addFields, compatAdditions, compatEndpoints } from '../compat/index.js'
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

/** The paths that need a key: the six of the interface, and additions. Streams are built upon routes, so theirs comes from outside. */
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
  router.get('/swap/v1/:chainId/quote', quoteRoute(services))
  router.get('/swap/v1/:chainId/quotes', quotesRoute(services))
  router.get('/swap/v1/:chainId/quote/stream', quoteStream)
  router.get('/swap/v1/:chainId/swap', swapRoute(services))
  router.get('/swap/v1/:chainId/approve/transaction', approveTransactionRoute(services))
  router.get('/swap/v1/:chainId/approve/allowance', approveAllowanceRoute(services))
  router.get('/swap/v1/:chainId/approve/spender', approveSpenderRoute(services))
  router.get('/swap/v1/:chainId/dex-compare', dexCompareRoute(services))
  router.get('/swap/v1/:chainId/liquidity-sources', liquiditySourcesRoute(services))
  router.get('/swap/v1/:chainId/snapshot', snapshotRoute(services))
  router.get('/:chainId/tokens', tokensRoute(services))
  router.get('/:chainId/tokens/:address', tokenRoute(services))
  return router
}
