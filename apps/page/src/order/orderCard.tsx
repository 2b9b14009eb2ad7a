import type { ComponentChildren } from 'preact'
import { amountText, partText, type Tokens, toFloat, usdText } from '../format.js'
import { FlipIcon } from '../icons.js'
import type { Worth } from '../quote/valuation.js'
import type { PageQuote } from '../usePolling.js'
import { lossClass } from './guards.js'
import { type Draft, isSameOrder, type PageOrder } from './order.js'
import { TokenPicker } from './tokenPicker.js'

/** A quote and its order, which may be older than the order on screen. */
export type QuotedOrder = {
  readonly order: PageOrder
  readonly quote: PageQuote
  readonly worth: Worth
}

/** The order form: two tokens, the input amount and the quoted output. */
export function OrderCard(props: {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly tokens: Tokens
  /** Undefined while the draft is not a valid order. */
  readonly order: PageOrder | undefined
  readonly quoted: QuotedOrder | undefined
  readonly isCurrent: boolean
  /** The balance of the paying account, as a button. */
  readonly balance: ComponentChildren
  readonly children: ComponentChildren
}) {
  const { draft, onDraft, tokens, order, quoted, isCurrent } = props
  const change = (part: Partial<Draft>) => onDraft({ ...draft, ...part })
  const flip = () => change({ src: draft.dst, dst: draft.src })
  const pick = (end: 'src' | 'dst', other: 'src' | 'dst') => (token: Draft['src']) =>
    token === draft[other] ? flip() : change({ [end]: token })
  const answer = order && quoted?.order.dst === draft.dst ? quoted : undefined
  const answered = answer && isSameOrder(answer.order, order!) ? answer : undefined
  const output = answer ? amountText(answer.quote.dstAmount, decimalsOf(draft.dst, tokens)) : '–'
  return (
    <section class={isCurrent ? 'card order' : 'card order waiting'} aria-label="Order">
      <div class="side">
        <label for="amount">You pay</label>
        <div class="side-row">
          <span class="amount-room" style={{ '--letters': draft.amount.length }}>
            <input
              id="amount"
              class="amount"
              inputmode="decimal"
              autocomplete="off"
              spellcheck={false}
              placeholder="0"
              value={draft.amount}
              onInput={(event) => change({ amount: event.currentTarget.value })}
            />
          </span>
          <TokenPicker
            label="Token to pay with"
            token={draft.src}
            tokens={tokens}
            onPick={pick('src', 'dst')}
          />
        </div>
        <div class="side-row fine">
          <span data-testid="pay-worth">{worthText(answered?.worth.pay)}</span>
          {props.balance}
        </div>
      </div>
      <button class="flip" type="button" aria-label="Swap the two tokens" onClick={flip}>
        <FlipIcon />
      </button>
      <div class="side">
        <span class="side-label">You receive</span>
        <div class="side-row">
          <span class="amount-room" style={{ '--letters': output.length }}>
            <output class="amount" aria-live="off" data-testid="output" title={output}>
              {output}
            </output>
          </span>
          <TokenPicker
            label="Token to receive"
            token={draft.dst}
            tokens={tokens}
            onPick={pick('dst', 'src')}
          />
        </div>
        <div class="side-row fine">
          <span data-testid="receive-worth">
            {answered && <ReceiveWorth {...answered.worth} />}
          </span>
          <span>{answered && <Rate {...answered} tokens={tokens} />}</span>
        </div>
      </div>
      {props.children}
    </section>
  )
}

/** A smaller loss is not shown, as a fraction of 1. */
const LEAST_LOSS = 0.001
const ALL_BPS = 10_000

function ReceiveWorth({ pay, receive }: Worth) {
  const lost = pay && receive !== undefined ? 1 - receive / pay : 0
  return (
    <>
      {worthText(receive)}
      {lost >= LEAST_LOSS && <span class={lossClass(lost * ALL_BPS)}> (−{partText(lost)})</span>}
    </>
  )
}

function worthText(usd: number | undefined): string {
  return usd === undefined ? '\u00a0' : `≈ ${usdText(usd)}`
}

function Rate({ order, quote, tokens }: QuotedOrder & { readonly tokens: Tokens }) {
  const [src, dst] = [tokens.get(order.src), tokens.get(order.dst)]
  if (!src || !dst) return null
  const rate = toFloat(quote.dstAmount, dst.decimals) / toFloat(order.amount, src.decimals)
  const shown = rate.toLocaleString('en-US', { maximumSignificantDigits: 6 })
  return (
    <>
      1 {src.symbol} = {shown} {dst.symbol}
    </>
  )
}

function decimalsOf(token: PageOrder['src'], tokens: Tokens): number {
  return tokens.get(token)?.decimals ?? 0
}
