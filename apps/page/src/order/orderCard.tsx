import { roundingBps } from '@braid-swap/core/advanced'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { amountText, isTiny, partText, type Tokens, toFloat, usdText } from '../format.js'
import { FlipIcon } from '../icons.js'
import type { Agreed } from './agreed.js'
import { lossClass } from './guards.js'
import { type Draft, isSameOrder, type PageOrder, type Sale } from './order.js'
import type { Picks } from './pickOrder.js'
import { type LookUp, TokenPicker } from './tokenPicker.js'
import type { PageQuote } from './usePolling.js'
import type { Worth } from './valuation.js'

/** A quote and its order, which may be older than the order on screen. */
export type QuotedOrder = {
  readonly order: PageOrder
  /** The order with the amount that the quote sells. */
  readonly sale: Sale
  readonly quote: PageQuote
  readonly worth: Worth
}

/** The order form: two tokens, the amount typed on one side and the quoted one on the other. */
export function OrderCard(props: {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly tokens: Tokens
  readonly lookUp: LookUp
  readonly picks: Picks
  /** Undefined while the draft is not a valid order. */
  readonly order: PageOrder | undefined
  readonly quoted: QuotedOrder | undefined
  /** The terms of the current quote. */
  readonly agreed: Agreed | undefined
  readonly isCurrent: boolean
  /** The balance of the paying account, as a button. */
  readonly balance: ComponentChildren
  readonly children: ComponentChildren
}) {
  const { draft, onDraft, tokens, lookUp, picks, order, quoted, agreed, isCurrent } = props
  const change = (part: Partial<Draft>) => onDraft({ ...draft, ...part })
  const flip = () => change({ src: draft.dst, dst: draft.src })
  const pick = (end: 'src' | 'dst', other: 'src' | 'dst') => (token: Draft['src']) =>
    token === draft[other] ? flip() : change({ [end]: token })
  const isOfEnds = quoted?.order.src === draft.src && quoted.order.dst === draft.dst
  const isOfSide = (quoted?.order.dstAmountExact !== undefined) === (draft.side !== undefined)
  const answer = order && isOfEnds && isOfSide ? quoted : undefined
  const answered = answer && isSameOrder(answer.order, order!) ? answer : undefined
  // One of the two amounts was typed, the quote gives the other: for an amount to receive, all that leaves.
  const leaves = agreed && answered ? agreed.sale.amount : answer?.sale.amount
  const quotedText = answer
    ? draft.side
      ? amountText(leaves ?? 0n, decimalsOf(draft.src, tokens))
      : amountText(answer.quote.dstAmount, decimalsOf(draft.dst, tokens))
    : ''
  const { worth, sale } = answered ?? {}
  const part = leaves !== undefined && sale ? Number(leaves) / Number(sale.amount || 1n) : 1
  const { side: _, ...paying } = draft
  const pay = (amount: string) => onDraft({ ...paying, amount })
  const receive = (amount: string) => onDraft({ ...draft, amount, side: 'receive' })
  return (
    <section class={isCurrent ? 'card order' : 'card order waiting'} aria-label="Order">
      <div class="side">
        <label for="amount">You pay</label>
        <div class="side-row">
          <AmountField
            id="amount"
            value={draft.side ? quotedText : draft.amount}
            isQuoted={draft.side !== undefined}
            onAmount={pay}
          />
          <TokenPicker
            label="Token to pay with"
            token={draft.src}
            {...{ tokens, lookUp, picks }}
            onPick={pick('src', 'dst')}
          />
        </div>
        <div class="side-row fine">
          <span data-testid="pay-worth">{worthText(worth?.pay && worth.pay * part)}</span>
          {props.balance}
        </div>
      </div>
      <button class="flip" type="button" aria-label="Swap the two tokens" onClick={flip}>
        <FlipIcon />
      </button>
      <div class="side">
        <label for="output">{draft.side ? 'You receive at least' : 'You receive'}</label>
        <div class="side-row">
          <AmountField
            id="output"
            value={draft.side ? draft.amount : quotedText}
            isQuoted={draft.side === undefined}
            onAmount={receive}
          />
          <TokenPicker
            label="Token to receive"
            token={draft.dst}
            {...{ tokens, lookUp, picks }}
            onPick={pick('dst', 'src')}
          />
        </div>
        <div class="side-row fine">
          <span data-testid="receive-worth">
            {answered && <ReceiveWorth {...answered} />}
            {answered && leaves !== undefined && draft.side && (
              <Expected {...answered} {...{ leaves, tokens }} />
            )}
          </span>
          <span>{answered && <Rate {...answered} tokens={tokens} />}</span>
        </div>
      </div>
      {props.children}
    </section>
  )
}

/** A field for an amount. The one that the quote fills in can be typed into as well. */
function AmountField(props: {
  readonly id: string
  readonly value: string
  readonly isQuoted: boolean
  readonly onAmount: (amount: string) => void
}) {
  const { id, value, isQuoted } = props
  const field = useRef<HTMLInputElement>(null)
  // A digit behind a quoted amount would be an amount that nobody means, and each new quote ends the selection.
  const select = () => {
    if (isQuoted && document.activeElement === field.current) field.current?.select()
  }
  useLayoutEffect(select, [value])
  return (
    <span class="amount-room" style={{ '--letters': value.length }}>
      <input
        id={id}
        class={isQuoted ? 'amount quoted' : 'amount'}
        inputmode="decimal"
        autocomplete="off"
        spellcheck={false}
        placeholder={isQuoted ? '–' : '0'}
        title={isQuoted ? value : undefined}
        data-testid={id}
        value={value}
        ref={field}
        onFocus={select}
        onInput={(event) => props.onAmount(event.currentTarget.value)}
      />
    </span>
  )
}

const EXPECTED_DIGITS = 5

/** What an amount to receive will be about: all that leaves is sold, so that more than that amount arrives. */
function Expected(props: QuotedOrder & { readonly leaves: bigint; readonly tokens: Tokens }) {
  const { sale, quote, leaves, tokens } = props
  const wei = (quote.dstAmount * leaves) / (sale.amount || 1n)
  const amount = amountText(wei, decimalsOf(sale.dst, tokens), EXPECTED_DIGITS)
  return (
    <span data-testid="expected">
      {' '}
      · about {amount} {tokens.get(sale.dst)?.symbol} expected
    </span>
  )
}

/** A smaller loss is not shown, as a fraction of 1. */
const MIN_SHOWN_LOSS = 0.001
const ALL_BPS = 10_000

function ReceiveWorth({ sale, quote, worth: { pay, receive } }: QuotedOrder) {
  const lost = pay && receive !== undefined ? 1 - receive / pay : 0
  const isRounded = lost * ALL_BPS <= roundingBps(sale.amount, quote.dstAmount)
  return (
    <>
      {worthText(receive)}
      {lost >= MIN_SHOWN_LOSS && !isRounded && (
        <span class={lossClass(lost * ALL_BPS)}> (−{partText(lost)})</span>
      )}
    </>
  )
}

function worthText(usd: number | undefined): string {
  return usd === undefined ? '\u00a0' : `≈ ${usdText(usd)}`
}

function Rate({ sale, quote, tokens }: QuotedOrder & { readonly tokens: Tokens }) {
  const [src, dst] = [tokens.get(sale.src), tokens.get(sale.dst)]
  if (!src || !dst) return null
  const rate = toFloat(quote.dstAmount, dst.decimals) / toFloat(sale.amount, src.decimals)
  const [of, shown, by] = isTiny(rate) ? [dst, 1 / rate, src] : [src, rate, dst]
  const digits = shown.toLocaleString('en-US', { maximumSignificantDigits: 6 })
  return (
    <>
      1 {of.symbol} = {digits} {by.symbol}
    </>
  )
}

function decimalsOf(token: PageOrder['src'], tokens: Tokens): number {
  return tokens.get(token)?.decimals ?? 0
}
