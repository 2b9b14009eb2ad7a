// The schema of every error body, with the nearest amount of an order that cannot be filled.

import { z } from 'zod'
import { wei } from './responses.js'
import { words } from './words.js'

/** The name of an error, never a sentence. */
const code = z.string().regex(/^\w{1,64}$/)

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
      received: words.optional(),
      expected: words,
    }),
  ),
  details: z
    .object({
      nearest: z
        .object({
          amount: wei,
          dstAmount: wei,
          atLoss: z.object({ lossBps: z.number(), amount: wei, dstAmount: wei }).optional(),
          leftOut: z.array(z.object({ exchange: words.optional(), reason: words, pools: z.int() })),
        })
        .optional(),
    })
    .catchall(z.union([words, z.number(), z.boolean()])),
})

/** The largest part of an order that can be filled, and which pools no route uses. */
export type Nearest = Readonly<NonNullable<z.output<typeof refusal>['details']['nearest']>>
