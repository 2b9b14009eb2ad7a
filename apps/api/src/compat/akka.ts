import { amount } from '../wire/fields.js'
import type { DexCompareBody } from '../wire/responses.js'
import type { Shape } from './shape.js'

/**
 * AKKA Finance, whose interface ours is. Its clients know the aggregated quote of a comparison under
 * another name; our answers have everything else that they read.
 */
export const akka: Shape = [
  {
    path: '/swap/v1/{chainId}/dex-compare',
    fields: { akkaQuote: amount },
    of: ({ serviceQuote }: DexCompareBody) => ({ akkaQuote: serviceQuote }),
  },
]
