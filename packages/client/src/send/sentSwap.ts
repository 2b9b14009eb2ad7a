import { type Address, decodeRouterCall, type Hex } from '@braid-swap/core'
import { z } from 'zod'
import type { SentSwap } from './memory.js'

const hex = z.string().regex(/^0x([0-9a-f]{2})*$/) as unknown as z.ZodType<Hex>
const address = z.string().regex(/^0x[0-9a-f]{40}$/) as unknown as z.ZodType<Address>
const digits = z.string().regex(/^\d+$/)
const schema = z.object({
  ...{ id: hex, terms: z.string(), chainId: z.int(), from: address, router: address, data: hex },
  ...{ quoted: digits, balance: digits, block: digits, count: z.int() },
  ...{ hash: hex.optional(), nonce: z.int().optional() },
})

/** A swap that was kept as JSON; undefined if the text is damaged. */
export function parseSentSwap(value: unknown): SentSwap | undefined {
  const { data } = schema.safeParse(value)
  try {
    if (data) decodeRouterCall(data.data)
    return data as SentSwap | undefined
  } catch {
    return undefined
  }
}
