import { ApiError } from '../errors.js'
import type { KeyStore } from '../keys.js'
import type { ApiMiddleware } from './state.js'

/** Lets a request pass that presents a valid key in the `apikey` header. */
export function requireKey(keys: KeyStore): ApiMiddleware {
  return async (ctx, next) => {
    const presented = ctx.get('apikey')
    const issue = (code: string, message: string) => ({
      issues: [{ in: 'header' as const, path: 'apikey', code, message, expected: 'an API key' }],
    })
    if (presented === '') {
      const message = 'send your API key in the apikey header'
      throw new ApiError('API_KEY_MISSING', message, issue('API_KEY_MISSING', message))
    }
    const key = await keys.find(presented)
    if (!key) {
      const message = 'the API key is not valid'
      throw new ApiError('API_KEY_INVALID', message, issue('API_KEY_INVALID', message))
    }
    ctx.state.keyId = key.id
    await next()
  }
}
