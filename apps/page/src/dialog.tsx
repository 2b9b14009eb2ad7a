import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A modal dialog with a button that closes it, because not every browser closes one by a press beside it. */
export function Dialog(props: {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const { title, isOpen, onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      class="picker"
      ref={dialog}
      aria-label={title}
      closedby="any"
      // The event comes later, when the dialog may be open again.
      onClose={() => dialog.current?.open || onClose()}
    >
      {isOpen && (
        <div class="picker-body">
          <h2>{title}</h2>
          {props.children}
          {/* Last, so that the focus starts at what the dialog is for. */}
          <button class="round" type="button" aria-label="Close" onClick={onClose}>
            ×
          </button>
        </div>
      )}
    </dialog>
  )
}
