// The schema of every error body, with the nearest amount of an order that cannot be filled.

import * as z from 'zod/mini'
import { wei } from './responses.js'
import { codeName as code, words } from './words.js'

const nearest = z.object({
  amount: wei,
  dstAmount: wei,
  atLoss: z.optional(z.object({ lossBps: z.number(), amount: wei, dstAmount: wei })),
  leftOut: z.array(z.object({ exchange: z.optional(words), reason: words, pools: z.int() })),
})

/** The schema of every error body. */
export const refusal = z.object({
  statusCode: z.int(),
  code,
  message: words,
  requestId: words,
  retryable: z.boolean(),
  issues: z.array(
    z.object({
      in: z.enum(['query', 'path', 'header']),
      path: words,
      code,
      message: words,
      received: z.optional(words),
      expected: words,
    }),
  ),
  details: z.catchall(
    z.object({ nearest: z.optional(nearest) }),
    z.union([words, z.number(), z.boolean()]),
  ),
})

/** The largest part of an order that can be filled, and which pools no route uses. */
export type Nearest = Readonly<z.output<typeof nearest>>
