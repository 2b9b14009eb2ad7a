/** A request of another service in our own terms: its query as our parameters, and our errors with its names. */
import { ownValue } from '@braid-swap/core'
import type { z } from 'zod'
import { ApiError, messageOf } from '../../errors.js'
import type { Need } from '../../need.js'
import { requireChain } from '../../routes/request.js'
import { readParameters } from '../../wire/readParameters.js'

/** A request in our own terms. */
export type OwnRequest = {
  readonly chainId: string
  readonly query: Readonly<Record<string, string | undefined>>
  /** By our name of a parameter: the name that the caller used. */
  readonly names?: Readonly<Record<string, string>>
}

/** Answers a request with our parameters. Errors name the parameters as the caller does. */
export async function inOwnTerms<S extends z.ZodObject, T>(
  { chainId, query, names = {} }: OwnRequest,
  { schema, config }: { readonly schema: S } & Pick<Need, 'config'>,
  answer: (params: z.output<S>) => Promise<T>,
): Promise<T> {
  try {
    requireChain(chainId, { config })
    return await answer(readParameters(schema, query, 'query').values)
  } catch (error) {
    throw error instanceof ApiError ? renamed(error, names) : error
  }
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
