import type { Comparison } from '@braid-swap/client'
import { shortAddress } from '@braid-swap/draw'
import type { Live } from './live.js'
import {
  amountText,
  bpsText,
  shortfallBps,
  symbolOf,
  type Tokens,
  toFloat,
  usdText,
} from './text.js'

const SHOWN = 6

/** The whole route beside the best single pools, as bars from zero. */
export function CompareCard(props: { readonly live: Live<Comparison>; readonly tokens: Tokens }) {
  const { live, tokens } = props
  const { order, value } = live
  const dst = order && tokens.get(order.dst)
  return (
    <section class="card" aria-labelledby="compare-title">
      <header>
        <h2 id="compare-title">Against single pools</h2>
        <span class="soft">before gas</span>
      </header>
      {!value || !dst ? (
        <p class="soft none">{live.error === undefined ? '\u00a0' : 'Nothing to compare.'}</p>
      ) : (
        <>
          <ol class="bars">
            <Bar
              name="Braid"
              kind="the whole route"
              out={value.serviceQuote}
              best={value.serviceQuote}
              dst={dst}
            />
            {value.pools.slice(0, SHOWN).map((pool) => (
              <Bar
                key={pool.poolAddress}
                name={shortAddress(pool.poolAddress)}
                kind={pool.poolType}
                out={pool.amountOut}
                best={value.serviceQuote}
                dst={dst}
              />
            ))}
          </ol>
          <p class="soft fine">{gainOf(value, dst, order && symbolOf(order.src, tokens))}</p>
        </>
      )}
    </section>
  )
}

type Dst = { symbol: string; decimals: number; sellPriceUsd: number | null }

function Bar(props: {
  readonly name: string
  readonly kind: string
  readonly out: bigint
  readonly best: bigint
  readonly dst: Dst
}) {
  const { name, kind, out, best, dst } = props
  const part = best === 0n ? 0 : Number((out * 100_000n) / best) / 1_000
  const lost = shortfallBps(out, best)
  return (
    <li class={out === best && kind === 'the whole route' ? 'bar ours' : 'bar'}>
      <span class="bar-name">
        <b>{name}</b> <span class="soft">{kind}</span>
      </span>
      <span class="bar-out">
        {amountText(out, dst.decimals, 7)}
        <span class="bar-lost">{lost > 0 ? `−${bpsText(lost)}` : ''}</span>
      </span>
      <span class="bar-track" aria-hidden="true">
        <i style={{ width: `${part}%` }} />
      </span>
    </li>
  )
}

function gainOf({ serviceQuote, pools }: Comparison, dst: Dst, src = ''): string {
  const best = pools[0]
  if (!best)
    return `No single pool trades ${src} for ${dst.symbol} in this amount: the route goes round.`
  const more = serviceQuote - best.amountOut
  if (more === 0n) return 'One pool alone is the best route for this amount.'
  const usd =
    dst.sellPriceUsd === null ? '' : ` (${usdText(toFloat(more, dst.decimals) * dst.sellPriceUsd)})`
  return `${amountText(more, dst.decimals, 6)} ${dst.symbol}${usd} more than the best single pool.`
}
