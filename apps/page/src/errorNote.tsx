import { describeError } from './errorText.js'
import type { Tokens } from './format.js'

const noTokens: Tokens = new Map()

/** Shows an error: first the text for the visitor, then the code and the request id for support. */
export function ErrorNote(props: { readonly error: unknown; readonly tokens?: Tokens }) {
  const shown = describeError(props.error, props.tokens ?? noTokens)
  return (
    <div class="error" role="alert">
      <strong>{shown.title}</strong>
      {shown.detail !== undefined && <p>{shown.detail}</p>}
      {shown.faults.length > 0 && (
        <ul>
          {shown.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <p class="fine">
        <code>{shown.code}</code>
        {shown.requestId !== undefined && (
          <>
            {' '}
            · request <code>{shown.requestId}</code>
          </>
        )}
        {shown.isAskedAgain && ' · retrying automatically'}
      </p>
    </div>
  )
}
