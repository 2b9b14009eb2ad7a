import type { ComponentChildren } from 'preact'
import { FlipIcon } from './icons.js'
import type { PageQuote } from './live.js'
import type { Draft, PageOrder } from './order.js'
import { amountText, type Tokens, toFloat, usdText } from './text.js'
import { TokenPicker } from './tokenPicker.js'

/** What the visitor wants: two tokens and an amount, and beside it what comes out. */
export function OrderCard(props: {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly tokens: Tokens
  /** The order that `quote` answers, which may be the one before. */
  readonly quoted: { readonly order: PageOrder; readonly quote: PageQuote } | undefined
  readonly isWaiting: boolean
  readonly paying: ComponentChildren
  readonly children: ComponentChildren
}) {
  const { draft, onDraft, tokens, quoted, isWaiting } = props
  const change = (part: Partial<Draft>) => onDraft({ ...draft, ...part })
  const flip = () => change({ src: draft.dst, dst: draft.src })
  const pick = (end: 'src' | 'dst', other: 'src' | 'dst') => (token: Draft['src']) =>
    token === draft[other] ? flip() : change({ [end]: token })
  const answer = quoted && quoted.order.dst === draft.dst ? quoted : undefined
  return (
    <section class="card order" aria-label="Order">
      <div class="side">
        <label for="amount">You pay</label>
        <div class="side-row">
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
          <TokenPicker
            label="Token to pay with"
            token={draft.src}
            tokens={tokens}
            onPick={pick('src', 'dst')}
          />
        </div>
        <div class="side-row fine">{props.paying}</div>
      </div>
      <button class="flip" type="button" aria-label="Swap the two tokens" onClick={flip}>
        <FlipIcon />
      </button>
      <div class="side">
        <span class="side-label">You receive</span>
        <div class="side-row">
          <output
            class={isWaiting ? 'amount waiting' : 'amount'}
            aria-live="off"
            data-testid="output"
          >
            {answer ? amountText(answer.quote.dstAmount, decimalsOf(draft.dst, tokens)) : '–'}
          </output>
          <TokenPicker
            label="Token to receive"
            token={draft.dst}
            tokens={tokens}
            onPick={pick('dst', 'src')}
          />
        </div>
        <div class="side-row fine">
          <span>{answer ? worth(answer.quote.dstAmount, draft.dst, tokens) : '\u00a0'}</span>
          <span>{answer && <Rate {...answer} tokens={tokens} />}</span>
        </div>
      </div>
      {props.children}
    </section>
  )
}

function Rate(props: {
  readonly order: PageOrder
  readonly quote: PageQuote
  readonly tokens: Tokens
}) {
  const { order, quote, tokens } = props
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

/** Dollars that an amount is worth by the API's own selling price, if it has one. */
export function worth(wei: bigint, token: PageOrder['src'], tokens: Tokens): string {
  const known = tokens.get(token)
  if (!known || typeof known.sellPriceUsd !== 'number') return '\u00a0'
  return `≈ ${usdText(toFloat(wei, known.decimals) * known.sellPriceUsd)}`
}

function decimalsOf(token: PageOrder['src'], tokens: Tokens): number {
  return tokens.get(token)?.decimals ?? 0
}
