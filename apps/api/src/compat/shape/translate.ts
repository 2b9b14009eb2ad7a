/**
 * Answers a request of another service through our own route, so that there is one search, one set of
 * checks and one set of records, whatever the shape. Input: our query. Output: our body.
 */
import { ownValue } from '@braid-swap/core'
import { ApiError, messageOf } from '../../errors.js'
import type { ApiContext } from '../../middleware/state.js'

/** A request in our own terms. */
export type OwnRequest = {
  readonly chainId: string
  readonly query: Readonly<Record<string, string | undefined>>
  /** By our name of a parameter: the name that the caller used. */
  readonly names?: Readonly<Record<string, string>>
}

/**
 * Our body for a request, or `undefined` if the caller has it already (304). Errors name the
 * parameters as the caller does.
 */
export async function askOwn<B>(
  ctx: ApiContext,
  route: (ctx: ApiContext) => Promise<void>,
  { chainId, query, names = {} }: OwnRequest,
): Promise<B | undefined> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  ctx['params'] = { chainId }
  ctx.query = Object.fromEntries(given) as Record<string, string>
  try {
    await route(ctx)
  } catch (error) {
    throw error instanceof ApiError ? renamed(error, names) : error
  }
  return ctx.status === 304 ? undefined : (ctx.body as B)
}

function renamed(error: ApiError, names: Readonly<Record<string, string>>): ApiError {
  const nameOf = (path: string) => ownValue(names, path) ?? path
  const issues = error.issues.map((issue) => ({
    ...issue,
    ...{ path: nameOf(issue.path), message: issue.message.replace(/\b(src|dst)\b/g, nameOf) },
  }))
  const isPlain = error.message === messageOf(error.issues)
  return new ApiError(error.code, isPlain ? messageOf(issues) : error.message, {
    ...{ issues, status: error.status, cause: error.cause },
    ...(error.details && { details: error.details }),
  })
}
