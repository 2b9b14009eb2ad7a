import { Router } from '@koa/router'
import { endpoints } from '../docs/endpoints.js'
import { llmsText } from '../docs/llmsTxt.js'
import { openApi } from '../docs/openapi.js'
import { REFERENCE_POLICY, referenceFiles } from '../docs/swaggerPage.js'
import { ApiError, errorTable } from '../errors.js'
import type { ApiContext, RequestState } from '../middleware/state.js'
import type { Need } from '../need.js'
import { healthyBody, readyBody } from '../routes/ready.js'
import { showAddress } from '../wire/addresses.js'
import { ENGINE_VERSION } from '../wire/quoteId.js'

/** The paths that need no key. */
export function openRoutes(need: Need): Router<RequestState> {
  const { config } = need
  const router = new Router<RequestState>({ sensitive: true, strict: true })
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
  open('/', () => ({ name: 'braid', ...version, endpoints: pathsOf(config.chainId) }))
  open('/healthz', () => ({ status: 'ok' }))
  open('/readyz', (ctx) => readyBody(ctx, need))
  open('/health', (ctx) => healthyBody(ctx, need))
  open('/version', () => version)
  open('/errors.json', () => errorTable)
  const { compat, keyless } = config
  const document = openApi(config.chainId, { compat, keyless, name: config.chain.name })
  open('/openapi.json', () => document)
  const text = llmsText(config.chain)
  open('/llms.txt', () => text)
  for (const [path, file] of Object.entries(referenceFiles())) {
    router.get(path, (ctx: ApiContext) => {
      ctx.set('content-security-policy', REFERENCE_POLICY)
      ctx.set('cache-control', 'public, max-age=3600')
      ctx.type = file.type
      ctx.body = file.body
    })
  }
  const paths = new Set(router.stack.map(({ path }) => path))
  for (const path of paths) {
    router.all(path, (ctx) => {
      throw new ApiError('METHOD_NOT_ALLOWED', `method ${ctx.method} is not allowed; use GET`)
    })
  }
  return router
}

function pathsOf(chainId: number): readonly string[] {
  return endpoints.map(({ path }) => path.replace('{chainId}', `${chainId}`))
}
