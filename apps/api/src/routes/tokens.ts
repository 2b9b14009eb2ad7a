import { ApiError } from '../errors.js'
import type { ApiContext } from '../middleware/state.js'
import type { RouteParts } from '../parts.js'
import { pricesOf } from '../prices.js'
import { readParameters } from '../wire/readParameters.js'
import type { TokenBody } from '../wire/responses.js'
import { freshState, readQuery, requireChain } from './request.js'

/** `GET /{chainId}/tokens/{address}`: texts, verification and prices of one token. */
export function tokenRoute(parts: RouteParts) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, parts)
    const { chainId: _, ...raw } = ctx['params']
    const { address } = readParameters(parts.schemas.token, raw, 'path').values
    readQuery(ctx, parts.schemas.none)
    const { graph } = freshState(ctx, parts)
    const text = (await parts.tokens.read([address])).get(address)
    if (!text) {
      const code = 'TOKEN_NOT_FOUND'
      const message = `${address} is not a token contract`
      const expected = 'a contract with decimals()'
      throw new ApiError(code, message, {
        status: 404,
        issues: [{ in: 'path', path: 'address', code, message, received: address, expected }],
      })
    }
    ctx.set('cache-control', 'private, max-age=30')
    const { decimals, address: shown, symbol, name, logoUri } = parts.tokens.infoOf(text)
    const body: TokenBody = {
      ...{ symbol, name, decimals, address: shown },
      verified: parts.tokens.isVerified(address),
      logoUri,
      ...pricesOf(graph, address, parts.config.usdTokens),
    }
    ctx.body = body
  }
}
