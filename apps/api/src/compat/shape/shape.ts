/** What a shape of another service is made of, and its requests in our own terms. */
import { ownValue } from '@braid-swap/core/advanced'
import type { z } from 'zod'
import { ApiError, messageOf } from '../../errors.js'
import type { ApiContext, ApiMiddleware } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import { parameter } from '../../wire/parameters.js'
import { readParameters } from '../../wire/readParameters.js'
import type { RequestSchemas } from '../../wire/requests.js'
import type { ErrorBody } from '../../wire/responses.js'

/** Extra fields, by the original body, in the responses of one of our own endpoints. */
export type Addition = {
  readonly path: string
  readonly fields: z.ZodRawShape
  readonly of: (body: never) => Readonly<Record<string, unknown>>
}

/** An endpoint of the other service, whose own documents describe its body. */
export type ShapeEndpoint = {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly query: (schemas: RequestSchemas) => z.ZodObject
  /** Makes what gives the body for a query, which need not be that of the URL. */
  readonly route: (need: Need) => (ctx: ApiContext, query: never) => Promise<object>
}

/** Serves the clients of another service. It only adds: every other response stays the same to the byte. */
export type Shape = {
  readonly addition?: Addition
  readonly endpoints?: readonly ShapeEndpoint[]
  /** The header in which its clients send the key, beside `apikey`. */
  readonly keyHeader?: string
  /** The headers of its clients, which a browser asks permission for. */
  readonly headers?: readonly string[]
  /** The errors of its endpoints have these fields beside those of every error. */
  readonly errorFields?: (body: ErrorBody) => Readonly<Record<string, unknown>>
}

/** Adds the fields to each success response of the endpoint. Errors stay unchanged. */
export function addFields({ of }: Addition): ApiMiddleware {
  return async (ctx, next) => {
    await next()
    if (ctx.status !== 200) return
    ctx.body = { ...(ctx.body as object), ...of(ctx.body as never) }
  }
}

/** A parameter that is only passed on, as text. */
export const text = (description: string) =>
  parameter<string>({ description }, (value) => ({ value }))

/** Optional texts: by name, what each is. */
export function texts<N extends string>(described: Readonly<Record<N, string>>) {
  const entries = Object.entries<string>(described)
  const shape = Object.fromEntries(entries.map(([name, said]) => [name, text(said).optional()]))
  return shape as Record<N, z.ZodOptional<ReturnType<typeof text>>>
}

/** Answers a request with our parameters. Errors have `names`: by ours, those of the caller. */
export async function inOwnTerms<S extends z.ZodObject, T>(
  schema: S,
  query: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
  answer: (params: z.output<S>) => Promise<T>,
): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const raw = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
  try {
    return await answer(readParameters(schema, raw, 'query').values)
  } catch (error) {
    throw error instanceof ApiError ? renamed(error, names) : error
  }
}

function renamed(error: ApiError, names: Readonly<Record<string, string>>): ApiError {
  const { code, status, details, cause, message } = error
  const nameOf = (path: string) => ownValue(names, path) ?? path
  const issues = error.issues.map((issue) => ({
    ...{ ...issue, path: nameOf(issue.path) },
    message: issue.message.replace(/\b(src|dst|dstAmountExact)\b/g, nameOf),
  }))
  const isPlain = message === messageOf(error.issues)
  const more = { issues, status, cause, ...(details && { details }) }
  return new ApiError(code, isPlain ? messageOf(issues) : message, more)
}
