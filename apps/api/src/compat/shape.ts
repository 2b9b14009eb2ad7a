import type { z } from 'zod'
import type { ApiMiddleware } from '../middleware/state.js'

/** Fields that one endpoint answers beside our own. */
export type Addition = {
  /** The endpoint, as `openapi.ts` writes its path. */
  readonly path: string
  /** What the OpenAPI document says of the fields. */
  readonly fields: z.ZodRawShape
  /** The fields, from the body that the endpoint answers without them. */
  readonly of: (body: never) => Readonly<Record<string, unknown>>
}

/**
 * What clients of another service need beside our own answers, as data. A shape only adds: what an
 * answer has without it keeps its name, its value and its place.
 */
export type Shape = readonly Addition[]

/** Adds the fields to each success of the endpoint; refusals stay as they are. */
export function addFields({ of }: Addition): ApiMiddleware {
  return async (ctx, next) => {
    await next()
    if (ctx.status !== 200) return
    ctx.body = { ...(ctx.body as object), ...of(ctx.body as never) }
  }
}
