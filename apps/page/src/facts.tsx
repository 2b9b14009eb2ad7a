import { NATIVE } from '@braid-swap/core'
import type { ComponentChildren } from 'preact'
import { floorOf } from './floor.js'
import type { Caution } from './guards.js'
import type { PageQuote } from './live.js'
import type { Draft } from './order.js'
import { amountText, bpsText, symbolOf, type Tokens, toFloat, usdText } from './text.js'
import type { Prices } from './valuation.js'

const SLIPPAGES = ['0.1', '0.5', '1', '3']
/** Impacts that are coloured, as {@link guardsOf} warns of them, in basis points. */
const IMPACT_BPS = { warn: 100, bad: 500 }
/** A route this near the bound has nothing left to find, in basis points. */
const CLOSE_BPS = 10
/** From here on the bound needs a word of explanation, in basis points. */
const LOOSE_BPS = 25
/** Warnings of the API that the page's own cautions say already. */
const SAID_BY_CAUTIONS = new Set(['PRICE_IMPACT_HIGH', 'PRICE_IMPACT_UNKNOWN', 'SLIPPAGE_HIGH'])

type FactsProps = {
  readonly draft: Draft
  readonly onSlippage: (slippage: string) => void
  /** Only while it is current. */
  readonly quote: PageQuote | undefined
  readonly cautions: readonly Caution[]
  readonly tokens: Tokens
  readonly prices: Prices
}

/** The slippage to choose, what the quote says of itself, and what to be careful about. */
export function Facts(props: FactsProps) {
  const { draft, quote, cautions } = props
  return (
    <>
      <SlippageChoice draft={draft} onSlippage={props.onSlippage} />
      <Figures {...props} />
      {cautions.map(({ text, isGrave }) => (
        <p class={isGrave ? 'warning grave' : 'warning'} role="status" key={text}>
          {text}
        </p>
      ))}
      {quote?.meta.warnings
        .filter(({ code }) => !SAID_BY_CAUTIONS.has(code))
        .map(({ code, message }) => (
          <p class="warning" key={code}>
            {message}
          </p>
        ))}
    </>
  )
}

function SlippageChoice({ draft, onSlippage }: Pick<FactsProps, 'draft' | 'onSlippage'>) {
  const { slippage, linkSlippage } = draft
  const choices = SLIPPAGES.includes(slippage) ? SLIPPAGES : [...SLIPPAGES, slippage]
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
              checked={choice === slippage}
              onChange={() => onSlippage(choice)}
            />
            <span>{choice} %</span>
          </label>
        ))}
      </fieldset>
      {linkSlippage !== undefined && (
        <div class="warning" role="status" data-testid="link-slippage">
          The link asks for {linkSlippage} % slippage: the swap could pay that much less than
          quoted. {slippage} % is set instead.
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

function Figures({ draft, quote, tokens, prices }: FactsProps) {
  const decimals = tokens.get(draft.dst)?.decimals ?? 0
  const floor = quote && floorOf(quote, draft.slippage)
  const impact = quote?.meta.priceImpactBps ?? undefined
  return (
    <dl class="facts">
      <Fact name="At least" hint="The router reverts rather than pay less">
        {floor ? `${amountText(floor, decimals)} ${symbolOf(draft.dst, tokens)}` : '–'}
      </Fact>
      <Fact name="Price impact" hint="Against the marginal rates of this route, fees excluded">
        <span class={impact === undefined ? undefined : impactClass(impact)}>
          {!quote ? '–' : impact === undefined ? 'not known' : bpsText(impact)}
        </span>
      </Fact>
      <BoundFact gapBps={quote && (quote.meta.bound?.gapBps ?? null)} />
      <Fact name="Gas" hint="The whole transaction, estimated">
        {quote ? gasText(quote, tokens, prices) : '–'}
      </Fact>
    </dl>
  )
}

function impactClass(bps: number): string | undefined {
  return bps > IMPACT_BPS.bad ? 'bad' : bps > IMPACT_BPS.warn ? 'warn' : undefined
}

/** How far the quote may be from the best there can be; null where that is not known. */
function BoundFact({ gapBps }: { readonly gapBps: number | null | undefined }) {
  const isKnown = typeof gapBps === 'number' && gapBps >= 0
  return (
    <>
      <Fact
        name="Below the best possible"
        hint="No route through these pools, however split, pays more than this above the quote"
      >
        {gapBps === undefined ? (
          '–'
        ) : isKnown ? (
          <span class={gapBps < CLOSE_BPS ? 'good' : undefined}>
            {gapBps < 0.01 ? bpsText(0) : `≤ ${bpsText(gapBps)}`}
          </span>
        ) : (
          'not known'
        )}
      </Fact>
      {isKnown && gapBps >= LOOSE_BPS && (
        <div class="soft fine" data-testid="loose-bound">
          <dd class="note">
            The bound also counts routes that need more gas than a block has. It is loose for large
            orders and does not show that a better route exists.
          </dd>
        </div>
      )}
    </>
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

function Fact(props: { name: string; hint: string; children: ComponentChildren }) {
  return (
    <div title={props.hint}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
