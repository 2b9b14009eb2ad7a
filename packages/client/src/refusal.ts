// The schema of every error body, with the nearest amount of an order that cannot be filled.

import { z } from 'zod'
import { wei } from './responses.js'

/** The schema of every error body. */
export const refusal = z.object({
  statusCode: z.int(),
  code: z.string(),
  message: z.string(),
  requestId: z.string(),
  retryable: z.boolean(),
  issues: z.array(
    z.object({
      in: z.enum(['query', 'path', 'header']),
      path: z.string(),
      code: z.string(),
      message: z.string(),
      received: z.string().optional(),
      expected: z.string(),
    }),
  ),
  details: z
    .object({
      nearest: z
        .object({
          amount: wei,
          dstAmount: wei,
          leftOut: z.array(
            z.object({ exchange: z.string().optional(), reason: z.string(), pools: z.int() }),
          ),
        })
        .optional(),
    })
    .catchall(z.union([z.string(), z.number(), z.boolean()])),
})

/** The largest part of an order that can be filled, and which pools no route uses. */
export type Nearest = Readonly<NonNullable<z.output<typeof refusal>['details']['nearest']>>
