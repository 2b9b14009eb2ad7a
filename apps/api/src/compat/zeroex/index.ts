/**
 * 0x's Swap API v2 with AllowanceHolder. Here the spender is the router itself, so `allowanceTarget`
 * and `transaction.to` are the same address, and `zid` is the id of the quote.
 */
import { type Address, floorAt, NATIVE, type Order, raisedAt } from '@braid-swap/core'
import { getAddress } from 'viem'
import { ApiError } from '../../errors.js'
import { readWalletOf } from '../../execution/wallet.js'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import type { QuoteAnswer } from '../../quoting/quoting.js'
import { openQuote, quoteAt } from '../../routes/quote.js'
import { readQuery } from '../../routes/request.js'
import { swapFor } from '../../routes/swap.js'
import { tokenInOf, tokenOutOf } from '../../wire/graph.js'
import type { RawParameters } from '../../wire/readParameters.js'
import type { QuoteBody } from '../../wire/responses.js'
import type { Shape, ShapeEndpoint } from '../shape/shape.js'
import { inOwnTerms } from '../shape/translate.js'
import { chains, sources } from './lists.js'
import { refusedPermit2 } from './permit2.js'
import { type Params, priceQuery, quoteQuery, type TranslatedOrder, translate } from './request.js'
import {
  errorFields,
  priceSchema,
  quoteSchema,
  showError,
  showRoute,
  showTrade,
  tokenMetadata,
  UNFILLABLE,
} from './response.js'
import { proceduresOf } from './trpc.js'

/** A price is never cached: the issues of the taker are not a part of its identity. */
const PRICE = { endpoint: 'quote', wish: {} } as const

/** `GET /swap/allowance-holder/price`: the rate, without a transaction. */
function priceRoute(need: Need) {
  const schema = priceQuery(need.config)
  const own = { schema: need.schemas.quote, config: need.config }
  return async (ctx: ApiContext, query: RawParameters): Promise<void> => {
    const params: Params = readQuery(ctx, schema, query)
    const translated = translate(ctx, need, params)
    ctx.set('cache-control', 'no-store')
    await orUnavailable(ctx, async () => {
      const { slippage: _, from: __, receiver: ___, ...rest } = translated.own.query
      const answered = await inOwnTerms({ ...translated.own, query: rest }, own, (asked) =>
        quoteAt(ctx, need, asked, openQuote(ctx, need, { ...PRICE, params: asked })),
      )
      const gas = answered.body.gas!
      const { gasPrice } = answered.body.meta!
      const figures = await showCommon(need, { params, translated, ...answered })
      ctx.body = { ...figures, gas, gasPrice, totalNetworkFee: costOf(gas, gasPrice) }
    })
  }
}

/** `GET /swap/allowance-holder/quote`: the rate and the transaction that performs it. */
function fullQuoteRoute(need: Need) {
  const schema = quoteQuery(need.config)
  const own = { schema: need.schemas.swap, config: need.config }
  return async (ctx: ApiContext, query: RawParameters): Promise<void> => {
    const params: Params = readQuery(ctx, schema, query)
    const translated = translate(ctx, need, params)
    await orUnavailable(ctx, async () => {
      const skipChecks = `${!(await canPay(need, params))}`
      const query = { ...translated.own.query, skipChecks }
      const answered = await inOwnTerms({ ...translated.own, query }, own, (asked) =>
        swapFor(ctx, need, asked, {}),
      )
      const { to, data, gas, gasPrice, value } = answered.body.tx
      ctx.body = {
        ...(await showCommon(need, { params, translated, ...answered })),
        totalNetworkFee: costOf(gas, gasPrice),
        transaction: { to, data, gas, gasPrice, value },
      }
    })
  }
}

/** 0x answers 200 if the market cannot fill the order. */
async function orUnavailable(ctx: ApiContext, answer: () => Promise<void>): Promise<void> {
  try {
    await answer()
  } catch (error) {
    if (!(error instanceof ApiError) && !isCoded(error)) throw error
    if (!UNFILLABLE.has(error.code as ApiError['code'])) throw error
    const { quoteId, requestId } = ctx.state
    ctx.body = { liquidityAvailable: false, zid: quoteId ?? requestId }
  }
}

function isCoded(error: unknown): error is { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/** True if the taker could pay at once; then the node estimates the gas. */
async function canPay(need: Need, { taker, sellToken, sellAmount }: Params) {
  if (sellAmount === undefined) return false
  const { balance, allowance } = await readWalletOf(need, {
    ...{ owner: taker!, token: sellToken, parameter: 'sellToken' },
  })
  return balance >= sellAmount && (sellToken === NATIVE || allowance >= sellAmount)
}

type AnsweredOrder = {
  readonly params: Params
  readonly translated: TranslatedOrder
  readonly body: { readonly maxSrcAmount?: string | undefined; readonly meta?: QuoteBody['meta'] }
  readonly order: Order
  readonly answer: QuoteAnswer
}

/** The fields that a price and a quote have both. */
async function showCommon(need: Need, { params, translated, body, order, answer }: AnsweredOrder) {
  const route = answer.route!
  const { sellToken, buyToken, buyAmount } = params
  const { slippagePpm } = translated
  const symbols = await readSymbols(need, [
    ...[sellToken, buyToken, ...route.flatMap((hop) => [tokenInOf(hop), tokenOutOf(hop)])],
  ])
  // A price has no transaction yet, which sells the least input raised by the slippage.
  const maxSellAmount =
    body.maxSrcAmount === undefined ? raisedAt(order.amountIn, slippagePpm) : order.amountIn
  const { quoteId, blockNumber, fee } = body.meta!
  const trade = showTrade({
    ...{ order, route: showRoute(route, order, symbols), fee },
    ...{ buyAmount: answer.amountOut, minBuyAmount: floorAt(answer.amountOut, slippagePpm) },
    exact: buyAmount === undefined ? undefined : { maxSellAmount, buyAmount },
  })
  const sold = 'maxSellAmount' in trade ? BigInt(trade.maxSellAmount) : order.amountIn
  return {
    ...{ liquidityAvailable: true, zid: quoteId, blockNumber, sellToken, buyToken },
    ...{ allowanceTarget: getAddress(need.config.router), tokenMetadata },
    issues: await readIssues(need, params, { sold, invalidSources: translated.invalidSources }),
    ...trade,
  }
}

/** Lists the obstacles to sending the transaction; none without a taker. */
async function readIssues(
  need: Need,
  { taker, sellToken }: Params,
  { sold, invalidSources }: { readonly sold: bigint; readonly invalidSources: readonly string[] },
) {
  const issues = { simulationIncomplete: false, invalidSourcesPassed: [...invalidSources] }
  if (!taker) return { ...issues, allowance: null, balance: null }
  const { balance, allowance } = await readWalletOf(need, {
    ...{ owner: taker, token: sellToken, parameter: 'sellToken' },
  })
  const isShort = balance < sold
  const isNotAllowed = sellToken !== NATIVE && allowance < sold
  const spender = getAddress(need.config.router)
  return {
    ...issues,
    simulationIncomplete: isShort || isNotAllowed,
    allowance: isNotAllowed ? { actual: `${allowance}`, spender } : null,
    balance: isShort ? { token: sellToken, actual: `${balance}`, expected: `${sold}` } : null,
  }
}

async function readSymbols({ tokens }: Need, addresses: readonly Address[]) {
  const texts = await tokens.read(addresses)
  return new Map([...texts].map(([token, { symbol }]) => [token as string, symbol]))
}

function costOf(gas: string, gasPrice: string): string {
  return `${BigInt(gas) * BigInt(gasPrice)}`
}

const price: ShapeEndpoint = {
  ...{ path: '/swap/allowance-holder/price', operationId: 'zeroExPrice', query: priceQuery },
  summary: '0x: the best rate, without a transaction',
  ...{ body: priceSchema, route: priceRoute },
}

const quote: ShapeEndpoint = {
  ...{ path: '/swap/allowance-holder/quote', operationId: 'zeroExQuote', query: quoteQuery },
  summary: '0x: the best rate and the transaction that performs it',
  ...{ body: quoteSchema, route: fullQuoteRoute },
}

const permit2Price = refusedPermit2('price', 'zeroExPermit2Price')
const permit2Quote = refusedPermit2('quote', 'zeroExPermit2Quote')

const key = { header: '0x-api-key', read: (value: string) => value }

/** The shape of 0x's Swap API v2. */
export const zeroEx: Shape = {
  endpoints: [price, quote, permit2Price, permit2Quote, sources, chains],
  key,
  headers: ['0x-version', 'content-type'],
  errors: { fields: errorFields, of: showError },
}

/** The same endpoints as 0x's SDK asks for them. */
export const zeroExProcedures = proceduresOf(
  new Map([
    ['swap.allowanceHolder.getPrice', price],
    ['swap.allowanceHolder.getQuote', quote],
    ['swap.permit2.getPrice', permit2Price],
    ['swap.permit2.getQuote', permit2Quote],
    ['sources.getSources', sources],
  ]),
  key,
)
