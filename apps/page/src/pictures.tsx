import { type Braid, RefusedError } from '@braid-swap/client'
import { useRef } from 'preact/hooks'
import type { Tokens } from './format.js'
import { isSameOrder, type PageOrder, type Sale, saleAt } from './order/order.js'
import { CompareCard } from './quote/compareCard.js'
import { CurveCard } from './quote/curveCard.js'
import { RawCard } from './rawCard.js'
import type { Exchange } from './requestRecorder.js'
import { RouteCard } from './route/routeCard.js'
import {
  isCurrent,
  isMarketsNo,
  type Live,
  type PageQuote,
  useComparison,
  useCurve,
} from './usePolling.js'

type PicturesProps = {
  readonly braid: Braid
  readonly tokens: Tokens
  readonly order: PageOrder | undefined
  readonly live: Live<PageQuote>
  /** The API's last answer to this order, if it is an error. */
  readonly error: unknown
  readonly exchange: Exchange | undefined
  readonly apiKey: string
  readonly usdPerDst: number | undefined
  readonly onOtherKey: (() => void) | undefined
}

/** The route, the comparison with single pools, the curve and the raw request of an order. */
export function Pictures(props: PicturesProps) {
  const { braid, tokens, order, live, error, exchange, apiKey } = props
  const sale = useSale(order, live)
  const comparison = useComparison(braid, sale)
  const curve = useCurve(braid, sale)
  const isQuoted = isCurrent(live, order)
  // An order that cannot be filled shows no pictures, because the last ones show another order.
  const refused = isMarketsNo(error) ? { error } : undefined
  const isOld = (of: Live<unknown>, asked: PageOrder | undefined) =>
    !refused && (!isQuoted || !isCurrent(of, asked))
  return (
    <div class="desk-pictures">
      <RouteCard
        quote={refused ? undefined : live.value}
        isOld={isOld(live, order)}
        tokens={tokens}
      />
      <CompareCard
        {...{ live: refused ?? comparison, isOld: isOld(comparison, sale), tokens }}
        usdPerDst={props.usdPerDst}
      />
      <CurveCard live={refused ?? curve} isOld={isOld(curve, sale)} tokens={tokens} />
      <RawCard
        {...{ exchange, apiKey }}
        isOld={!isQuoted && !isAnswer(error)}
        onOtherKey={props.onOtherKey}
      />
    </div>
  )
}

/**
 * What the order sells, for the pictures. For an amount to receive it is the input first quoted, so
 * that the pictures stay the same while the quote follows the market.
 */
function useSale(order: PageOrder | undefined, live: Live<PageQuote>): Sale | undefined {
  const kept = useRef<{ readonly order: PageOrder; readonly sale: Sale }>(undefined)
  if (!order) return undefined
  if (kept.current && isSameOrder(kept.current.order, order)) return kept.current.sale
  const quote = isCurrent(live, order) ? live.value : {}
  const sale = quote && saleAt(order, quote)
  if (sale) kept.current = { order, sale }
  return sale
}

/** Whether an error is the API's answer to the last request, which the page then shows. */
function isAnswer(error: unknown): boolean {
  return error instanceof RefusedError && error.status !== 429
}
