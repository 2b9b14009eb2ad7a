import { describeError } from './errorText.js'
import type { Tokens } from './text.js'

const noTokens: Tokens = new Map()

/** What went wrong, for a person first and for whoever looks it up next. */
export function ErrorNote(props: { readonly error: unknown; readonly tokens?: Tokens }) {
  const told = describeError(props.error, props.tokens ?? noTokens)
  return (
    <div class="error" role="alert">
      <strong>{told.title}</strong>
      {told.detail !== undefined && <p>{told.detail}</p>}
      {told.faults.length > 0 && (
        <ul>
          {told.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <p class="fine">
        <code>{told.code}</code>
        {told.requestId !== undefined && (
          <>
            {' '}
            · request <code>{told.requestId}</code>
          </>
        )}
        {told.isAskedAgain && ' · the page asks again by itself'}
      </p>
    </div>
  )
}
