import type { Braid } from '@braid-swap/client'
import { useRef } from 'preact/hooks'
import type { Tokens } from './format.js'
import { isSameOrder, type PageOrder, type Sale, saleAt } from './order/order.js'
import {
  isCurrent,
  isUnfillable,
  type PageQuote,
  type Polled,
  useComparison,
  useCurve,
} from './order/usePolling.js'
import { CompareCard } from './quote/compareCard.js'
import { CurveCard } from './quote/curveCard.js'
import { Coverage } from './route/coverage.js'
import { RouteCard } from './route/routeCard.js'

type PicturesProps = {
  readonly braid: Braid
  readonly tokens: Tokens
  readonly order: PageOrder | undefined
  readonly polled: Polled<PageQuote>
  /** The API's last answer to this order, if it is an error. */
  readonly error: unknown
  readonly usdPerDst: number | undefined
}

/** The route, the comparison with single pools and the curve of an order. */
export function Pictures(props: PicturesProps) {
  const { braid, tokens, order, polled, error } = props
  const sale = useSale(order, polled)
  const comparison = useComparison(braid, sale)
  const curve = useCurve(braid, sale)
  const isQuoted = isCurrent(polled, order)
  const isAsked = order !== undefined
  // An order that cannot be filled shows no pictures, because the last ones show another order.
  const refused = isUnfillable(error) ? { error } : undefined
  const isOld = (of: Polled<unknown>, asked: PageOrder | undefined) =>
    !refused && (!isQuoted || !isCurrent(of, asked))
  return (
    <>
      <div class="layout-pictures">
        <RouteCard
          quote={refused ? undefined : polled.value}
          isOld={isOld(polled, order)}
          isRefused={refused !== undefined}
          tokens={tokens}
        />
        <Coverage />
        <CurveCard {...{ polled: refused ?? curve, isOld: isOld(curve, sale), isAsked, tokens }} />
      </div>
      <CompareCard
        {...{ polled: refused ?? comparison, isOld: isOld(comparison, sale), isAsked, tokens }}
        usdPerDst={props.usdPerDst}
      />
    </>
  )
}

/**
 * Returns the sale that the pictures show. An amount to receive sells the input first quoted, so that
 * the pictures stay the same while the quote follows the market.
 */
function useSale(order: PageOrder | undefined, polled: Polled<PageQuote>): Sale | undefined {
  const kept = useRef<{ readonly order: PageOrder; readonly sale: Sale }>(undefined)
  if (!order) return undefined
  if (kept.current && isSameOrder(kept.current.order, order)) return kept.current.sale
  const quote = isCurrent(polled, order) ? polled.value : {}
  const sale = quote && saleAt(order, quote)
  if (sale) kept.current = { order, sale }
  return sale
}
