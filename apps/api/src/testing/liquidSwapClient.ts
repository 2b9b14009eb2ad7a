/**
 * A client of LiquidSwap, written from its published description, because npm has none. Its base
 * address is the only setting. Every shape has the fields that its users read, and is strict about
 * their types, so that a field that changes its name or type is a failure.
 */
import { z } from 'zod'

const address = z.string().regex(/^0x[a-fA-F0-9]{40}$/)
const wei = z.string().regex(/^[0-9]+$/)
const token = z.object({
  ...{ address, symbol: z.string(), name: z.string(), decimals: z.number() },
})
const success = z.object({
  success: z.literal(true),
  tokens: z.object({ tokenIn: token, tokenOut: token, intermediates: z.array(token).optional() }),
  amountIn: z.string(),
  amountOut: z.string(),
  averagePriceImpact: z.string(),
  execution: z.object({
    to: address,
    calldata: z.string().regex(/^0x[a-f0-9]+$/),
    value: wei.optional(),
    details: z.object({
      path: z.array(address),
      ...{ amountIn: wei, amountOut: wei, minAmountOut: wei },
      hopSwaps: z.array(
        z.array(
          z.object({
            ...{ tokenIn: address, tokenOut: address, routerIndex: z.number().max(255) },
            ...{ routerName: z.string(), fee: z.number(), amountIn: wei, amountOut: wei },
            ...{ stable: z.boolean(), priceImpact: z.string() },
          }),
        ),
      ),
    }),
  }),
})
const failure = z.object({ success: z.literal(false), message: z.string() })
const list = z.object({
  success: z.literal(true),
  data: z.object({ tokens: z.array(token), count: z.number(), limitedCount: z.number() }),
})

/** Request of the client. Amounts are in whole tokens. */
export type RouteRequest = {
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountIn?: string | number
  readonly amountOut?: string | number
  readonly multiHop?: boolean
  readonly slippage?: number
  readonly unwrapWHYPE?: boolean
  readonly excludeDexes?: string
  readonly includeDexes?: string
  readonly feeBps?: number
  readonly feeRecipient?: string
}

/** Asks LiquidSwap's API at another base address. */
export function createLiquidSwapClient(baseUrl: string) {
  const ask = async (path: string, query: object): Promise<unknown> => {
    const search = new URLSearchParams(
      Object.entries(query).map(([k, v]): [string, string] => [k, `${v}`]),
    )
    return (await fetch(`${baseUrl}${path}?${search}`)).json()
  }
  return {
    route: async (request: RouteRequest) =>
      z.discriminatedUnion('success', [success, failure]).parse(await ask('/v2/route', request)),
    tokens: async (query: { readonly limit?: number; readonly search?: string }) =>
      list.parse(await ask('/tokens', query)).data,
  }
}
