import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TokenText } from '@braid-swap/chain'
import type { Graph } from '@braid-swap/core'
import { ApiError } from '../errors.js'
import type { ApiContext } from '../middleware/state.js'
import type { RouteParts } from '../parts.js'
import { pricesOf } from '../prices.js'
import { readParameters } from '../wire/readParameters.js'
import type { TokenBody, TokensBody } from '../wire/responses.js'
import { freshState, readQuery, requireChain } from './request.js'

const CACHE_CONTROL = 'private, max-age=30'
const TOKENS_PER_PAGE = 100n

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
    ctx.set('cache-control', CACHE_CONTROL)
    const body: TokenBody = describeToken(parts, graph, text)
    ctx.body = body
  }
}

/**
 * `GET /{chainId}/tokens`: the market's tokens by address, a page at a time. The addresses are in
 * ascending order, so that pages of one market do not overlap.
 */
export function tokensRoute(parts: RouteParts) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, parts)
    const { page = 0n, limit = TOKENS_PER_PAGE, verified } = readQuery(ctx, parts.schemas.tokens)
    const { graph } = freshState(ctx, parts)
    const addresses = graph.snapshot.tokens
      .map(({ address }) => address)
      .filter((address) => verified === undefined || parts.tokens.isVerified(address) === verified)
      .sort()
      .slice(Number(page * limit), Number((page + 1n) * limit))
    const texts = await parts.tokens.read(addresses)
    const tokens: Record<string, TokenBody> = {}
    for (const address of addresses) {
      const text = texts.get(address)
      if (!text) continue
      const token = describeToken(parts, graph, text)
      tokens[token.address] = token
      // Prices are quotes: those that others ask for are answered between them.
      await nextTurn()
    }
    ctx.set('cache-control', CACHE_CONTROL)
    const body: TokensBody = { tokens }
    ctx.body = body
  }
}

function describeToken({ tokens, config }: RouteParts, graph: Graph, text: TokenText): TokenBody {
  const { decimals, address, symbol, name, logoUri } = tokens.infoOf(text)
  return {
    ...{ symbol, name, decimals, address },
    verified: tokens.isVerified(text.address),
    logoUri,
    ...pricesOf(graph, text.address, config.usdTokens),
  }
}
