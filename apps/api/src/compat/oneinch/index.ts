/**
 * 1inch's Swap API v6. Its parameters and bodies are nearly ours, so that most endpoints are ours at
 * its paths, with its numbers where we have strings.
 */
import { z } from 'zod'
import type { ApiContext } from '../../middleware/state.js'
import {
  approveAllowanceRoute,
  approveSpenderRoute,
  approveTransactionRoute,
} from '../../routes/approve.js'
import { liquiditySourcesRoute } from '../../routes/liquiditySources.js'
import { quoteRoute } from '../../routes/quote.js'
import { freshState, readQuery, requireChain } from '../../routes/request.js'
import { swapRoute } from '../../routes/swap.js'
import type { Services } from '../../services/services.js'
import type { LiquiditySourcesBody, QuoteBody, SwapBody } from '../../wire/responses.js'
import * as wire from '../../wire/responses.js'
import type { Shape, ShapeEndpoint } from '../shape/shape.js'
import { askOwn } from '../shape/translate.js'
import {
  allowanceQuery,
  approvalQuery,
  ownQuote,
  ownSwap,
  quoteQuery,
  swapQuery,
} from './request.js'
import {
  allowanceSchema,
  errorFields,
  healthSchema,
  quoteSchema,
  showError,
  showProtocols,
  showToken,
  sourcesSchema,
  swapSchema,
  tokensSchema,
} from './response.js'

const none = z.object({})

function quote(services: Services) {
  const schema = quoteQuery(services.config)
  const own = quoteRoute(services)
  return async (ctx: ApiContext): Promise<void> => {
    const params = readQuery(ctx, schema)
    const { query, ...rest } = ownQuote(ctx, params)
    // The route of `protocols` is known only after the exact walk.
    const exactQuote = params.includeProtocols ? 'yes' : undefined
    const body = await askOwn<QuoteBody>(ctx, own, { ...rest, query: { ...query, exactQuote } })
    if (body) ctx.body = showQuoted(ctx, body, params)
  }
}

function swap(services: Services) {
  const schema = swapQuery(services.config)
  const own = swapRoute(services)
  return async (ctx: ApiContext): Promise<void> => {
    const params = readQuery(ctx, schema)
    const body = (await askOwn<SwapBody>(ctx, own, ownSwap(ctx, params)))!
    const { gas, ...tx } = body.tx
    ctx.body = { ...showQuoted(ctx, body, params), tx: { ...tx, gas: Number(gas) } }
  }
}

/** The fields that a quote and a swap have both. */
function showQuoted(
  { state }: ApiContext,
  { dstAmount, srcToken, dstToken, gas }: Omit<QuoteBody, 'meta'>,
  { includeProtocols }: { readonly includeProtocols?: boolean | undefined },
) {
  const { order, answer } = state.found!
  return {
    dstAmount,
    ...(srcToken && dstToken && { srcToken: showToken(srcToken), dstToken: showToken(dstToken) }),
    ...(includeProtocols && { protocols: showProtocols(answer.route!, order) }),
    ...(gas !== undefined && { gas: Number(gas) }),
  }
}

function tokens(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, services)
    readQuery(ctx, none)
    const addresses = freshState(ctx, services).graph.snapshot.tokens.map(({ address }) => address)
    const texts = await services.tokens.read(addresses)
    const listed = [...texts.values()].map((text) => showToken(services.tokens.infoOf(text)))
    ctx.body = { tokens: Object.fromEntries(listed.map((token) => [token.address, token])) }
  }
}

function sources(services: Services) {
  const own = liquiditySourcesRoute(services)
  return async (ctx: ApiContext): Promise<void> => {
    await own(ctx)
    const { protocols } = ctx.body as LiquiditySourcesBody
    ctx.body = { protocols: protocols.map(({ id }) => ({ id, title: id, img: '', img_color: '' })) }
  }
}

function health(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, services)
    readQuery(ctx, none)
    freshState(ctx, services)
    ctx.body = { status: 'OK' }
  }
}

type Named = Omit<ShapeEndpoint, 'path' | 'operationId' | 'query'> & {
  readonly name: string
  readonly query?: ShapeEndpoint['query']
}

const named: readonly Named[] = [
  {
    ...{ name: 'quote', summary: 'the best rate', query: quoteQuery, hasEtag: true },
    ...{ body: quoteSchema, route: quote },
  },
  {
    ...{ name: 'swap', summary: 'the best rate and its transaction', query: swapQuery },
    ...{ body: swapSchema, route: swap },
  },
  {
    ...{ name: 'approve/spender', summary: 'the contract to approve', body: wire.spenderSchema },
    route: approveSpenderRoute,
  },
  {
    ...{ name: 'approve/transaction', summary: 'an approval', query: approvalQuery },
    ...{ body: wire.approveTransactionSchema, route: approveTransactionRoute },
  },
  {
    ...{ name: 'approve/allowance', summary: 'the allowance of the router' },
    ...{ query: allowanceQuery, body: allowanceSchema, route: approveAllowanceRoute },
  },
  { name: 'tokens', summary: 'the tokens of the market', body: tokensSchema, route: tokens },
  {
    ...{ name: 'liquidity-sources', summary: 'the venues', body: sourcesSchema, route: sources },
  },
  {
    name: 'healthcheck',
    summary: 'whether quotes are answered',
    body: healthSchema,
    route: health,
  },
]

const wordsOf = (text: string) =>
  text.replace(/(?:^|[^a-z])([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The shape of 1inch's Swap API, whose two versions of v6 are served alike. */
export const oneInch: Shape = {
  endpoints: ['6.0', '6.1'].flatMap((version) =>
    named.map(({ name, summary, query = () => none, ...rest }) => ({
      ...{ ...rest, query, summary: `1inch ${version}: ${summary}` },
      path: `/swap/v${version}/{chainId}/${name}`,
      operationId: `oneInch${version.replace('.', '')}${wordsOf(name)}`,
    })),
  ),
  key: { header: 'authorization', read: (value) => value.replace(/^bearer(\s+|$)/i, '') },
  errors: { fields: errorFields, of: showError },
}
