import { shortAddress } from '@braid-swap/client'
import { useState } from 'preact/hooks'
import type { Draft } from './order.js'
import type { ReceiverReading } from './receiver.js'

/** Sends the output to another address. A receiver from a link is a question, never set. */
export function ReceiverField(props: {
  readonly draft: Draft
  readonly reading: ReceiverReading
  readonly onDraft: (draft: Draft) => void
}) {
  const { draft, reading, onDraft } = props
  const [isOpen, setOpen] = useState(draft.receiver !== undefined)
  const { linkReceiver, receiver: _, ...own } = draft
  const set = (receiver: string) => onDraft({ ...own, receiver })
  const close = () => {
    setOpen(false)
    onDraft(own)
  }
  return (
    <div class="receiver">
      {linkReceiver !== undefined && (
        <div class="warning grave" role="status" data-testid="link-receiver">
          The link asks to send the output to <code>{linkReceiver}</code>. If this address is not
          yours, you lose the tokens.
          <span class="answers">
            <button type="button" onClick={close}>
              Send it to me
            </button>
            <button
              type="button"
              onClick={() => {
                setOpen(true)
                set(linkReceiver)
              }}
            >
              Send it to {shortAddress(linkReceiver)}
            </button>
          </span>
        </div>
      )}
      {isOpen ? (
        <>
          <div class="receiver-head">
            <label for="receiver">Receiver</label>
            <button class="link" type="button" onClick={close}>
              My own account
            </button>
          </div>
          <input
            id="receiver"
            class="field"
            autocomplete="off"
            spellcheck={false}
            placeholder="0x…"
            aria-invalid={reading.is === 'wrong'}
            value={draft.receiver ?? ''}
            onInput={({ currentTarget: { value } }) => set(value)}
          />
        </>
      ) : (
        <button class="link" type="button" onClick={() => setOpen(true)}>
          Send to another address
        </button>
      )}
    </div>
  )
}
