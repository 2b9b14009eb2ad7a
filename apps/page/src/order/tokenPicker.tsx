import type { Address } from '@braid-swap/core'
import { shortAddress } from '@braid-swap/draw'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type PageToken, symbolOf, type Tokens, usdText } from '../format.js'
import { OpenIcon } from '../icons.js'

/** A button that shows the chosen token and opens a list to choose another. */
export function TokenPicker(props: {
  readonly label: string
  readonly token: Address
  readonly tokens: Tokens
  readonly onPick: (token: Address) => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const symbol = symbolOf(props.token, props.tokens)
  const pick = (token: Address) => {
    dialog.current?.close()
    props.onPick(token)
  }
  return (
    <>
      <button
        class="token-button"
        type="button"
        aria-haspopup="dialog"
        aria-label={`${props.label}: ${symbol}`}
        onClick={() => dialog.current?.showModal()}
      >
        <TokenMark address={props.token} symbol={symbol} />
        {symbol}
        <OpenIcon />
      </button>
      <dialog class="picker" ref={dialog} aria-label={props.label} closedby="any">
        <TokenList tokens={props.tokens} chosen={props.token} onPick={pick} />
      </dialog>
    </>
  )
}

function TokenList(props: {
  readonly tokens: Tokens
  readonly chosen: Address
  readonly onPick: (token: Address) => void
}) {
  const [search, setSearch] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const words = search.trim().toLowerCase()
  const found = [...props.tokens.values()].filter(
    ({ symbol, name, address }) =>
      words === '' || [symbol, name, address].some((text) => text.toLowerCase().includes(words)),
  )
  const pick = (token: PageToken | undefined) => {
    if (!token) return
    setSearch('')
    props.onPick(token.address)
  }
  useEffect(() => list.current?.scrollTo(0, 0), [words])
  return (
    <search class="picker-body" onKeyDown={(event) => moveFocus(event, list.current)}>
      <input
        type="search"
        placeholder="Search by symbol, name or address"
        aria-label="Search tokens"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && pick(found[0])}
      />
      <ul ref={list}>
        {found.map((token) => (
          <li key={token.address}>
            <button
              type="button"
              aria-current={token.address === props.chosen ? 'true' : undefined}
              onClick={() => pick(token)}
            >
              <TokenMark address={token.address} symbol={token.symbol} />
              <span class="token-names">
                <b>{token.symbol}</b>
                <span class="soft">{token.name}</span>
              </span>
              <span class="token-facts">
                <span>{typeof token.sellPriceUsd === 'number' && usdText(token.sellPriceUsd)}</span>
                <code class="soft">{shortAddress(token.address)}</code>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="soft none">No matching token.</p>}
    </search>
  )
}

/** The number of list entries by which each key moves the focus. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
])

function moveFocus(event: KeyboardEvent, list: HTMLUListElement | null): void {
  const step = STEPS.get(event.key)
  if (step === undefined || !list) return
  event.preventDefault()
  const buttons = [...list.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button.matches(':focus'))
  buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)]?.focus()
}

/** A disc coloured by the address. Logos would need requests to third parties. */
export function TokenMark({
  address,
  symbol,
}: {
  readonly address: Address
  readonly symbol: string
}) {
  const hue = Number.parseInt(address.slice(2, 8), 16) % 360
  return (
    <span
      class="mark"
      data-letter={symbol.slice(0, 1).toUpperCase()}
      style={{ '--hue': hue }}
      aria-hidden="true"
    />
  )
}
