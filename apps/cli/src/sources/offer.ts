/**
 * The refusal of an order on a market of our own, with its tokens by their symbols and with what would work. An API
 * says the same of its own refusals.
 */
import { type Address, BaseError, type Graph, type Options } from '@braid-swap/core'
import {
  InsufficientLiquidityError,
  LIMITS,
  largestFill,
  percentWords,
  UntrustedRouteError,
} from '@braid-swap/core/advanced'
import { amountText, nameOf } from '../draw/index.js'
import { OrderRefusedError } from '../errors.js'
import { type ListedToken, labelsOf } from './tokens.js'

/** No pool contract takes more. */
const LARGEST_INPUT = (1n << 128n) - 1n

/** Runs a search; its refusal says what would work. Throws what it throws. */
export function orOffer<T>(
  graph: Graph,
  asked: {
    readonly order: {
      readonly tokenIn: Address
      readonly tokenOut: Address
      readonly amountIn?: bigint
    }
    readonly options: Options
    readonly tokens: readonly ListedToken[]
  },
  find: () => T,
): T {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const { code, message, details } = error
    const labels = labelsOf(asked.tokens)
    const { tokenIn, tokenOut, amountIn = LARGEST_INPUT } = asked.order
    const pair = `${nameOf(tokenIn, labels)} to ${nameOf(tokenOut, labels)}`
    if (error instanceof UntrustedRouteError) {
      const names = `${details['untrusted']}`
        .split(',')
        .map((token) => nameOf(token as Address, labels))
      const said = `${pair} is only connected through ${names.join(', ')}, which you have not listed`
      const wanted = `--only-intermediates ${details['onlyIntermediates']}, if you trust them`
      throw new OrderRefusedError(code, said, { wanted }, error)
    }
    if (!(error instanceof InsufficientLiquidityError)) throw error
    const sale = (found: ReturnType<typeof largestFill>) =>
      found &&
      `${amountText(found.order.amountIn, tokenIn, labels)} for ${amountText(found.amountOut, tokenOut, labels)}`
    const order = { tokenIn, tokenOut, amountIn }
    const most = largestFill(graph, order, asked.options)
    const mostImpactBps = LIMITS.PRICE_IMPACT_HIGH.ask
    const modest = most && largestFill(graph, most.order, { ...asked.options, mostImpactBps })
    const wanted = [
      ...(modest ? [`at most ${sale(modest)} at a loss of ${percentWords(mostImpactBps)}`] : []),
      ...(most ? [`at most ${sale(most)} at any loss`] : []),
    ]
    throw new OrderRefusedError(code, `${pair}: ${message}`, { wanted: wanted.join('; ') }, error)
  }
}
