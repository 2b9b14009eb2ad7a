import { CopyButton } from './copyButton.js'
import { OldMark } from './oldMark.js'
import { curlOf, type RecordedRequest } from './requestRecorder.js'

/** Shows the HTTP request and its response, with buttons to copy them. */
export function RawCard(props: {
  readonly recorded: RecordedRequest | undefined
  /** The recorded is about another order, or a later request got no answer. */
  readonly isOld: boolean
  readonly apiKey: string
  readonly onOtherKey: (() => void) | undefined
}) {
  const { recorded, apiKey } = props
  const url = recorded && new URL(recorded.url)
  return (
    <section class={props.isOld ? 'card raw old' : 'card raw'} aria-labelledby="raw-title">
      <header>
        <h2 id="raw-title">API request</h2>
        {recorded && (
          <span class="soft raw-status">
            {recorded.status} in {recorded.ms} ms
          </span>
        )}
        {recorded && props.isOld && <OldMark />}
        <span class="raw-buttons">
          {recorded && (
            <CopyButton textOf={() => curlOf(recorded.url, apiKey)}>Copy as curl</CopyButton>
          )}
          {recorded && <CopyButton textOf={() => recorded.text}>Copy response</CopyButton>}
          {props.onOtherKey && (
            <button type="button" onClick={props.onOtherKey}>
              Change key
            </button>
          )}
        </span>
      </header>
      {recorded && url && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
          <pre class="request" tabIndex={0}>
            <b>GET</b> {url.pathname}
            {[...url.searchParams].map(([name, value], i) => (
              <span key={name}>
                {'\n    '}
                {i === 0 ? '?' : '&'}
                <i>{name}</i>={value}
              </span>
            ))}
            {'\n'}
            <i>apikey</i>: {maskKey(apiKey)}
          </pre>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
          <pre class="answer" tabIndex={0} data-testid="answer">
            {formatJson(recorded.text)}
          </pre>
        </>
      )}
    </section>
  )
}

function maskKey(key: string): string {
  return `${key.slice(0, 8)}${'•'.repeat(8)}`
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
