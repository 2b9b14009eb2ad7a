import type { TargetedSubmitEvent } from 'preact'
import { Logo } from './icons.js'

/** Asks for the visitor's API key. The key is stored in this tab only. */
export function KeyForm(props: {
  readonly refusal: string | undefined
  readonly onKey: (key: string) => void
}) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = new FormData(event.currentTarget).get('key')
    if (typeof key === 'string' && key.trim() !== '') props.onKey(key.trim())
  }
  return (
    <main class="alone">
      <form class="card key-form" onSubmit={submit}>
        <Logo />
        <h1>Your API key</h1>
        <p class="soft">
          Quotes need an API key, which the operator of this service gives you. It is stored in this
          tab only and is removed when you close the tab.
        </p>
        <label>
          <span>Key</span>
          <input
            name="key"
            type="password"
            autocomplete="off"
            placeholder="brd_…"
            spellcheck={false}
            required
          />
        </label>
        {props.refusal && (
          <p class="bad" role="alert">
            {props.refusal}
          </p>
        )}
        <button class="primary" type="submit">
          Open
        </button>
      </form>
    </main>
  )
}
