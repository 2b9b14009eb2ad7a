import type { AppConfig } from '../config/appConfig.js'
import { type ApiError, type ErrorCode, refusal } from '../errors.js'
import type { KeyStore } from '../keys/keyStore.js'
import { callerAt } from './callerAddress.js'
import type { ApiContext, ApiMiddleware } from './state.js'

/**
 * Passes a request with a valid key in the `apikey` header. If the key is restricted to origins, the
 * request must come from one of them or from the API's own page. With `keyless`, a request without a
 * key passes too; the limits of a key then apply to each address, as those of the page's own key do.
 */
export function requireKey(
  keys: KeyStore,
  {
    keyLimits,
    keyless,
    page,
    proxies = 0,
  }: Pick<AppConfig, 'keyLimits' | 'keyless' | 'page' | 'proxies'>,
): ApiMiddleware {
  return async (ctx, next) => {
    const presented = ctx.get('apikey')
    if (presented === '' && keyless) {
      const bucket = `keyless ${callerAt(ctx.req, proxies)}`
      ctx.state.key = { id: 'keyless', limits: keyLimits, bucket, isActive: async () => true }
      return next()
    }
    if (presented === '')
      throw refused('API_KEY_MISSING', 'send your API key in the apikey header', 'is missing')
    const key = await keys.find(presented)
    if (!key) throw refused('API_KEY_INVALID', 'the API key is not valid', 'is not an active key')
    const limits = { rate: key.rate ?? keyLimits.rate, burst: key.burst ?? keyLimits.burst }
    // All visitors of the page share its key.
    const bucket = presented === page?.key ? `${key.id} ${callerAt(ctx.req, proxies)}` : key.id
    const isActive = async () => (await keys.find(presented)) !== undefined
    ctx.state.key = { id: key.id, limits, bucket, isActive }
    if (key.origins && !isFromPageOf(ctx, key.origins)) {
      throw refused(
        'API_KEY_FORBIDDEN',
        'the API key is not allowed for this origin',
        'is restricted to other origins',
      )
    }
    await next()
  }
}

/**
 * True if the request comes from one of these origins or from our own page. GET requests of our own
 * page have no `Origin`; browsers send `Sec-Fetch-Site` instead, which no script can set.
 */
function isFromPageOf(ctx: ApiContext, origins: readonly string[]): boolean {
  const origin = ctx.get('origin')
  return origin === '' ? ctx.get('sec-fetch-site') === 'same-origin' : origins.includes(origin)
}

function refused(code: ErrorCode, message: string, fault: string): ApiError {
  const rule = { path: 'apikey', code, message: fault, expected: 'an API key' }
  return refusal({ in: 'header', ...rule }, { message })
}
