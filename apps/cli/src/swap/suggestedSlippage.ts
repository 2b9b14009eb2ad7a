/**
 * `--slippage auto`: asks the API for the slippage that it suggests for an order, once, so that everything
 * after it, the floors and the checks of the API's own answer included, works with one plain percentage.
 */
import { MismatchError, NoSuggestionError, UsageError } from '../errors.js'
import { apiOf } from '../sources/apiClient.js'
import type { SourceOptions } from '../sources/marketSource.js'
import { type OrderOptions, readExactOut, readOrder } from '../sources/order.js'
import { readApiTokens } from '../sources/quoteSource.js'
import { type RouteListOptions, readRouteLists } from '../sources/routeLists.js'
import type { Terminal } from '../terminal.js'

/** The most that an API may suggest, in basis points, as docs/api.md says. */
const MAX_SUGGESTED_BPS = 500
const BPS_PER_PERCENT = 100

type Options = SourceOptions & OrderOptions & RouteListOptions & { readonly slippage?: string }

/**
 * The options with `--slippage auto` replaced by the API's suggestion, in percent, which is reported;
 * any other options as they are. Throws USAGE without `--api`, NOT_READY, MISMATCH above 5 %.
 */
export async function withSuggestedSlippage<T extends Options>(
  options: T,
  terminal: Terminal,
): Promise<T> {
  if (options.slippage !== 'auto') return options
  if (options.api === undefined) {
    throw new UsageError('--slippage auto is the suggestion of an API', {
      wanted: '--api URL, or a slippage in percent',
    })
  }
  const api = apiOf(options, terminal)
  const tokens = await readApiTokens(api, options)
  const order = readExactOut(options, tokens) ?? readOrder(options, tokens)
  const request = {
    ...{ src: order.tokenIn, dst: order.tokenOut, ...readRouteLists(options, tokens) },
    includeMeta: true as const,
  }
  const { meta } = await ('amountIn' in order
    ? api.quote({ ...request, amount: order.amountIn })
    : api.quote({ ...request, dstAmountExact: order.amountOut }))
  const bps = meta.suggestedSlippageBps
  if (bps === undefined) throw new NoSuggestionError()
  const slippage = `${bps / BPS_PER_PERCENT}`
  if (bps > MAX_SUGGESTED_BPS) {
    throw new MismatchError('the API suggests more slippage than it says it ever would', {
      ...{ got: `${slippage} %`, wanted: `at most ${MAX_SUGGESTED_BPS / BPS_PER_PERCENT} %` },
    })
  }
  terminal.err(`slippage ${slippage} %, as the API suggests`)
  return { ...options, slippage }
}
