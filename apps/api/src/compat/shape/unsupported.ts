import { ApiError, messageOf } from '../../errors.js'

/**
 * Throws AMOUNT_OUT_OF_RANGE for a parameter that asks for something whose absence would change what
 * the caller gets or pays, such as an integrator fee, and that this API does not have.
 */
export function refuseUnsupported(path: string, received: string, what: string): never {
  const code = 'AMOUNT_OUT_OF_RANGE'
  const message = `must be absent: ${what} is not supported`
  const issues = [
    { in: 'query' as const, path, code, message, received: received.slice(0, 100), expected: '0' },
  ]
  throw new ApiError(code, messageOf(issues), { issues })
}
