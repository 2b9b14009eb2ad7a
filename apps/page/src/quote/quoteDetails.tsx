import { NATIVE, parseSlippagePpm } from '@braid-swap/core'
import { roundingBps } from '@braid-swap/core/advanced'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import {
  amountText,
  bpsText,
  LEAST_BPS,
  symbolOf,
  type Tokens,
  toFloat,
  usdText,
} from '../format.js'
import { InfoIcon } from '../icons.js'
import type { Agreed } from '../order/agreed.js'
import { type Caution, lossClass } from '../order/guards.js'
import { AUTO, type Draft } from '../order/order.js'
import type { PageQuote } from '../order/usePolling.js'
import type { Prices } from '../order/valuation.js'
import { TipChoice } from './tipChoice.js'

const SLIPPAGES = [AUTO, '0.1', '0.5', '1']
const PPM_PER_PERCENT = 10_000
/** A gap below this is shown as good, in basis points. */
const CLOSE_BPS = 10
/** A gap from here on gets an explanation, in basis points. */
const LOOSE_BPS = 25

type QuoteDetailsProps = {
  readonly draft: Draft
  readonly onSlippage: (slippage: string) => void
  readonly onTip: (tip: bigint | undefined) => void
  /** Present only while it is current. */
  readonly quote: PageQuote | undefined
  /** The terms that the button agrees to; present with the quote. */
  readonly agreed: Agreed | undefined
  readonly cautions: readonly Caution[]
  readonly tokens: Tokens
  readonly prices: Prices
}

/** The slippage choice, the figures of the quote and the warnings. */
export function QuoteDetails(props: QuoteDetailsProps) {
  const { draft, quote, cautions } = props
  return (
    <>
      <SlippageChoice draft={draft} onSlippage={props.onSlippage} />
      {draft.slippage === AUTO && <Suggestion quote={quote} />}
      <Figures {...props} />
      {cautions.map(({ text, isGrave }) => (
        <p class={isGrave ? 'warning grave' : 'warning'} role="status" key={text}>
          {text}
        </p>
      ))}
    </>
  )
}

function SlippageChoice({ draft, onSlippage }: Pick<QuoteDetailsProps, 'draft' | 'onSlippage'>) {
  const { slippage, linkSlippage } = draft
  const [typed, setTyped] = useState<string>()
  const read = typed === undefined ? undefined : readPercent(typed)
  const isTyped = read !== undefined && read === slippage
  const isWrong = typed !== undefined && typed.trim() !== '' && read === undefined
  const choices = SLIPPAGES.includes(slippage) || isTyped ? SLIPPAGES : [...SLIPPAGES, slippage]
  const type = (text: string) => {
    setTyped(text)
    const percent = readPercent(text)
    if (percent !== undefined) onSlippage(percent)
  }
  const choose = (choice: string) => {
    setTyped(undefined)
    onSlippage(choice)
  }
  return (
    <>
      <fieldset class="choice">
        <legend>Slippage</legend>
        {choices.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="slippage"
              value={choice}
              checked={choice === slippage && !isTyped}
              onChange={() => choose(choice)}
            />
            <span>{choice === AUTO ? 'Auto' : `${choice} %`}</span>
          </label>
        ))}
        <input
          class={isTyped ? 'own typed' : 'own'}
          inputmode="decimal"
          autocomplete="off"
          aria-label="Slippage in percent"
          placeholder="own %"
          value={typed ?? (isTyped ? slippage : '')}
          onInput={({ currentTarget: { value } }) => type(value)}
        />
      </fieldset>
      {isWrong && (
        <p class="soft why" role="status">
          Slippage is 0 to 50 %, with at most 4 decimals.
        </p>
      )}
      {linkSlippage !== undefined && (
        <div class="warning" role="status" data-testid="link-slippage">
          The link asks for {linkSlippage} % slippage: you could receive that much less than quoted.{' '}
          {slippage} % is set instead.
          <span class="answers">
            <button type="button" onClick={() => onSlippage(slippage)}>
              Keep {slippage} %
            </button>
            <button type="button" onClick={() => onSlippage(linkSlippage)}>
              Use {linkSlippage} %
            </button>
          </span>
        </div>
      )}
    </>
  )
}

/** The slippage that the API suggests, and why. */
function Suggestion({ quote }: Pick<QuoteDetailsProps, 'quote'>) {
  const suggested = quote?.meta.suggestedSlippage
  if (!suggested) return null
  const { bps, pairBps, moveBps, sampledBps, maxBps, watchedSeconds } = suggested
  const percent = (of: number) => `${of / 100} %`
  const parts = [
    `${percent(pairBps)} for this pair of tokens`,
    moveBps > 0
      ? `${percent(moveBps)} for the moves of this route in ${watchedSeconds} seconds`
      : `nothing for moves, because the route has not moved for ${watchedSeconds} seconds`,
    ...(sampledBps > 0 ? [`${percent(sampledBps)} for pools that quote block by block`] : []),
    ...(bps === maxBps ? [`at most ${percent(maxBps)}`] : []),
  ]
  return (
    <p class="soft fine suggestion" data-testid="suggestion">
      <b>{percent(bps)}</b>: {parts.join(', ')}.
    </p>
  )
}

/** A typed slippage in percent, with a point or a comma; undefined unless it is one to 4 decimals. */
function readPercent(text: string): string | undefined {
  const plain = text.trim().replace(',', '.')
  if (!/^\d+(\.\d{0,4})?$/.test(plain)) return undefined
  const ppm = parseSlippagePpm(plain)
  return ppm === undefined ? undefined : `${ppm / PPM_PER_PERCENT}`
}

function Figures({ draft, quote, agreed, tokens, prices, onTip }: QuoteDetailsProps) {
  const amount = (wei: bigint | undefined, token: Draft['src']) =>
    wei === undefined
      ? '–'
      : `${amountText(wei, tokens.get(token)?.decimals ?? 0)} ${symbolOf(token, tokens)}`
  const impact = quote?.meta.priceImpactBps ?? undefined
  const rounding = quote && agreed ? roundingBps(agreed.sale.amount, quote.dstAmount) : 0
  return (
    <dl class="facts">
      <Fact name="Minimum received" hint="If the output would be lower, the swap reverts.">
        {amount(agreed?.floor, draft.dst)}
      </Fact>
      {draft.side && (
        <Fact
          name="Needed now"
          hint="What the market asks at this moment. What you pay adds the slippage, and all of it is sold: if the price does not rise, you receive more."
        >
          <span data-testid="paid">{amount(quote?.srcAmount, draft.src)}</span>
        </Fact>
      )}
      {quote?.meta.fee && (
        <Fact
          name="Integrator’s fee"
          hint={`${quote.meta.fee.bps / 100} % of the output, paid to ${quote.meta.fee.recipient}. All amounts are after it.`}
        >
          {amount(quote.meta.fee.amount, draft.dst)}
        </Fact>
      )}
      <Fact
        name="Price impact"
        hint="How much worse this rate is than that of a tiny order on the same route, without fees."
      >
        <span class={isRounded(impact, rounding) ? undefined : lossClass(impact ?? 0)}>
          {quote ? impactText(impact, rounding) : '–'}
        </span>
      </Fact>
      <BoundFact gapBps={quote && (quote.meta.bound?.gapBps ?? null)} />
      <Fact
        name="Gas"
        hint={`An estimate of the network fee for the whole transaction. A transaction that could cost more than ${amount(agreed?.fee.most, NATIVE)} is never sent.`}
        more={<TipChoice tip={draft.tip} meta={quote?.meta} onTip={onTip} />}
      >
        {quote ? gasText(quote, tokens, prices) : '–'}
      </Fact>
    </dl>
  )
}

/** From this rounding on, an impact below it is named as such, in basis points. */
const SHOWN_ROUNDING_BPS = 1

function isRounded(impactBps: number | undefined, rounding: number): boolean {
  return rounding >= SHOWN_ROUNDING_BPS && impactBps !== undefined && impactBps <= rounding
}

function impactText(impactBps: number | undefined, rounding: number): string {
  if (impactBps === undefined) return 'unknown'
  return isRounded(impactBps, rounding) ? 'too small an amount to tell' : bpsText(impactBps)
}

/**
 * Shows how far the quote may be below the optimum. It shows nothing if `gapBps` is null, because then
 * nothing is known; a bare wrap, for example, has no bound.
 */
function BoundFact({ gapBps }: { readonly gapBps: number | null | undefined }) {
  if (gapBps === null || (gapBps !== undefined && gapBps < 0)) return null
  const isLoose = gapBps !== undefined && gapBps >= LOOSE_BPS
  return (
    <Fact
      name="Best possible output"
      hint="No route that passes each token at most once, split or not, can beat the quote by more than this. Gas is counted."
      note={isLoose && <LooseBound />}
    >
      {gapBps === undefined ? (
        '–'
      ) : (
        <span class={gapBps < CLOSE_BPS ? 'good' : undefined}>
          {gapBps < 1 ? bpsText(gapBps || LEAST_BPS) : `≤ ${bpsText(gapBps)}`} more
        </span>
      )}
    </Fact>
  )
}

function LooseBound() {
  return (
    <span data-testid="loose-bound">
      This limit counts gas, crossed ticks included, and how much of each token a route can bring.
      But it adds up parts that no single route combines, such as more gas than a block allows, so
      it is loose for large orders. A large gap does not mean that a better route exists.
    </span>
  )
}

function gasText({ gas, meta }: PageQuote, tokens: Tokens, prices: Prices): string {
  const native = tokens.get(NATIVE)
  if (meta.gasPrice === undefined || !native) return `${Number(gas).toLocaleString('en-US')} units`
  const cost = gas * meta.gasPrice
  const price = prices.get(NATIVE)
  const usd = price === undefined ? '' : ` (${usdText(toFloat(cost, native.decimals) * price)})`
  return `${amountText(cost, native.decimals, 3)} ${native.symbol}${usd}`
}

/** A figure; its name is a button that explains it, because a tooltip needs a mouse. */
function Fact(props: {
  readonly name: string
  readonly hint: string
  /** Always visible below the figure. */
  readonly note?: ComponentChildren
  /** Below the explanation. */
  readonly more?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const { name, hint, note, more, children } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <dt>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {name}
          <InfoIcon />
        </button>
      </dt>
      <dd>{children}</dd>
      {isOpen && <dd class="note soft fine">{hint}</dd>}
      {isOpen && more && <dd class="note">{more}</dd>}
      {note && <dd class="note soft fine">{note}</dd>}
    </div>
  )
}
