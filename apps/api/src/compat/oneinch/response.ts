// 1inch's form of quotes, swaps, tokens and errors.

import type { Order, Route } from '@braid-swap/core'
import { z } from 'zod'
import { address, amount, hex, percent } from '../../wire/fields.js'
import { tokenInOf, tokenOutOf } from '../../wire/graph.js'
import type { ErrorBody, TokenInfo } from '../../wire/responses.js'
import { splitIntoPaths } from '../../wire/routes.js'

const token = z.strictObject({
  ...{ address, symbol: z.string(), name: z.string(), decimals: z.int() },
  ...{ logoURI: z.string().nullable(), tags: z.array(z.string()) },
})
const selected = z.strictObject({
  ...{ name: z.string(), part: percent, fromTokenAddress: address, toTokenAddress: address },
})
const quoted = {
  dstAmount: amount,
  srcToken: token.optional(),
  dstToken: token.optional(),
  protocols: z.array(z.array(z.array(selected))).optional(),
}

/** The body of `/quote`. */
export const quoteSchema = z.strictObject({ ...quoted, gas: z.int().optional() })

/** The body of `/swap`. */
export const swapSchema = z.strictObject({
  ...quoted,
  gas: z.int().optional(),
  tx: z.strictObject({
    ...{ from: address, to: address, data: hex, value: amount, gasPrice: amount, gas: z.int() },
  }),
})

/** The body of `/tokens`. */
export const tokensSchema = z.strictObject({ tokens: z.record(address, token) })

/** The body of `/liquidity-sources`. */
export const sourcesSchema = z.strictObject({
  protocols: z.array(
    // Its clients read the two pictures, which a venue here does not have.
    z.strictObject({ id: z.string(), title: z.string(), img: z.string(), img_color: z.string() }),
  ),
})

/** The body of `/approve/allowance`. */
export const allowanceSchema = z.strictObject({ allowance: amount })

/** The body of `/healthcheck`. */
export const healthSchema = z.strictObject({ status: z.literal('OK') })

/** A token in 1inch's form, whose addresses are in lower case. */
export function showToken({ logoUri, ...rest }: TokenInfo): z.infer<typeof token> {
  return { ...rest, address: rest.address.toLowerCase(), logoURI: logoUri, tags: [] }
}

/**
 * The paths of a route, each with one venue for each hop. `part` of the first hop is the percentage of
 * the input; a path has all of it on its later hops. Flows that join are attributed pro rata.
 */
export function showProtocols(route: Route, order: Order): z.infer<typeof selected>[][][] {
  return splitIntoPaths(route, order).map(({ hops, percent: part }) =>
    hops.map((hop, depth) => [
      {
        ...{ name: hop.pool.venue, part: depth === 0 ? part : 100 },
        ...{ fromTokenAddress: tokenInOf(hop), toTokenAddress: tokenOutOf(hop) },
      },
    ]),
  )
}

/** Errors have these beside our fields. */
export const errorFields = {
  description: z.string(),
  meta: z.array(z.strictObject({ type: z.string(), value: z.string() })),
}

/** The description, and the parameters with what came. */
export function showError({ message, issues }: ErrorBody) {
  const meta = issues.map(({ path: type, received = '' }) => ({ type, value: received }))
  return { description: message, meta }
}
