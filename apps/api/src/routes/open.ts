import { Router } from '@koa/router'
import { ApiError, errorTable } from '../errors.js'
import type { ApiContext, RequestState } from '../middleware/state.js'
import { openApi } from '../openapi.js'
import type { RouteParts } from '../parts.js'
import { ENGINE_VERSION } from '../quoteId.js'
import { showAddress } from '../wire/addresses.js'
import { freshState } from './request.js'

const OPEN_PATHS = ['/', '/healthz', '/readyz', '/version', '/errors.json', '/openapi.json']

/** The paths that need no key. */
export function openRoutes(parts: RouteParts): Router<RequestState> {
  const { config } = parts
  const router = new Router<RequestState>({ sensitive: true })
  const version = {
    version: ENGINE_VERSION,
    chainId: config.chainId,
    router: showAddress(config.router),
  }
  const open = (path: string, answer: (ctx: ApiContext) => unknown) => {
    router.get(path, (ctx: ApiContext) => {
      ctx.set('cache-control', 'no-store')
      ctx.body = answer(ctx)
    })
  }
  open('/', () => ({ name: 'braid', ...version, endpoints: keyedPaths(config.chainId) }))
  open('/healthz', () => ({ status: 'ok' }))
  open('/readyz', (ctx) => {
    const { graph, ageMs } = freshState(ctx, parts)
    return { status: 'ready', blockNumber: `${graph.snapshot.block.number}`, stateAgeMs: ageMs }
  })
  open('/version', () => version)
  open('/errors.json', () => errorTable)
  const document = openApi(config.chainId)
  open('/openapi.json', () => document)
  for (const path of OPEN_PATHS) {
    router.all(path, (ctx) => {
      throw new ApiError('METHOD_NOT_ALLOWED', `${ctx.method} is not answered here; use GET`)
    })
  }
  return router
}

function keyedPaths(chainId: number): readonly string[] {
  const swap = ['quote', 'swap', 'approve/transaction', 'approve/allowance', 'approve/spender']
  return [
    ...[...swap, 'dex-compare', 'liquidity-sources', 'snapshot'].map(
      (path) => `/swap/v1/${chainId}/${path}`,
    ),
    `/${chainId}/tokens`,
    `/${chainId}/tokens/{address}`,
  ]
}
