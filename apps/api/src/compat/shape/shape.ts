import type { z } from 'zod'
import type { ApiContext, ApiMiddleware } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import type { RawParameters } from '../../wire/readParameters.js'
import type { ErrorBody } from '../../wire/responses.js'

/** Extra fields in the responses of one of our own endpoints. */
export type Addition = {
  /** The endpoint, as `openapi.ts` writes its path. */
  readonly path: string
  /** The OpenAPI schema of the fields. */
  readonly fields: z.ZodRawShape
  /** Computes the fields from the original body. */
  readonly of: (body: never) => Readonly<Record<string, unknown>>
}

/** An endpoint of the other service. */
export type ShapeEndpoint = {
  /** As `openapi.ts` writes it, with `{chainId}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** The query, for addresses with or without strict checksums. */
  readonly query: (options: SchemaOptions) => z.ZodObject
  /** The success body; absent if every request is refused. */
  readonly body?: z.ZodType
  /** True if the response has an ETag, so that it may be 304. */
  readonly hasEtag?: boolean
  /** Answers a request with this query, which need not be that of its URL. */
  readonly route: (need: Need) => (ctx: ApiContext, query: RawParameters) => Promise<void>
}

/** The part of the configuration that schemas of queries depend on. */
export type SchemaOptions = { readonly strictChecksum: boolean }

/**
 * Serves the clients of another service: fields in our own responses, and endpoints of that
 * service. A shape only adds: every other response stays the same to the byte.
 */
export type Shape = {
  readonly additions?: readonly Addition[]
  readonly endpoints?: readonly ShapeEndpoint[]
  /** The header in which its clients send the key, beside `apikey`, and the key in its value. */
  readonly key?: { readonly header: string; readonly read: (value: string) => string }
  /** Other headers that its clients send, which a browser asks permission for. */
  readonly headers?: readonly string[]
  /** The errors of its endpoints have these beside the fields of every error. */
  readonly errors?: {
    readonly fields: z.ZodRawShape
    readonly of: (body: ErrorBody) => Readonly<Record<string, unknown>>
  }
}

/** Adds the fields to each success response of the endpoint. Errors stay unchanged. */
export function addFields({ of }: Addition): ApiMiddleware {
  return async (ctx, next) => {
    await next()
    if (ctx.status !== 200) return
    ctx.body = { ...(ctx.body as object), ...of(ctx.body as never) }
  }
}
