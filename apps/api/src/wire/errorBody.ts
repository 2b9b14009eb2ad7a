import { STATUS_CODES } from 'node:http'
import { type ApiError, errorTable, stops } from '../errors.js'
import { KEY_ANYWHERE } from '../keys/keys.js'
import type { ErrorBody } from './responses.js'

// Node has the older name of 422.
const reasons: typeof STATUS_CODES = { ...STATUS_CODES, 422: 'Unprocessable Content' }

/** After a second comes another block, by which most of what may pass has passed. */
export const RETRY_AFTER_SECONDS = 1

/** The request that failed, as far as it is known. */
export type FailedRequest = {
  readonly requestId: string
  readonly path: string
  readonly nowMs: number
}

/** The body of an error, with API keys redacted. */
export function errorBodyOf(error: ApiError, { requestId, path, nowMs }: FailedRequest): ErrorBody {
  const { code, status, message, issues, nearest } = error
  const { retryable } = errorTable[code]
  const stoppedBy = stops[code]
  const details = {
    ...(stoppedBy && { stoppedBy }),
    ...(retryable && { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    ...error.details,
  }
  const body: ErrorBody = {
    statusCode: status,
    error: reasons[status] ?? 'Error',
    code,
    message,
    requestId,
    timestamp: new Date(nowMs).toISOString(),
    path,
    retryable,
    issues: [...issues],
    // An index signature cannot say that one member differs.
    details: { ...details, ...(nearest && { nearest }) } as ErrorBody['details'],
  }
  const text = JSON.stringify(body)
  const safe = withoutKeys(text)
  return safe === text ? body : (JSON.parse(safe) as ErrorBody)
}

/** Redacts API keys in a text. */
export function withoutKeys(text: string): string {
  return text.replace(KEY_ANYWHERE, 'brd_…')
}
