import { useState } from 'preact/hooks'

const SHOWN_MS = 2_000

/** Copies a link to the order, which is in the address of the page. */
export function CopyLink() {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}/${location.hash}`)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <p class="order-tools fine">
      <button class="link" type="button" onClick={copy}>
        {isCopied ? 'Copied' : 'Copy a link to this order'}
      </button>
    </p>
  )
}
