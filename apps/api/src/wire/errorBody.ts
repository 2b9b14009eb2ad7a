import { type ApiError, errorTable, stops } from '../errors.js'
import { KEY_ANYWHERE } from '../keys/keys.js'
import type { ErrorBody } from './responses.js'

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The request that failed, as far as it is known. */
export type FailedRequest = {
  readonly requestId: string
  readonly path: string
  readonly nowMs: number
}

/** The body of an error, with API keys redacted. */
export function errorBodyOf(error: ApiError, { requestId, path, nowMs }: FailedRequest): ErrorBody {
  const { code, status, message, issues, nearest } = error
  const stoppedBy = stops[code]
  const details = { ...(stoppedBy && { stoppedBy }), ...error.details }
  const body: ErrorBody = {
    statusCode: status,
    error: reasons[status] ?? 'Error',
    code,
    message,
    requestId,
    timestamp: new Date(nowMs).toISOString(),
    path,
    retryable: errorTable[code].retryable,
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
