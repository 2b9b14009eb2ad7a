import { z } from 'zod'
import type { ApiMiddleware } from './middleware/state.js'

/** When version 1 of the interface is, or was, deprecated, and when it ends. */
export type Retirement = {
  readonly deprecatedAt: Date
  /** At least twelve months later; not decided yet if absent. */
  readonly sunsetAt?: Date
  /** A page for people that says what to use instead. */
  readonly link?: string
}

const V1 = /^\/swap\/v1(\/|$)/
/** Whoever built on version 1 has this long to leave it. */
const NOTICE_MONTHS = 12

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2027-01-31')
  .transform((text) => new Date(`${text}T00:00:00Z`))
  .refine((day) => !Number.isNaN(day.getTime()), 'is no day of the calendar')

/** The variables that announce a retirement. */
export const retirementVariables = {
  BRAID_V1_DEPRECATED: date.optional(),
  BRAID_V1_SUNSET: date.optional(),
  BRAID_V1_SUCCESSOR: z.url({ protocol: /^https?$/ }).optional(),
}

type Announced = z.output<z.ZodObject<typeof retirementVariables>>

/** The retirement that variables announce, or what is wrong with them, in one line. */
export function readRetirement({
  BRAID_V1_DEPRECATED: deprecatedAt,
  BRAID_V1_SUNSET: sunsetAt,
  BRAID_V1_SUCCESSOR: link,
}: Announced): Retirement | string | undefined {
  if (!deprecatedAt) {
    if (!sunsetAt && link === undefined) return undefined
    return 'BRAID_V1_SUNSET and BRAID_V1_SUCCESSOR need BRAID_V1_DEPRECATED beside them'
  }
  const earliest = new Date(deprecatedAt)
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS)
  if (sunsetAt && sunsetAt < earliest) {
    const wanted = earliest.toISOString().slice(0, 10)
    return `BRAID_V1_SUNSET must be ${NOTICE_MONTHS} months after BRAID_V1_DEPRECATED or later: from ${wanted}`
  }
  return { deprecatedAt, ...(sunsetAt && { sunsetAt }), ...(link !== undefined && { link }) }
}

/**
 * Tells in every answer of version 1, refusals too, that it is retired: `Deprecation` (RFC 9745, a
 * structured date) and `Sunset` (RFC 8594, an HTTP date), and a `Link` to what comes instead.
 */
export function tellRetirement({ deprecatedAt, sunsetAt, link }: Retirement): ApiMiddleware {
  const fields = {
    deprecation: `@${deprecatedAt.getTime() / 1_000}`,
    ...(sunsetAt && { sunset: sunsetAt.toUTCString() }),
    ...(link !== undefined && { link: `<${link}>; rel="deprecation"; type="text/html"` }),
  }
  return async (ctx, next) => {
    if (V1.test(ctx.path)) ctx.set(fields)
    await next()
  }
}
