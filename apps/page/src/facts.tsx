import { floorAt, parseSlippagePpm } from '@braid-swap/core'
import type { ComponentChildren } from 'preact'
import type { PageQuote } from './live.js'
import type { Draft } from './order.js'
import { amountText, bpsText, symbolOf, type Tokens } from './text.js'
import { isWrap } from './wrap.js'

const SLIPPAGES = ['0.1', '0.5', '1', '3']
/** Above these a person should look twice, in basis points. */
const HIGH_IMPACT_BPS = 300
/** A route this near the bound has nothing left to find. */
const CLOSE_BPS = 10

/** The slippage to choose, and what the quote says of itself. */
export function Facts(props: {
  readonly draft: Draft
  readonly onSlippage: (slippage: string) => void
  readonly quote: PageQuote | undefined
  readonly tokens: Tokens
}) {
  const { draft, quote, tokens } = props
  const decimals = tokens.get(draft.dst)?.decimals ?? 0
  const ppm = parseSlippagePpm(draft.slippage)
  const isBareWrap = quote?.graph.every(({ poolType }) => isWrap(poolType))
  const floor =
    quote &&
    ppm !== undefined &&
    (isBareWrap ? quote.dstAmount : floorAt(quote.dstAmount, BigInt(ppm)))
  const impact = quote?.meta.priceImpactBps ?? undefined
  const gap = quote?.meta.bound?.gapBps
  return (
    <>
      <fieldset class="choice">
        <legend>Slippage</legend>
        {SLIPPAGES.map((slippage) => (
          <label key={slippage}>
            <input
              type="radio"
              name="slippage"
              value={slippage}
              checked={slippage === draft.slippage}
              onChange={() => props.onSlippage(slippage)}
            />
            <span>{slippage} %</span>
          </label>
        ))}
      </fieldset>
      <dl class="facts">
        <Fact name="At least" hint="The router reverts rather than pay less">
          {floor ? `${amountText(floor, decimals)} ${symbolOf(draft.dst, tokens)}` : '–'}
        </Fact>
        <Fact name="Price impact" hint="Against the marginal rates of this route, fees excluded">
          <span class={impact !== undefined && impact > HIGH_IMPACT_BPS ? 'bad' : undefined}>
            {!quote ? '–' : impact === undefined ? 'not known' : bpsText(impact)}
          </span>
        </Fact>
        <Fact
          name="Below the best possible"
          hint="No route through these pools, however split, could bring more than this above the quote"
        >
          {gap === undefined ? (
            '–'
          ) : (
            <span class={gap < CLOSE_BPS ? 'good' : undefined}>
              {gap < 0.01 ? bpsText(0) : `≤ ${bpsText(gap)}`}
            </span>
          )}
        </Fact>
        <Fact name="Gas" hint="The whole transaction, estimated">
          {quote ? Number(quote.gas).toLocaleString('en-US') : '–'}
        </Fact>
      </dl>
      {quote?.meta.warnings.map(({ code, message }) => (
        <p class="warning" key={code}>
          {message}
        </p>
      ))}
    </>
  )
}

function Fact(props: { name: string; hint: string; children: ComponentChildren }) {
  return (
    <div title={props.hint}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
