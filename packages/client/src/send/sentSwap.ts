import { type Address, decodeRouterCall, type Hex } from '@braid-swap/core'
import * as z from 'zod/mini'
import { textOf } from '../words.js'
import type { SentSwap } from './memory.js'

const hex = textOf(/^0x([0-9a-f]{2})*$/, (text) => text as Hex)
const address = textOf(/^0x[0-9a-f]{40}$/, (text) => text as Address)
const digits = z.string().check(z.regex(/^\d+$/))
const schema = z.object({
  ...{ id: hex, terms: z.string(), chainId: z.int(), from: address, router: address, data: hex },
  ...{ quoted: digits, balance: digits, block: digits, count: z.int() },
  ...{ hash: z.optional(hex), nonce: z.optional(z.int()) },
})

/** A swap that was kept as JSON; undefined if the text is damaged. Never throws. */
export function parseSentSwap(value: unknown): SentSwap | undefined {
  const { data } = schema.safeParse(value)
  try {
    if (data) decodeRouterCall(data.data)
    return data as SentSwap | undefined
  } catch {
    return undefined
  }
}
