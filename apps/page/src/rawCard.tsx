import { useState } from 'preact/hooks'
import { OldMark } from './quote/oldMark.js'
import { curlOf, type Exchange } from './requestRecorder.js'

/** Shows the HTTP request and its response, with buttons to copy them. */
export function RawCard(props: {
  readonly exchange: Exchange | undefined
  /** The exchange is about another order, or a later request got no answer. */
  readonly isOld: boolean
  readonly apiKey: string
  readonly onOtherKey: (() => void) | undefined
}) {
  const { exchange, apiKey } = props
  const url = exchange && new URL(exchange.url)
  return (
    <section class={props.isOld ? 'card raw old' : 'card raw'} aria-labelledby="raw-title">
      <header>
        <h2 id="raw-title">API request</h2>
        {exchange && (
          <span class="soft raw-status">
            {exchange.status} in {exchange.ms} ms
          </span>
        )}
        {exchange && props.isOld && <OldMark />}
        <span class="raw-buttons">
          {exchange && <CopyButton text={curlOf(exchange.url, apiKey)}>Copy as curl</CopyButton>}
          {exchange && <CopyButton text={exchange.text}>Copy response</CopyButton>}
          {props.onOtherKey && (
            <button type="button" onClick={props.onOtherKey}>
              Change key
            </button>
          )}
        </span>
      </header>
      {exchange && url && (
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
            <i>apikey</i>: {masked(apiKey)}
          </pre>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
          <pre class="answer" tabIndex={0} data-testid="answer">
            {indented(exchange.text)}
          </pre>
        </>
      )}
    </section>
  )
}

function CopyButton({ text, children }: { readonly text: string; readonly children: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button type="button" onClick={copy}>
      {isCopied ? 'Copied' : children}
    </button>
  )
}

function masked(key: string): string {
  return `${key.slice(0, 8)}${'•'.repeat(8)}`
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
