import { z } from 'zod'

/** Words of strangers, such as a token's symbol, without what could steer a terminal or a page. */
export const words = z
  .string()
  .transform((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim())

/** A warning of `meta`. A finding of core's judge has all fields; older servers say no level. */
export const warningSchema = z.object({
  // A name, never a sentence.
  code: z.string().regex(/^\w{1,64}$/),
  message: words,
  level: z.enum(['warn', 'ask', 'refuse']).optional(),
  measure: z.number().nullable().optional(),
  limit: z.number().optional(),
})

/** A warning of `meta`; `ask` is for the owner of the order to accept before anything is signed. */
export type Warning = Readonly<z.output<typeof warningSchema>>
