import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TokenText } from '@braid-swap/chain'
import type { Address, Graph } from '@braid-swap/core'
import { askerOf } from '../admission/asker.js'
import { freshState } from '../answers/freshState.js'
import { refusal } from '../errors.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { decimalsOf } from '../tokens/decimals.js'
import { type FindPrices, PRICE_MAX_AGE_S, type Prices } from '../tokens/prices.js'
import { readParameters } from '../wire/readParameters.js'
import type { Values } from '../wire/requests.js'
import type { ListedTokenBody, TokenBody, TokensBody } from '../wire/responses.js'

const CACHE_CONTROL = `private, max-age=${PRICE_MAX_AGE_S}`
const TOKENS_PER_PAGE = 100n
/** Part of the request time limit that a list may spend on prices that are not cached. */
const PRICING_PART = 0.4

/** `GET /{chainId}/tokens/{address}`: metadata, verification and prices of one token. */
export function tokenRoute(need: Need) {
  return async (ctx: ApiContext): Promise<void> => {
    const { chainId: _, ...raw } = ctx['params']
    const { address } = readParameters(need.schemas.token, raw, 'path').values
    const { graph } = freshState(ctx, need)
    const isListed = decimalsOf(graph.snapshot, address) !== undefined
    if (!isListed && !need.tokens.isKnown(address)) await askerOf(ctx, need).charge('lookups', 1)
    const text = (await need.tokens.read([address])).get(address)
    if (!text) {
      const message = 'must be a token: this address does not answer decimals()'
      const fault = { path: 'address', code: 'TOKEN_NOT_FOUND', message } as const
      const [received, expected] = [address, 'a contract with decimals()']
      throw refusal({ in: 'path', ...fault, received, expected }, { status: 404 })
    }
    ctx.set('cache-control', CACHE_CONTROL)
    const body: TokenBody = {
      ...describeToken(need, text),
      ...(await need.prices.exact(graph, address, priceSearch(ctx, need, graph))),
    }
    ctx.body = body
  }
}

/**
 * `GET /{chainId}/tokens`: the tokens of the market by address, in pages. The addresses are in
 * ascending order, so pages of one market do not overlap.
 */
export function tokensRoute(need: Need) {
  return async (ctx: ApiContext, query: Values<'tokens'>): Promise<void> => {
    const { page = 0n, limit = TOKENS_PER_PAGE, verified } = query
    const { graph } = freshState(ctx, need)
    const addresses = graph.snapshot.tokens
      .map(({ address }) => address)
      .filter((address) => verified === undefined || need.tokens.isVerified(address) === verified)
      .sort()
      .slice(Number(page * limit), Number((page + 1n) * limit))
    const texts = await need.tokens.read(addresses)
    const prices = await readPrices(ctx, need, { graph, addresses })
    const listed = addresses.flatMap((address): readonly [string, ListedTokenBody][] => {
      const text = texts.get(address)
      if (!text) return []
      const token = { ...describeToken(need, text), ...prices.get(address) }
      return [[token.address, token]]
    })
    ctx.set('cache-control', CACHE_CONTROL)
    const body: TokensBody = { tokens: Object.fromEntries(listed) }
    ctx.body = body
  }
}

/**
 * Prices of tokens, verified tokens first. When the time limit is over, the remaining prices are left
 * out, so that a list of a large market takes no longer than other requests. The next request
 * computes more of them.
 */
async function readPrices(
  ctx: ApiContext,
  need: Need,
  { graph, addresses }: { readonly graph: Graph; readonly addresses: readonly Address[] },
): Promise<ReadonlyMap<Address, Prices>> {
  const { tokens, prices, config } = need
  const find = priceSearch(ctx, need, graph)
  const endMs = performance.now() + config.maxRequestMs * PRICING_PART
  const isTime = () => performance.now() < endMs
  const rank = (address: Address) => Number(!tokens.isVerified(address))
  const found = new Map<Address, Prices>()
  for (const address of [...addresses].sort((a, b) => rank(a) - rank(b))) {
    const known = prices.recent(address)
    if (!known && !isTime()) continue
    found.set(address, known ?? (await prices.exact(graph, address, find)))
    // A search may run in this thread, as in a program that embeds the API: others have their turn between two.
    if (!known) await nextTurn()
  }
  return found
}

/**
 * The search for prices, in the threads of searches and the turn of the key. It is not charged, because a price is found
 * once for all keys.
 */
function priceSearch(ctx: ApiContext, { search, config }: Need, graph: Graph): FindPrices {
  const isWanted = () => !(ctx.res.writableEnded || ctx.res.destroyed)
  const terms = { limitMs: config.maxRequestMs, key: ctx.state.key!.id, isWanted }
  return async (asked) => {
    const outcome = await search(graph, { name: 'price', asked, options: {} }, terms)
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
}

function describeToken({ tokens }: Need, text: TokenText) {
  const { decimals, address, symbol, name, logoUri } = tokens.infoOf(text)
  return {
    ...{ symbol, name, decimals, address },
    verified: tokens.isVerified(text.address),
    logoUri,
  }
}
