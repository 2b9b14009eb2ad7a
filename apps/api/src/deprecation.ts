import { z } from 'zod'
import type { ApiMiddleware } from './middleware/state.js'

/** Dates of the deprecation and the end of version 1 of the interface. */
export type Retirement = {
  readonly deprecatedAt: Date
  /** At least twelve months later; not decided if absent. */
  readonly sunsetAt?: Date
  /** A page for people about the successor. */
  readonly link?: string
}

const V1 = /^\/swap\/v1(\/|$)/
/** Minimum time from the deprecation to the end of version 1. */
const NOTICE_MONTHS = 12

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2027-01-31')
  .transform((text) => new Date(`${text}T00:00:00Z`))
  .refine((day) => !Number.isNaN(day.getTime()), 'is not a calendar date')

/** The variables that announce a retirement. */
export const retirementVariables = {
  BRAID_V1_DEPRECATED: date.optional(),
  BRAID_V1_SUNSET: date.optional(),
  BRAID_V1_SUCCESSOR: z.url({ protocol: /^https?$/ }).optional(),
}

type Announced = z.output<z.ZodObject<typeof retirementVariables>>

/** The retirement from the variables, or a one-line error text. */
export function readRetirement({
  BRAID_V1_DEPRECATED: deprecatedAt,
  BRAID_V1_SUNSET: sunsetAt,
  BRAID_V1_SUCCESSOR: link,
}: Announced): Retirement | string | undefined {
  if (!deprecatedAt) {
    if (!sunsetAt && link === undefined) return undefined
    return 'BRAID_V1_SUNSET and BRAID_V1_SUCCESSOR require BRAID_V1_DEPRECATED'
  }
  const earliest = new Date(deprecatedAt)
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS)
  if (sunsetAt && sunsetAt < earliest) {
    const wanted = earliest.toISOString().slice(0, 10)
    return `BRAID_V1_SUNSET must be ${wanted} or later: ${NOTICE_MONTHS} months after BRAID_V1_DEPRECATED`
  }
  return { deprecatedAt, ...(sunsetAt && { sunsetAt }), ...(link !== undefined && { link }) }
}

/**
 * Sets the deprecation headers in every response of version 1, including errors: `Deprecation`
 * (RFC 9745, a structured date), `Sunset` (RFC 8594, an HTTP date) and a `Link` to the successor.
 */
export function deprecationHeaders({ deprecatedAt, sunsetAt, link }: Retirement): ApiMiddleware {
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
