import { RefusedError } from '@braid-swap/client'
import { expect, it } from 'vitest'
import { exitCodeOf } from './exitCodes.js'

const refusal = (statusCode: number, code: string) =>
  new RefusedError(
    {
      ...{ statusCode, code, message: 'm', requestId: 'R', retryable: false },
      ...{ issues: [], details: {} },
    },
    undefined,
  )

it.each([
  ['a code of the table', 422, 'NO_ROUTE', 3],
  ['a wrong request', 400, 'INVALID_ENUM', 2],
  ['a code that this program does not know', 503, 'OF_A_LATER_VERSION', 4],
])('an API that refuses with %s is no bug of this program', (_, status, code, exitCode) => {
  expect(exitCodeOf(refusal(status, code))).toBe(exitCode)
})
