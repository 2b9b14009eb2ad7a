/**
 * The answer to a list of amounts. An entry is a quote, with the id that it has alone, or the error that
 * the market has for that amount alone.
 */
import { z } from 'zod'
import { amount } from './fields.js'
import { errorCode, quoteSchema, tokenInfoSchema } from './responses.js'

const ownSchema = quoteSchema
  .omit({ srcAmount: true, srcToken: true, dstToken: true })
  .extend({ amount, quoteId: z.string() })

/** Quotes of several amounts from one state, in the order of the request. */
export const quotesSchema = z.strictObject({
  quotes: z.array(
    z.union([
      ownSchema,
      z.strictObject({
        amount,
        error: z.strictObject({ code: errorCode, message: z.string(), retryable: z.boolean() }),
      }),
    ]),
  ),
  srcToken: tokenInfoSchema.optional(),
  dstToken: tokenInfoSchema.optional(),
})

/** Quotes of several amounts on the wire. */
export type QuotesBody = z.infer<typeof quotesSchema>
