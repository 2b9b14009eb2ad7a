import { amount } from '../wire/fields.js'
import type { DexCompareBody } from '../wire/responses.js'
import type { Shape } from './shape/shape.js'

/**
 * AKKA Finance, whose interface this API implements. Its clients read the aggregated quote of a
 * comparison under another name. Our responses have all other fields that they read.
 */
export const akka: Shape = {
  addition: {
    path: '/swap/v1/{chainId}/dex-compare',
    fields: { akkaQuote: amount },
    of: ({ serviceQuote }: DexCompareBody) => ({ akkaQuote: serviceQuote }),
  },
}
