import { shortAddress } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from '../dialog.js'
import { amountText, type PageToken, symbolOf, type Tokens, toFloat, usdText } from '../format.js'
import { OpenIcon, VerifiedIcon } from '../icons.js'
import { useRead } from '../useRead.js'
import { type Picks, readHeld, sortPicks } from './pickOrder.js'
import { findImitated } from './tokenTrust.js'

/** Reads a token outside of the market; throws if the address is no token. */
export type LookUp = (address: Address) => Promise<PageToken>

/** A button that shows the chosen token and opens a list to choose another. */
export function TokenPicker(props: {
  readonly label: string
  readonly token: Address
  readonly tokens: Tokens
  readonly lookUp: LookUp
  readonly picks: Picks
  readonly onPick: (token: Address) => void
}) {
  const symbol = symbolOf(props.token, props.tokens)
  const [isOpen, setOpen] = useState(false)
  const pick = (token: Address) => {
    setOpen(false)
    props.onPick(token)
  }
  return (
    <>
      <button
        class="token-button"
        type="button"
        aria-haspopup="dialog"
        aria-label={`${props.label}: ${symbol}`}
        onClick={() => setOpen(true)}
      >
        <TokenMark address={props.token} />
        <span class="cut">{symbol}</span>
        <OpenIcon />
      </button>
      <Dialog title={props.label} isOpen={isOpen} onClose={() => setOpen(false)}>
        <TokenList
          {...{ tokens: props.tokens, lookUp: props.lookUp, picks: props.picks }}
          {...{ chosen: props.token, onPick: pick }}
        />
      </Dialog>
    </>
  )
}

const noneHeld: ReadonlyMap<Address, bigint> = new Map()

function TokenList(props: {
  readonly tokens: Tokens
  readonly lookUp: LookUp
  readonly picks: Picks
  readonly chosen: Address
  readonly onPick: (token: Address) => void
}) {
  const { tokens, picks, chosen, onPick } = props
  const held = useRead('', () => readHeld([...tokens.values()], picks)) ?? noneHeld
  const [search, setSearch] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const words = search.trim().toLowerCase()
  const sorted = sortPicks([...tokens.values()], { common: picks.common, held })
  const known = sorted.filter(
    ({ symbol, name, address }) =>
      words === '' || [symbol, name, address].some((text) => text.toLowerCase().includes(words)),
  )
  const other = useOther(known.length === 0 ? words : '', props.lookUp)
  const found = other.token ? [other.token] : known
  const first = found[0]
  useEffect(() => list.current?.scrollTo(0, 0), [words])
  return (
    <search onKeyDown={(event) => moveFocus(event, list.current)}>
      <input
        autofocus
        type="search"
        placeholder="Symbol, name or address"
        aria-label="Search tokens"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !first) return
          // The focus returns to the button, which the same key would press.
          event.preventDefault()
          onPick(first.address)
        }}
      />
      <ul ref={list}>
        {found.map((token) => (
          <TokenEntry
            key={token.address}
            {...{ token, isChosen: token.address === chosen, onPick }}
            balance={held.get(token.address)}
            original={findImitated(token, tokens)}
          />
        ))}
      </ul>
      {found.length === 0 && <p class="soft none">{other.words}</p>}
    </search>
  )
}

/** A token of the list, with the mark of the operator's verification or a warning. */
function TokenEntry(props: {
  readonly token: PageToken
  /** The verified token whose symbol this one has. */
  readonly original: PageToken | undefined
  readonly isChosen: boolean
  /** The payer's, in wei, if it has some. */
  readonly balance: bigint | undefined
  readonly onPick: (token: Address) => void
}) {
  const { token, original, isChosen, balance, onPick } = props
  const { address, symbol, name, verified, sellPriceUsd, decimals } = token
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => onPick(address)}
      >
        <TokenMark address={address} />
        <span class="token-names">
          <b class="cut">
            {symbol} {verified && <VerifiedIcon />}
          </b>
          {verified ? (
            <span class="soft">{name}</span>
          ) : (
            <span class={original ? 'bad' : 'warn'}>
              {original ? `Not the verified ${original.symbol}` : `Not verified · ${name}`}
            </span>
          )}
        </span>
        <span class="token-facts">
          {balance === undefined ? (
            <span>{typeof sellPriceUsd === 'number' && usdText(sellPriceUsd)}</span>
          ) : (
            <b data-testid="held">{amountText(balance, decimals, 6)}</b>
          )}
          {balance !== undefined && typeof sellPriceUsd === 'number' ? (
            <span class="soft">≈ {usdText(toFloat(balance, decimals) * sellPriceUsd)}</span>
          ) : (
            <code class="soft">{shortAddress(address)}</code>
          )}
        </span>
      </button>
    </li>
  )
}

type Other = { readonly token?: PageToken; readonly words: string }
const NO_MATCH = 'No matching token. Paste an address to find any token.'

/** The token at a searched address, if it is none of the market's. */
function useOther(words: string, lookUp: LookUp): Other {
  const isAddress = /^0x[0-9a-f]{40}$/.test(words)
  const found = useRead(isAddress ? words : undefined, () =>
    lookUp(words as Address).then(
      (token): Other => ({ token, words: '' }),
      () => ({ words: 'No token was found at this address.' }),
    ),
  )
  return isAddress ? (found ?? { words: 'Looking up this address…' }) : { words: NO_MATCH }
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

/** A disc whose two colours the address decides. Logos would need requests to third parties. */
function TokenMark({ address }: { readonly address: Address }) {
  const [hue, turn] = [2, 8].map((at) => Number.parseInt(address.slice(at, at + 6), 16) % 360)
  return <span class="mark" style={{ '--hue': hue, '--turn': turn }} aria-hidden="true" />
}
