/**
 * 0x's Swap API v2 with AllowanceHolder. Here the spender is the router itself, so `allowanceTarget`
 * and `transaction.to` are the same address, and `zid` is the id of the quote.
 */
import type { Wallet } from '@braid-swap/chain'
import { type Address, floorAt, NATIVE } from '@braid-swap/core'
import { isUnfilled, raisedAt } from '@braid-swap/core/advanced'
import { getAddress } from 'viem'
import { z } from 'zod'
import { freshState } from '../../answers/freshState.js'
import { ApiError } from '../../errors.js'
import type { SwapParams } from '../../execution/findSale.js'
import { venuesOf } from '../../market/marketPools.js'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import { openQuote, quoteAt } from '../../routes/quote.js'
import { requireChain } from '../../routes/request.js'
import { swapFor } from '../../routes/swap.js'
import { tokenInOf, tokenOutOf } from '../../wire/graph.js'
import type { QuoteBody } from '../../wire/responses.js'
import { inOwnTerms, type Shape, type ShapeEndpoint, text } from '../shape/shape.js'
import { NAMES, type OrderQuery, orderQuery, requireVersion, translate } from './request.js'
import { showError, showFees, showRoute } from './response.js'
import { proceduresOf } from './trpc.js'

/** `GET /swap/allowance-holder/price`: the rate, without a transaction. */
function priceRoute(need: Need) {
  const { from, slippage } = need.schemas.swap.shape
  const schema = need.schemas.quote.extend({ from, slippage })
  return async (ctx: ApiContext, query: OrderQuery) => {
    const { own, ...rest } = translate(ctx, query, need)
    // Never cached: the issues of the taker are not a part of the identity.
    ctx.set('cache-control', 'no-store')
    return orUnavailable(ctx, () =>
      inOwnTerms(schema, own, NAMES, async ({ from, slippage, ...params }) => {
        const opened = openQuote(ctx, need, { endpoint: 'quote', params, wish: {} })
        const answered = await quoteAt(ctx, need, params, opened)
        const wallet = from && (await need.wallets.read(ofTaker(from, params.src)))
        const { amountIn } = answered.order
        // There is no transaction yet, which sells the least input raised by the slippage.
        const sold = params.dstAmountExact ? raisedAt(amountIn, BigInt(slippage)) : amountIn
        const asked = { ...params, slippage, wallet, sold, ...rest }
        const gas = answered.body.gas!
        const { gasPrice } = answered.body.meta!
        const common = await showCommon(need, asked, answered)
        return { ...common, gas, gasPrice, totalNetworkFee: costOf(gas, gasPrice) }
      }),
    )
  }
}

/** `GET /swap/allowance-holder/quote`: the rate and the transaction that performs it. */
function quoteRoute(need: Need) {
  const { swap } = need.schemas
  const schema = swap.extend({ from: swap.shape.from.unwrap() })
  return async (ctx: ApiContext, query: OrderQuery) => {
    const { own, ...rest } = translate(ctx, query, need)
    return orUnavailable(ctx, () =>
      inOwnTerms(schema, own, NAMES, async (params) => {
        const { from, src, amount } = params
        const wallet = await need.wallets.read(ofTaker(from, src))
        // The node estimates the gas if the taker could pay at once.
        const skipChecks = amount === undefined || missingOf(wallet, src, amount).some(Boolean)
        const answered = await swapFor(ctx, need, { ...params, skipChecks }, {})
        const { to, data, gas, gasPrice, value } = answered.body.tx
        const asked = { ...params, wallet, sold: answered.order.amountIn, ...rest }
        return {
          ...(await showCommon(need, asked, answered)),
          totalNetworkFee: costOf(gas, gasPrice),
          transaction: { to, data, gas, gasPrice, value },
        }
      }),
    )
  }
}

/** 0x answers 200 if the market cannot fill the order. */
async function orUnavailable(ctx: ApiContext, answer: () => Promise<object>): Promise<object> {
  try {
    return await answer()
  } catch (error) {
    if (!isUnfilled(error)) throw error
    return { liquidityAvailable: false, zid: ctx.state.quoteId ?? ctx.state.requestId }
  }
}

/** Whether a wallet lacks the balance, and the allowance, for an amount of a token. */
function missingOf({ balance, allowance }: Wallet, token: Address, amount: bigint) {
  return [balance < amount, token !== NATIVE && allowance < amount] as const
}

const ofTaker = (owner: Address, token: Address) => ({ owner, token, parameter: 'src' })

type Asked = Pick<SwapParams, 'src' | 'dst' | 'dstAmountExact' | 'slippage'> & {
  readonly wallet: Wallet | undefined
  /** What the transaction sells. */
  readonly sold: bigint
  readonly invalidSources: readonly string[]
}
type Answered = Pick<Awaited<ReturnType<typeof quoteAt>>, 'order' | 'answer'> & {
  readonly body: Pick<QuoteBody, 'meta'>
}

/** The fields that a price and a quote have both. */
async function showCommon(need: Need, asked: Asked, { body, order, answer }: Answered) {
  const { src, dst, wallet, sold, invalidSources } = asked
  const { quoteId, blockNumber, fee } = body.meta!
  const hops = answer.route!
  const passed = hops.flatMap((hop) => [tokenInOf(hop), tokenOutOf(hop)])
  const route = showRoute(hops, order, await need.tokens.read([src, dst, ...passed]))
  const spender = getAddress(need.config.router)
  const [isShort, isNotAllowed] = wallet ? missingOf(wallet, src, sold) : [false, false]
  return {
    ...{ liquidityAvailable: true, zid: quoteId, blockNumber, sellToken: src, buyToken: dst },
    ...{ allowanceTarget: spender, tokenMetadata: { buyToken: NO_TAX, sellToken: NO_TAX } },
    issues: {
      simulationIncomplete: isShort || isNotAllowed,
      invalidSourcesPassed: invalidSources,
      allowance: isNotAllowed ? { actual: `${wallet!.allowance}`, spender } : null,
      balance: isShort ? { token: src, actual: `${wallet!.balance}`, expected: `${sold}` } : null,
    },
    ...showAmounts(asked, { route, amountOut: answer.amountOut, fees: showFees(fee) }),
  }
}

/** The amounts and the route. What an exact output leaves of its input is swapped too, so no refund. */
function showAmounts(
  { dstAmountExact, slippage, sold }: Asked,
  { route, amountOut, fees }: { route: object; amountOut: bigint; fees: object },
) {
  if (dstAmountExact === undefined) {
    const minBuyAmount = `${floorAt(amountOut, BigInt(slippage))}`
    const amounts = { sellAmount: `${sold}`, buyAmount: `${amountOut}`, minBuyAmount }
    return { mode: 'exact-in', ...amounts, fees: { ...fees, gasFee: null }, route }
  }
  const [maxSellAmount, refund] = [`${sold}`, { fills: [], tokens: [] }]
  const amounts = { maxSellAmount, estimatedNetSellAmount: maxSellAmount }
  const routes = { forward: route, refund }
  return { mode: 'exact-out', buyAmount: `${dstAmountExact}`, ...amounts, fees, routes }
}

/** Tokens that take a tax are refused, so there is none. */
const NO_TAX = { buyTaxBps: '0', sellTaxBps: '0', transferTaxBps: '0' }

const costOf = (gas: string, gasPrice: string) => `${BigInt(gas) * BigInt(gasPrice)}`

const price: ShapeEndpoint = {
  ...{ path: '/swap/allowance-holder/price', operationId: 'zeroExPrice', query: () => orderQuery },
  summary: '0x: the best rate, without a transaction',
  route: priceRoute,
}

const quote: ShapeEndpoint = {
  ...{ path: '/swap/allowance-holder/quote', operationId: 'zeroExQuote', query: () => orderQuery },
  summary: '0x: the best rate and the transaction that performs it',
  route: quoteRoute,
}

const sourcesQuery = z.object({ chainId: text('that of the service') })

const sources: ShapeEndpoint = {
  ...{ path: '/sources', operationId: 'zeroExSources', query: () => sourcesQuery },
  summary: '0x: the venues of the market, by the ids that excludedSources takes',
  route:
    (need) =>
    async (ctx, { chainId }: z.output<typeof sourcesQuery>) => {
      requireVersion(ctx)
      requireChain(chainId, need)
      // The id is of this request, so the answer is of no other.
      ctx.set('cache-control', 'no-store')
      const { snapshot } = freshState(ctx, need).graph
      return { sources: [...venuesOf(snapshot)].sort(), zid: ctx.state.requestId }
    },
}

/**
 * Quotes that are paid through Permit2 leave the signature to the client, who appends it to the calldata. Ours would
 * then have no canonical encoding, which `verifySwap` requires, and its gas could not be asked of a node before.
 */
const permit2 = (name: 'price' | 'quote', operationId: string): ShapeEndpoint => ({
  ...{ path: `/swap/permit2/${name}`, operationId, query: () => z.object({}) },
  summary: `0x: not served; ask /swap/allowance-holder/${name}`,
  route: () => async () => {
    const message = `payment through Permit2 is not served: ask /swap/allowance-holder/${name}`
    throw new ApiError('NOT_FOUND', message)
  },
})
const permit2Price = permit2('price', 'zeroExPermit2Price')
const permit2Quote = permit2('quote', 'zeroExPermit2Quote')

/** The shape of 0x's Swap API v2. */
export const zeroEx: Shape = {
  endpoints: [price, quote, permit2Price, permit2Quote, sources],
  ...{ keyHeader: '0x-api-key', headers: ['0x-api-key', '0x-version', 'content-type'] },
  errorFields: showError,
}

/** The same endpoints as 0x's SDK asks for them. */
export const zeroExProcedures = proceduresOf({
  'swap.allowanceHolder.getPrice': price,
  'swap.allowanceHolder.getQuote': quote,
  'swap.permit2.getPrice': permit2Price,
  'swap.permit2.getQuote': permit2Quote,
  'sources.getSources': sources,
})
