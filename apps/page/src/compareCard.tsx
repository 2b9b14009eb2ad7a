import type { Comparison } from '@braid-swap/client'
import { shortAddress } from '@braid-swap/draw'
import type { ComponentChildren } from 'preact'
import type { Live } from './live.js'
import { OldMark } from './oldMark.js'
import {
  amountText,
  bpsText,
  type PageToken,
  shortfallBps,
  symbolOf,
  type Tokens,
  toFloat,
  usdText,
} from './text.js'
import { colourOfVenue } from './venueColours.js'

const SHOWN = 6

/** The whole route beside the best single pools; a bar is what a pool alone would lose. */
export function CompareCard(props: {
  readonly live: Live<Comparison>
  /** It is not about the order as the market is now. */
  readonly isOld: boolean
  readonly tokens: Tokens
  /** Dollars for one whole token received. */
  readonly usdPerDst: number | undefined
}) {
  const { live, tokens } = props
  const { order, value } = live
  const dst = order && tokens.get(order.dst)
  const pools = value?.pools.slice(0, SHOWN) ?? []
  const most = Math.max(
    ...pools.map(({ amountOut }) => shortfallBps(amountOut, value?.serviceQuote ?? 0n)),
  )
  return (
    <section class={props.isOld ? 'card old' : 'card'} aria-labelledby="compare-title">
      <header>
        <h2 id="compare-title">Against single pools</h2>
        <span class="soft">what one pool alone would lose</span>
        {props.isOld && value && <OldMark />}
      </header>
      {!value || !order || !dst ? (
        <p class="soft none">{live.error === undefined ? '…' : 'Nothing to compare.'}</p>
      ) : (
        <>
          <ol class="bars">
            <Bar name="Braid" kind="the whole route" out={value.serviceQuote} lost={0} dst={dst} />
            {pools.map((pool) => (
              <Bar
                key={pool.poolAddress}
                {...(pool.exchange && { venue: pool.exchange })}
                name={pool.exchange ?? pool.poolType}
                kind={<code>{shortAddress(pool.poolAddress)}</code>}
                out={pool.amountOut}
                lost={shortfallBps(pool.amountOut, value.serviceQuote)}
                most={most}
                dst={dst}
              />
            ))}
          </ol>
          <p class="soft fine">
            {gainOf(value, dst, { src: symbolOf(order.src, tokens), usdPerDst: props.usdPerDst })}
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
  /** Whose colour it has in the route. */
  readonly venue?: string
  readonly out: bigint
  /** Basis points less than the whole route. */
  readonly lost: number
  /** What the longest bar stands for; without it there is none. */
  readonly most?: number
  readonly dst: Dst
}) {
  const { name, kind, venue, out, lost, most, dst } = props
  return (
    <li class={most === undefined ? 'bar ours' : 'bar'}>
      <span class="bar-name">
        {venue && <i class={`swatch venue-${colourOfVenue(venue)}`} />}
        <b>{name}</b> <span class="soft">{kind}</span>
      </span>
      <span class="bar-out">{amountText(out, dst.decimals, 7)}</span>
      {most !== undefined && (
        <>
          <span class="bar-track" aria-hidden="true">
            <i style={{ width: `${most > 0 ? (lost / most) * 100 : 0}%` }} />
          </span>
          <span class="bar-lost">{lost > 0 ? `−${bpsText(lost)}` : 'the same'}</span>
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
    return `No single pool trades ${src} for ${dst.symbol} in this amount: the route goes round.`
  }
  const more = serviceQuote - best.amountOut
  if (more === 0n) return 'One pool alone is the best route for this amount.'
  const usd =
    usdPerDst === undefined ? '' : ` (${usdText(toFloat(more, dst.decimals) * usdPerDst)})`
  return `${amountText(more, dst.decimals, 6)} ${dst.symbol}${usd} more than the best single pool.`
}
