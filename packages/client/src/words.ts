import * as z from 'zod/mini'

/** Text of a pattern, read as what it stands for. */
export const textOf = <T>(pattern: RegExp, read: (text: string) => T) =>
  z.pipe(z.string().check(z.regex(pattern)), z.transform(read))

/** The name of an error or a warning, never a sentence. */
export const codeName = z.string().check(z.regex(/^\w{1,64}$/))

/** Words of strangers, such as a token's symbol, without what could steer a terminal or a page. */
export const words = z.pipe(
  z.string(),
  z.transform((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()),
)

/** A warning of `meta`. A finding of core's judge has all fields; older servers say no level. */
export const warningSchema = z.object({
  code: codeName,
  message: words,
  level: z.optional(z.enum(['warn', 'ask', 'refuse'])),
  measure: z.optional(z.nullable(z.number())),
  limit: z.optional(z.number()),
})

/** A warning of `meta`; `ask` is for the owner of the order to accept before anything is signed. */
export type Warning = Readonly<z.output<typeof warningSchema>>
