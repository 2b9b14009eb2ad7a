import { ApiError, type ErrorCode } from '../errors.js'
import type { KeyStore } from '../keyStore.js'
import type { AppConfig } from '../parts.js'
import type { ApiContext, ApiMiddleware } from './state.js'

/**
 * Lets a request pass that presents a valid key in the `apikey` header, from one of the pages that
 * the key is for if it is for some only, or from the API's own.
 */
export function requireKey(
  keys: KeyStore,
  { keyLimits }: Pick<AppConfig, 'keyLimits'>,
): ApiMiddleware {
  return async (ctx, next) => {
    const presented = ctx.get('apikey')
    if (presented === '')
      throw refusal('API_KEY_MISSING', 'send your API key in the apikey header', 'is missing')
    const key = await keys.find(presented)
    if (!key) throw refusal('API_KEY_INVALID', 'the API key is not valid', 'is no key in force')
    const limits = { rate: key.rate ?? keyLimits.rate, burst: key.burst ?? keyLimits.burst }
    ctx.state.key = { id: key.id, limits }
    if (key.origins && !isFromPageOf(ctx, key.origins)) {
      throw refusal(
        'API_KEY_FORBIDDEN',
        'the API key may only be used by the pages it was made for',
        'is for other pages',
      )
    }
    await next()
  }
}

/**
 * Whether a page of these origins asks, or our own: its GETs name no origin, and instead of it a
 * browser says where they come from, in a field that no script can set.
 */
function isFromPageOf(ctx: ApiContext, origins: readonly string[]): boolean {
  const origin = ctx.get('origin')
  return origin === '' ? ctx.get('sec-fetch-site') === 'same-origin' : origins.includes(origin)
}

function refusal(code: ErrorCode, message: string, fault: string): ApiError {
  const issue = {
    in: 'header',
    path: 'apikey',
    code,
    message: fault,
    expected: 'an API key',
  } as const
  return new ApiError(code, message, { issues: [issue] })
}
