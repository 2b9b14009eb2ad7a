import { type Comparison, shortAddress } from '@braid-swap/client'
import type { ComponentChildren } from 'preact'
import {
  amountText,
  bpsText,
  LEAST_BPS,
  type PageToken,
  shortfallBps,
  symbolOf,
  type Tokens,
  toFloat,
  usdText,
} from '../format.js'
import { OldMark } from '../oldMark.js'
import type { Sale } from '../order/order.js'
import type { Polled } from '../order/usePolling.js'
import { colourOfVenue, venueStyle } from '../route/venueColours.js'

const MAX_POOLS = 6

/** Compares the route with the best single pools. A bar shows the loss in a single pool. */
export function CompareCard(props: {
  readonly polled: Polled<Comparison, Sale>
  /** There is an order, whose comparison may be on its way. */
  readonly isAsked: boolean
  /** The comparison is for another order, or the market has changed since. */
  readonly isOld: boolean
  readonly tokens: Tokens
  /** Dollars for one whole token received. */
  readonly usdPerDst: number | undefined
}) {
  const { polled, tokens } = props
  const { order, value } = polled
  const dst = order && tokens.get(order.dst)
  const pools = value?.pools.slice(0, MAX_POOLS) ?? []
  const most = Math.max(
    ...pools.map(({ amountOut }) => shortfallBps(amountOut, value?.serviceQuote ?? 0n)),
  )
  return (
    <section class={props.isOld ? 'card old' : 'card'} aria-labelledby="compare-title">
      <header>
        <h2 id="compare-title">Compared with single pools</h2>
        <span class="soft compare-subtitle">loss in each pool</span>
        {props.isOld && value && <OldMark />}
      </header>
      {!value || !order || !dst ? (
        <p class="soft none">
          {props.isAsked && polled.error === undefined ? '…' : 'Nothing to compare.'}
        </p>
      ) : (
        <>
          <ol class="bars">
            <Bar name="Braid" kind="the most output" out={value.serviceQuote} dst={dst} />
            {pools.map((pool) => (
              <Bar
                key={pool.poolAddress}
                {...(pool.exchange && { venue: pool.exchange })}
                name={pool.exchange ?? pool.poolType}
                kind={<code title={pool.poolAddress}>{shortAddress(pool.poolAddress)}</code>}
                out={pool.amountOut}
                best={value.serviceQuote}
                most={most}
                dst={dst}
              />
            ))}
          </ol>
          <p class="soft fine">
            {gainOf(value, dst, { src: symbolOf(order.src, tokens), usdPerDst: props.usdPerDst })}{' '}
            Gas is not counted here. “You receive” is chosen with gas counted, so it may be a little
            lower where that saves more gas.
          </p>
        </>
      )}
    </section>
  )
}

type Dst = Pick<PageToken, 'symbol' | 'decimals'>

function Bar(props: {
  readonly name: string
  readonly kind: ComponentChildren
  /** The venue, for its colour in the route picture. */
  readonly venue?: string
  readonly out: bigint
  /** The output of the whole route; by default this is its bar. */
  readonly best?: bigint
  /** The loss of the longest bar, in basis points; no bar is drawn if it is absent. */
  readonly most?: number
  readonly dst: Dst
}) {
  const { name, kind, venue, out, best = out, most, dst } = props
  const lost = shortfallBps(out, best)
  return (
    <li class={most === undefined ? 'bar ours' : 'bar'}>
      <span class="bar-name">
        {venue && <i class="swatch" style={venueStyle(colourOfVenue(venue))} />}
        <b>{name}</b> <span class="soft">{kind}</span>
      </span>
      <span class="bar-out">{amountText(out, dst.decimals, 7)}</span>
      {most !== undefined && (
        <>
          <span class="bar-track" aria-hidden="true">
            {lost > 0 && <i style={{ width: `${(lost / most) * 100}%` }} />}
          </span>
          <span class={lost > 0 ? 'bar-lost' : 'bar-lost soft'}>
            {lost > 0 ? `−${bpsText(lost)}` : out < best ? bpsText(LEAST_BPS) : 'the same'}
          </span>
        </>
      )}
    </li>
  )
}

function gainOf(
  { serviceQuote, pools }: Comparison,
  dst: Dst,
  { src, usdPerDst }: { readonly src: string; readonly usdPerDst: number | undefined },
): string {
  const best = pools[0]
  if (!best) {
    return `No single pool swaps this amount of ${src} to ${dst.symbol}.`
  }
  const more = serviceQuote - best.amountOut
  if (more === 0n) return 'The best single pool pays as much as the route.'
  const usd =
    usdPerDst === undefined ? '' : ` (${usdText(toFloat(more, dst.decimals) * usdPerDst)})`
  return `${amountText(more, dst.decimals, 6)} ${dst.symbol}${usd} more than the best single pool.`
}
