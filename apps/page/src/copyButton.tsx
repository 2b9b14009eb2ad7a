import { useState } from 'preact/hooks'

const CONFIRMED_MS = 2_000

/** Copies a text and confirms it for a moment. The text is read when the button is pressed. */
export function CopyButton(props: {
  readonly textOf: () => string
  readonly class?: string
  readonly children: string
}) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(props.textOf())
    setCopied(true)
    setTimeout(() => setCopied(false), CONFIRMED_MS)
  }
  return (
    <button class={props.class} type="button" onClick={copy}>
      {isCopied ? 'Copied' : props.children}
    </button>
  )
}
