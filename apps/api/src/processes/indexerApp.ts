/** The HTTP of a process that only follows the chain: health, and nothing that needs a key. */
import { Router } from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { createChainClock, processClock } from '../clock.js'
import type { AppConfig } from '../config/appConfig.js'
import type { ApiConfig } from '../config/config.js'
import { ApiError } from '../errors.js'
import { addClockMetrics } from '../http/clockMetrics.js'
import type { Metrics } from '../http/metrics.js'
import type { LiveMarket } from '../market/liveMarket.js'
import { createRecentStates } from '../market/recentStates.js'
import { createAge } from '../market/stateAge.js'
import { answerErrors } from '../middleware/errors.js'
import { logRequests } from '../middleware/log.js'
import type { ApiContext, RequestState } from '../middleware/state.js'
import { readTarget } from '../middleware/target.js'
import type { RouterCode } from '../node/deployment.js'
import type { NodeChain } from '../node/nodeChain.js'
import { readyBody, watchReady } from '../routes/ready.js'
import { ENGINE_VERSION } from '../wire/quoteId.js'

/** Options of {@link createIndexerApp}. */
export type IndexerAppOptions = {
  readonly market: LiveMarket
  readonly config: AppConfig & Pick<ApiConfig, 'role'>
  readonly routerCode: RouterCode
  readonly nodeChain: NodeChain
  readonly metrics: Metrics
  readonly log: Logger
  /** Aborts when the process begins to end. */
  readonly ending: AbortSignal
}

/** Answers `/healthz`, `/readyz` and `/version`. */
export function createIndexerApp(options: IndexerAppOptions): Koa<RequestState> {
  const { market, config, routerCode, nodeChain, metrics, log } = options
  const clock = processClock
  const chainClock = createChainClock(clock)
  addClockMetrics(metrics, market, chainClock)
  const recentStates = createRecentStates()
  const ageMsOf = createAge(clock, chainClock, config)
  const services = { market, config, routerCode, nodeChain, ageMsOf, recentStates }
  watchReady(services, options)
  const app = new Koa<RequestState>()
  app.on('error', (error: unknown) => log.error({ err: error }, 'failed to send a response'))
  app.use(readTarget)
  app.use(logRequests(log, metrics))
  app.use(answerErrors({ log, now: clock.unixMs }))
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  router.get('/healthz', (ctx: ApiContext) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', (ctx: ApiContext) => {
    ctx.body = readyBody(ctx, services)
  })
  router.get('/version', (ctx: ApiContext) => {
    ctx.body = { version: ENGINE_VERSION, chainId: config.chainId, role: config.role }
  })
  app.use(router.routes())
  app.use((ctx) => {
    throw new ApiError(
      'NOT_FOUND',
      `this process indexes; it does not answer ${ctx.path.slice(0, 200)}`,
    )
  })
  return app
}
