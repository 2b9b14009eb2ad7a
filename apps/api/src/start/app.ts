import { createLedger } from '@braid-swap/chain'
import type { Snapshot } from '@braid-swap/core'
import cors from '@koa/cors'
import Koa from 'koa'
import { pino } from 'pino'
import { openAdmission } from '../admission/admission.js'
import { limitKeys } from '../admission/limit.js'
import { limitLoad } from '../admission/load.js'
import { refuseRecorded } from '../answers/freshState.js'
import { createChainClock, processClock } from '../clock.js'
import { adaptRequests, shapesOf } from '../compat/index.js'
import { ApiError } from '../errors.js'
import { createLearning } from '../execution/lesson.js'
import { createSampler } from '../execution/sampler.js'
import { addClockMetrics } from '../http/clockMetrics.js'
import { addAdmissionMetrics, addSuspensionMetrics, createMetrics } from '../http/metrics.js'
import { createLimiter } from '../keys/rateLimiter.js'
import { createRecentStates } from '../market/recentStates.js'
import { createAge } from '../market/stateAge.js'
import { requireKey } from '../middleware/auth.js'
import { answerErrors } from '../middleware/errors.js'
import { logRequests } from '../middleware/log.js'
import type { ApiMiddleware, RequestState } from '../middleware/state.js'
import { readTarget } from '../middleware/target.js'
import type { Need } from '../need.js'
import { callNode } from '../node/callNode.js'
import { pageRoutes } from '../routes/page.js'
import { watchReady } from '../routes/ready.js'
import { createPriceBook } from '../tokens/prices.js'
import { createTokenBook } from '../tokens/tokenBook.js'
import { trustedTokens } from '../tokens/trustedTokens.js'
import { createWallets } from '../wallets/wallet.js'
import { type Identified, quoteIdOf } from '../wire/quoteId.js'
import { requestSchemas } from '../wire/requests.js'
import type { AppOptions } from './appOptions.js'
import { keyedRoutes } from './keyedRoutes.js'
import { openRoutes } from './publicRoutes.js'

const MAX_URL_LENGTH = 8_192
const ALLOWED_HEADERS = ['apikey', 'x-request-id', 'if-none-match', 'traceparent', 'tracestate']
const EXPOSED_HEADERS = [
  'x-request-id',
  'x-quote-id',
  'x-block-number',
  'x-block-hash',
  'x-state-age-ms',
  'x-engine-version',
  'x-quote-mode',
  'x-gas-estimate',
  'x-simulated-dst-amount',
  'x-ignored-params',
  'server-timing',
  'etag',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
]

/**
 * The HTTP API over a market, without a port: `createApp(options).callback()` is a request listener.
 */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { market, config, client, keys, routerCode } = options
  const clock = options.clock ?? processClock
  const chainClock = createChainClock(clock)
  const metrics = options.metrics ?? createMetrics(market, clock.steadyMs)
  const log = options.log ?? pino({ level: 'silent' })
  const admission = options.admission ?? openAdmission(config)
  const trusted = trustedTokens(config)
  const earned = () => market.earned?.() ?? []
  const vouched = () => new Set([...trusted, ...earned()])
  const ledger = createLedger(clock.steadyMs, options.lessons)
  addSuspensionMetrics(metrics, ledger)
  const parts = {
    ...{ market, config, client, routerCode },
    // A recorded market never ages.
    ageMsOf: market.recorded ? () => 0 : createAge(clock, chainClock, config),
    ...{ nodeChain: options.nodeChain, log },
    askNode: async <T>(ask: () => Promise<T>, limitMs = config.nodeTimeoutMs) => {
      refuseRecorded(market)
      return callNode(ask, limitMs)
    },
    tokens: createTokenBook(client, {
      ...{ list: config.tokenList, timeoutMs: config.nodeTimeoutMs },
      readTexts: market.recorded?.readTexts,
    }),
    ...{ trusted, vouched },
    intermediates: () => (config.intermediates === 'all' ? undefined : vouched()),
    ledger,
    quoteIdAt: (snapshot: Snapshot, request: Identified) =>
      quoteIdOf(snapshot, { suspended: ledger.pools(snapshot), earned: earned(), ...request }),
    prices: createPriceBook({ usdTokens: config.usdTokens, trusted, now: clock.steadyMs }),
    schemas: requestSchemas(config),
    recentStates: createRecentStates(),
    search: options.search,
    limiter: options.limiter ?? createLimiter(clock.steadyMs),
    metrics,
  }
  const wallets = createWallets(parts)
  const [learnFrom, sampler] = [createLearning(parts), createSampler(parts)]
  const need: Need = { ...parts, wallets, learnFrom, sampler }
  market.onState?.(() => {
    const state = market.current()
    if (state) need.recentStates.remember(state)
  })
  addAdmissionMetrics(metrics, admission)
  watchReady(need, { metrics, log, ending: options.ending })
  addClockMetrics(metrics, market, chainClock)
  const app = new Koa<RequestState>()
  app.on('error', (error: unknown) => log.error({ err: error }, 'failed to send a response'))
  app.use(readTarget)
  app.use(logRequests(log, metrics, config.proxies))
  app.use(
    cors({
      origin: '*',
      allowMethods: 'GET,HEAD,OPTIONS',
      allowHeaders: [
        ...ALLOWED_HEADERS,
        ...shapesOf(config.compat).flatMap(({ headers = [] }) => headers),
      ],
      exposeHeaders: EXPOSED_HEADERS,
      maxAge: 86_400,
    }),
  )
  app.use(adaptRequests(config.compat))
  app.use(answerErrors({ log, now: clock.unixMs, proxies: config.proxies }))
  app.use(guardRequest)
  if (config.demo) app.use(requireLoopbackName)
  app.use(refuseAtEnd(options))
  if (options.page) app.use(pageRoutes(need, options.page).routes())
  app.use(openRoutes(need).routes())
  // A request without a key, or beyond the limit of its key, takes no place from any other.
  app.use(requireKey(keys, config))
  app.use(limitKeys(need))
  app.use(requireGet)
  app.use(limitLoad(admission, need))
  app.use(keyedRoutes(need, { admission, ending: options.ending }).routes())
  app.use(refusePath)
  return app
}

/** Refuses what arrives after the server has begun to end. */
function refuseAtEnd({ isDraining }: Pick<AppOptions, 'isDraining'>): ApiMiddleware {
  return async (ctx, next) => {
    if (isDraining?.(ctx.req)) throw new ApiError('SHUTTING_DOWN', 'the server is shutting down')
    await next()
  }
}

const guardRequest: ApiMiddleware = async (ctx, next) => {
  ctx.vary(['apikey', 'origin', 'accept', 'accept-encoding'])
  ctx.set('x-content-type-options', 'nosniff')
  if (ctx.url.length > MAX_URL_LENGTH) {
    throw new ApiError('URI_TOO_LONG', `the URL has ${ctx.url.length} characters`, {
      details: { limit: MAX_URL_LENGTH },
    })
  }
  if (ctx.state.isMalformed) {
    throw new ApiError('BAD_REQUEST', 'the request target is neither a path nor a URL')
  }
  // RFC 9112, 3.2: a request target has no fragment. Koa finds no path in some that have one.
  if (ctx.url.includes('#')) {
    throw new ApiError('BAD_REQUEST', 'the request target must not contain a fragment (#)')
  }
  if (ctx.method === 'OPTIONS') {
    ctx.status = 204
    ctx.set('allow', 'GET, HEAD, OPTIONS')
    return
  }
  await next()
}

/** The name of this machine, with any port. */
const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Refuses requests to another host name: a page of a stranger whose name leads to this machine would otherwise spend from
 * the account of the demo (DNS rebinding).
 */
const requireLoopbackName: ApiMiddleware = async (ctx, next) => {
  if (!LOOPBACK_NAME.test(ctx.get('host'))) {
    throw new ApiError('BAD_REQUEST', 'the demo answers only to its own host name, 127.0.0.1')
  }
  await next()
}

const requireGet: ApiMiddleware = async (ctx, next) => {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    throw new ApiError('METHOD_NOT_ALLOWED', `method ${ctx.method} is not allowed; use GET`)
  }
  await next()
}

const refusePath: ApiMiddleware = async (ctx) => {
  throw new ApiError('NOT_FOUND', `no such path: ${ctx.path.slice(0, 200)}`)
}
