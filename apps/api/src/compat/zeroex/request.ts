// The query of 0x's price and quote endpoints, and what it means in our terms.

import { type Address, wrappedOf } from '@braid-swap/core'
import { z } from 'zod'
import { ApiError, messageOf } from '../../errors.js'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import {
  addressParameter,
  amountParameter,
  booleanParameter,
  integerParameter,
  parameter,
} from '../../wire/parameters.js'
import type { SchemaOptions } from '../shape/shape.js'
import type { OwnRequest } from '../shape/translate.js'
import { refuseUnsupported } from '../shape/unsupported.js'

const MAX_AMOUNT = (1n << 128n) - 1n
const PPM_PER_BPS = 100n
const PPM_PER_PERCENT = 10_000
const DEFAULT_SLIPPAGE_PPM = 10_000n
const VERSION = 'v2'

const text = (description: string) =>
  parameter<string>({ description }, (value) => ({ value })).optional()

/** The chain of a request; one that is not served is refused later. */
export const chainIdParameter = () => integerParameter('999', { min: 0n, max: 1n << 53n })

/** The query of `/price`; `/quote` requires a taker. */
export function priceQuery({ strictChecksum }: SchemaOptions) {
  const token = (what: string) => addressParameter(what, { strictChecksum, isToken: true })
  const wallet = (what: string) =>
    addressParameter(what, { strictChecksum, isToken: false }).optional()
  const amount = (what: string) =>
    amountParameter(what, { allowZero: false, max: MAX_AMOUNT }).optional()
  return z.object({
    chainId: chainIdParameter(),
    sellToken: token('token to sell; the native token address is allowed'),
    buyToken: token('token to buy; the native token address is allowed'),
    sellAmount: amount('amount to sell, in the smallest unit; or buyAmount'),
    buyAmount: amount('amount to buy, in the smallest unit, instead of sellAmount'),
    taker: wallet('wallet that sends the transaction'),
    txOrigin: wallet('ignored'),
    recipient: wallet('address that receives the output; the taker when absent'),
    slippageBps: integerParameter('basis points; 100 when absent', {
      ...{ min: 0n, max: 5_000n },
    }).optional(),
    slippagePpm: integerParameter('parts per million, instead of slippageBps', {
      ...{ min: 0n, max: 500_000n },
    }).optional(),
    gasPrice: integerParameter('wei per gas', {
      min: 1n,
      max: 1n << 128n,
      isText: true,
    }).optional(),
    excludedSources: text('sources to exclude: ids of venues, comma-separated'),
    sellEntireBalance: booleanParameter('only false is supported'),
    wrapUnwrapMode: text('ignored'),
    swapFeeRecipient: text('address that gets the fee; ignored without one'),
    swapFeeBps: text('fee of one integrator, in basis points of the output, 0 <= x <= 100'),
    swapFeeToken: text('required with a fee: buyToken, or the wrapped token for the native one'),
    tradeSurplusRecipient: text('not supported: the recipient gets what is above the quote'),
    tradeSurplusMaxBps: text('not supported'),
  })
}

/** The query of `/quote`. */
export function quoteQuery(options: SchemaOptions) {
  const { strictChecksum } = options
  return priceQuery(options).extend({
    taker: addressParameter('wallet that sends the transaction', {
      ...{ strictChecksum, isToken: false },
    }),
  })
}

/** The values of a query; only a quote's has a taker for certain. */
export type Params = z.output<ReturnType<typeof priceQuery>>

/** The names of our parameters in this shape. */
const NAMES = {
  ...{ src: 'sellToken', dst: 'buyToken', amount: 'sellAmount', dstAmountExact: 'buyAmount' },
  ...{ from: 'taker', receiver: 'recipient', excludeProtocols: 'excludedSources' },
  ...{ feeBps: 'swapFeeBps', feeRecipient: 'swapFeeRecipient' },
}

/** A request of this shape, translated. */
export type TranslatedOrder = {
  readonly slippagePpm: bigint
  readonly invalidSources: readonly string[]
  readonly own: OwnRequest
}

/** Throws {@link ApiError} for what cannot be served. Sources that are no venue are only reported. */
export function translate(ctx: ApiContext, need: Need, params: Params): TranslatedOrder {
  requireVersion(ctx)
  requireOneAmount(params)
  requireOneSlippage(params)
  refuseShares(params)
  const { sellAmount, buyAmount, gasPrice, slippageBps, slippagePpm: asPpm } = params
  const slippagePpm =
    asPpm ?? (slippageBps === undefined ? DEFAULT_SLIPPAGE_PPM : slippageBps * PPM_PER_BPS)
  const pools = need.market.current()?.graph.snapshot.pools ?? []
  const configured = need.config.venues.map(({ id }) => id)
  const venues = new Set([...configured, ...pools.map(({ venue }) => venue)])
  const sources = (params.excludedSources ?? '').split(',').filter((each) => each !== '')
  const excluded = sources.filter((each) => venues.has(each))
  const query = {
    ...{ src: params.sellToken, dst: params.buyToken },
    ...{ amount: textOf(sellAmount), dstAmountExact: textOf(buyAmount) },
    excludeProtocols: excluded.length > 0 ? excluded.join(',') : undefined,
    ...{ includeMeta: 'true', includeGas: 'true', gasPrice: textOf(gasPrice) },
    ...{ from: params.taker, receiver: params.recipient },
    slippage: `${Number(slippagePpm) / PPM_PER_PERCENT}`,
    ...feeOfQuery(params, need.config.wrappedNative),
  }
  const invalidSources = sources.filter((each) => !venues.has(each))
  return {
    ...{ slippagePpm, invalidSources },
    own: { chainId: `${params.chainId}`, query, names: NAMES },
  }
}

const textOf = (value: bigint | undefined) => (value === undefined ? undefined : `${value}`)

/**
 * The fee in our terms: a part of the output, for one recipient. A fee of the token to sell is refused,
 * and so is one in the native token, because it is the wrapped one that is paid. The token must be
 * named, so that nobody has to know which one is meant without it.
 */
function feeOfQuery(
  { swapFeeBps, swapFeeRecipient, swapFeeToken, buyToken }: Params,
  wrappedNative: Address,
) {
  if (swapFeeBps === undefined || /^[0\s,]*$/.test(swapFeeBps)) return {}
  if (swapFeeBps.includes(',')) refuseUnsupported('swapFeeBps', swapFeeBps, 'more than one fee')
  const token = wrappedOf(buyToken, wrappedNative)
  if (swapFeeToken?.toLowerCase() !== token) {
    const code = swapFeeToken === undefined ? 'MISSING_PARAMETER' : 'INVALID_ENUM'
    const message = `must be ${token}: a fee is a part of the output`
    const issue = { path: 'swapFeeToken', code, message, expected: token }
    const received = swapFeeToken?.slice(0, 100)
    const issues = [{ in: 'query' as const, ...issue, ...(received && { received }) }]
    throw new ApiError(code, messageOf(issues), { issues })
  }
  return { feeBps: swapFeeBps, feeRecipient: swapFeeRecipient }
}

function refuseShares(params: Params): void {
  const { tradeSurplusRecipient, tradeSurplusMaxBps, sellEntireBalance } = params
  const surplus = 'a share of what is above the quote'
  if (tradeSurplusRecipient !== undefined) {
    refuseUnsupported('tradeSurplusRecipient', tradeSurplusRecipient, surplus)
  }
  if (tradeSurplusMaxBps !== undefined) {
    refuseUnsupported('tradeSurplusMaxBps', tradeSurplusMaxBps, surplus)
  }
  if (sellEntireBalance) refuseUnsupported('sellEntireBalance', 'true', 'an unknown amount')
}

/** Throws INVALID_ENUM if a caller names another version of the service. */
export function requireVersion(ctx: ApiContext): void {
  const received = ctx.get('0x-version')
  if (received === '' || received === VERSION) return
  const code = 'INVALID_ENUM'
  const issue = { path: '0x-version', code, message: `must be ${VERSION}`, expected: VERSION }
  const issues = [{ in: 'header' as const, ...issue, received: received.slice(0, 100) }]
  throw new ApiError(code, messageOf(issues), { issues })
}

/** Throws INVALID_SLIPPAGE if both kinds are given, because nobody knows which one is meant. */
function requireOneSlippage({ slippageBps, slippagePpm }: Params): void {
  if (slippageBps === undefined || slippagePpm === undefined) return
  const code = 'INVALID_SLIPPAGE'
  const message = 'must be absent if slippageBps is given'
  const issue = { path: 'slippagePpm', code, message, expected: 'slippageBps or slippagePpm' }
  const issues = [{ in: 'query' as const, ...issue, received: `${slippagePpm}` }]
  throw new ApiError(code, messageOf(issues), { issues })
}

function requireOneAmount({ sellAmount, buyAmount }: Params): void {
  if ((sellAmount === undefined) !== (buyAmount === undefined)) return
  const isNone = sellAmount === undefined
  const code = isNone ? 'MISSING_PARAMETER' : 'AMOUNT_AMBIGUOUS'
  const message = isNone ? 'is required, or buyAmount' : 'must be absent if buyAmount is given'
  const expected = 'one of sellAmount and buyAmount'
  const issues = [{ in: 'query' as const, path: 'sellAmount', code, message, expected }]
  throw new ApiError(code, messageOf(issues), { issues })
}
