import { BadAnswerError, RefusedError, UnreachableError } from '@braid-swap/client'
import { BaseError, ownValue } from '@braid-swap/core'

const titles: Readonly<Record<string, string>> = {
  NO_ROUTE: 'No pools connect these tokens',
  INSUFFICIENT_LIQUIDITY: 'The market cannot take this much',
  AMOUNT_TOO_SMALL: 'Too little to bring anything',
  BALANCE_INSUFFICIENT: 'The account holds less than this',
  ALLOWANCE_INSUFFICIENT: 'The router may not take this much',
  RATE_LIMITED: 'Too many requests for this key',
  STATE_STALE: 'No new block has come for a while',
  NOT_READY: 'The market is still being read',
  MISMATCH: 'The transaction is not what was asked, so it was not sent',
  DEMO_NODE: 'The devnet did not take it',
}

/** What went wrong, for a person first and for whoever looks it up next. */
export function ErrorNote({ error }: { readonly error: unknown }) {
  const code = error instanceof BaseError ? error.code : 'UNEXPECTED'
  const message = error instanceof Error ? error.message : `${error}`
  return (
    <div class="error" role="alert">
      <strong>{titleOf(error, code)}</strong>
      <p>{message}</p>
      {error instanceof RefusedError && error.issues.length > 0 && (
        <ul>
          {error.issues.map((issue) => (
            <li key={`${issue.path} ${issue.code}`}>
              <code>{issue.path}</code> {issue.message}
            </li>
          ))}
        </ul>
      )}
      <p class="fine">
        <code>{code}</code>
        {error instanceof RefusedError && (
          <>
            {' '}
            · request <code>{error.requestId}</code>
            {error.retryable && ' · it is asked again by itself'}
          </>
        )}
      </p>
    </div>
  )
}

function titleOf(error: unknown, code: string): string {
  if (error instanceof UnreachableError) return 'The API does not answer'
  if (error instanceof BadAnswerError) return 'The API answered something else'
  return (
    ownValue(titles, code) ??
    (error instanceof RefusedError ? 'The API said no' : 'That did not work')
  )
}
