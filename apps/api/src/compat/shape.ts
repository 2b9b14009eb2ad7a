import type { z } from 'zod'
import type { ApiMiddleware } from '../middleware/state.js'

/** Extra fields in the responses of one endpoint. */
export type Addition = {
  /** The endpoint, as `openapi.ts` writes its path. */
  readonly path: string
  /** The OpenAPI schema of the fields. */
  readonly fields: z.ZodRawShape
  /** Computes the fields from the original body. */
  readonly of: (body: never) => Readonly<Record<string, unknown>>
}

/**
 * The extra fields that clients of another service need. A shape only adds fields: all other fields
 * of a response keep their name, value and position.
 */
export type Shape = readonly Addition[]

/** Adds the fields to each success response of the endpoint. Errors stay unchanged. */
export function addFields({ of }: Addition): ApiMiddleware {
  return async (ctx, next) => {
    await next()
    if (ctx.status !== 200) return
    ctx.body = { ...(ctx.body as object), ...of(ctx.body as never) }
  }
}
