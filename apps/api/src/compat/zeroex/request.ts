// The query of 0x's price and quote endpoints, and what it means in our terms.

import { wrappedOf } from '@braid-swap/core/advanced'
import { z } from 'zod'
import { refusal } from '../../errors.js'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import { requireChain } from '../../routes/request.js'
import { integerParameter } from '../../wire/parameters.js'
import { text, texts } from '../shape/shape.js'

/** What would change what the caller pays or gets, and is not supported. */
const REFUSED = {
  tradeSurplusRecipient: 'a share of what is above the quote',
  tradeSurplusMaxBps: 'a share of what is above the quote',
  sellEntireBalance: 'an unknown amount',
}

/** The query of `/price` and of `/quote`, which requires a taker. */
export const orderQuery = z.object({
  chainId: text('that of the service'),
  slippageBps: integerParameter('basis points; 100 when absent', {
    ...{ min: 0n, max: 5_000n },
  }).optional(),
  slippagePpm: integerParameter('parts per million, instead of slippageBps', {
    ...{ min: 0n, max: 500_000n },
  }).optional(),
  ...texts({
    sellToken: 'token to sell; the native token address is allowed',
    buyToken: 'token to buy; the native token address is allowed',
    sellAmount: 'amount to sell, in the smallest unit; or buyAmount',
    buyAmount: 'amount to buy, in the smallest unit, instead of sellAmount',
    taker: 'wallet that sends the transaction',
    recipient: 'address that receives the output; the taker when absent',
    gasPrice: 'wei per gas',
    excludedSources: 'sources to exclude: ids of venues, comma-separated',
    swapFeeRecipient: 'address that gets the fee; ignored without one',
    swapFeeBps: 'fee of one integrator, in basis points of the output, 0 <= x <= 100',
    swapFeeToken: 'required with a fee: buyToken, or the wrapped token for the native one',
    ...REFUSED,
  }),
})
/** Its values. */
export type OrderQuery = z.output<typeof orderQuery>

/** The names of our parameters in this shape. */
export const NAMES = {
  ...{ src: 'sellToken', dst: 'buyToken', amount: 'sellAmount', dstAmountExact: 'buyAmount' },
  ...{ from: 'taker', receiver: 'recipient', excludeProtocols: 'excludedSources' },
  ...{ feeBps: 'swapFeeBps', feeRecipient: 'swapFeeRecipient' },
}

/** The order in our terms, and the sources that are no venue. Throws for what cannot be served. */
export function translate(ctx: ApiContext, query: OrderQuery, need: Need) {
  requireVersion(ctx)
  requireChain(query.chainId, need)
  for (const [path, what] of Object.entries(REFUSED)) {
    const received = query[path as keyof typeof REFUSED]
    if (received === undefined || /^(false|0)$/i.test(received)) continue
    const message = `must be absent: ${what} is not supported`
    const issue = { path, code: 'AMOUNT_OUT_OF_RANGE', message } as const
    throw refusal({ ...issue, received: received.slice(0, 100), expected: '0' })
  }
  const pools = need.market.current()?.graph.snapshot.pools ?? []
  const configured = need.config.venues.map(({ id }) => id)
  const venues = new Set([...configured, ...pools.map(({ venue }) => venue)])
  const sources = (query.excludedSources ?? '').split(',').filter((each) => each !== '')
  const excluded = sources.filter((each) => venues.has(each))
  return {
    invalidSources: sources.filter((each) => !venues.has(each)),
    own: {
      ...{ src: query.sellToken, dst: query.buyToken },
      ...{ amount: query.sellAmount, dstAmountExact: query.buyAmount },
      ...{ from: query.taker, receiver: query.recipient, gasPrice: query.gasPrice },
      excludeProtocols: excluded.length > 0 ? excluded : undefined,
      ...{ slippage: slippageOf(query), includeMeta: true, includeGas: true },
      ...feeOf(query, need),
    },
  }
}

/** In percent. Throws INVALID_SLIPPAGE if both kinds are given, because nobody knows which is meant. */
function slippageOf({ slippageBps, slippagePpm }: OrderQuery): number {
  if (slippagePpm === undefined) return Number(slippageBps ?? 100n) / 100
  if (slippageBps === undefined) return Number(slippagePpm) / 10_000
  throw refusal({
    ...{ path: 'slippagePpm', code: 'INVALID_SLIPPAGE' },
    message: 'must be absent if slippageBps is given',
    ...{ expected: 'slippageBps or slippagePpm', received: `${slippagePpm}` },
  })
}

/**
 * The fee in our terms: a part of the output, for one recipient. Its token must be named; a fee of the token to sell
 * is refused, and so is one in the native token, because it is the wrapped one that is paid.
 */
function feeOf(
  { swapFeeBps = '0', swapFeeToken, buyToken, ...rest }: OrderQuery,
  { config }: Need,
) {
  if (Number(swapFeeBps) === 0) return {}
  const token = wrappedOf(`${buyToken?.toLowerCase()}` as `0x${string}`, config.wrappedNative)
  if (swapFeeToken?.toLowerCase() !== token) {
    throw refusal({
      ...{ path: 'swapFeeToken', code: swapFeeToken ? 'INVALID_ENUM' : 'MISSING_PARAMETER' },
      ...{ message: `must be ${token}: a fee is a part of the output`, expected: token },
      ...(swapFeeToken && { received: swapFeeToken.slice(0, 100) }),
    })
  }
  return { feeBps: swapFeeBps, feeRecipient: rest.swapFeeRecipient }
}

/** Throws INVALID_ENUM if a caller names another version of the service. */
export function requireVersion(ctx: ApiContext): void {
  const received = ctx.get('0x-version').slice(0, 100)
  if (received === '' || received === 'v2') return
  const fault = { code: 'INVALID_ENUM', message: 'must be v2', expected: 'v2' } as const
  throw refusal({ in: 'header', path: '0x-version', ...fault, received })
}
