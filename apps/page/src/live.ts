import {
  type Braid,
  type Comparison,
  type Including,
  type Quoted,
  RefusedError,
} from '@braid-swap/client'
import { useEffect, useState } from 'preact/hooks'
import { isSameOrder, type PageOrder } from './order.js'

const POLL_MS = 1_000
/** An answer that is this much overdue is not the market's any more. */
const OVERDUE_MS = 4_000
const CURVE_EVERY_MS = 20_000
/** What failed is asked again after this at the latest. */
const RETRY_MS = 2_000
/** A visitor who types is not asked about every digit. */
const TYPING_MS = 250

/** What a quote is asked with. */
export function quoteRequestOf(order: PageOrder) {
  const flags = { includeGas: true, includeGraph: true, includeMeta: true } as const
  return { ...order, ...flags }
}

/** What was last answered to an order, and what went wrong since. */
export type Live<T> = {
  readonly order?: PageOrder
  readonly value?: T
  readonly error?: unknown
  /** Nothing is asked just now, because the page is hidden or the machine slept. */
  readonly isPaused?: boolean
}

/**
 * Whether `live` answers this very order, as the market is now. Whatever the page shows of a quote
 * is bright only while this holds, and nothing is sent without it.
 */
export function isCurrent(live: Live<unknown>, order: PageOrder | undefined): boolean {
  const isOfOrder =
    order !== undefined && live.order !== undefined && isSameOrder(order, live.order)
  return isOfOrder && live.value !== undefined && live.error === undefined && !live.isPaused
}

/**
 * Asks again and again while the page is seen: as soon as `ask` answered, after `everyMs`. The last
 * answer is given to the next `ask` of the same order, and stays until another order is answered.
 */
export function useLive<T>(
  order: PageOrder | undefined,
  ask: (order: PageOrder, last: T | undefined, signal: AbortSignal) => Promise<T>,
  everyMs = POLL_MS,
): Live<T> {
  const [live, setLive] = useState<Live<T>>({})
  const key = order && `${order.src} ${order.dst} ${order.amount}`
  // The key is the order, by value.
  useEffect(() => {
    if (!order) return
    const stop = new AbortController()
    let last: T | undefined
    let answeredMs = performance.now()
    let timer = setTimeout(poll, TYPING_MS)
    async function poll() {
      let pauseMs = everyMs
      const isOverdue = performance.now() - answeredMs > everyMs + OVERDUE_MS
      if (document.hidden || isOverdue) setLive((live) => ({ ...live, isPaused: true }))
      try {
        if (!document.hidden) {
          last = await ask(order!, last, stop.signal)
          if (stop.signal.aborted) return
          answeredMs = performance.now()
          setLive({ order: order!, value: last })
        }
      } catch (error) {
        if (stop.signal.aborted) return
        answeredMs = performance.now()
        const isFinal = error instanceof RefusedError && !error.retryable
        // The last answer stays as a shadow: isCurrent no longer holds for it.
        setLive({
          order: order!,
          error,
          ...(last !== undefined && !isMarketsNo(error) && { value: last }),
        })
        if (isFinal) return
        pauseMs = Math.min(everyMs, RETRY_MS)
      }
      timer = setTimeout(poll, pauseMs)
    }
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [key, everyMs])
  return live
}

/** Whether the market itself cannot fill the order. */
export function isMarketsNo(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 422
}

/** A quote with all that the page shows. */
export type PageQuote = Including<Quoted, ReturnType<typeof quoteRequestOf>>

/** A quote that follows the market. */
export function useQuote(braid: Braid, order: PageOrder | undefined): Live<PageQuote> {
  return useLive(order, (asked, last, signal) =>
    braid.quote(quoteRequestOf(asked), { signal, last }),
  )
}

/** Single pools beside the whole, every two seconds. */
export function useComparison(braid: Braid, order: PageOrder | undefined): Live<Comparison> {
  return useLive(
    order,
    (asked, _, signal) => braid.compare({ ...asked, includeMeta: true }, { signal }),
    2 * POLL_MS,
  )
}

/** One amount on the curve, in wei. */
export type CurvePoint = {
  readonly amount: bigint
  readonly out: bigint
  /** What the best single pool pays; absent where none can take it. */
  readonly single: bigint | undefined
}

/** How output grows with the amount; `end` where no route can take the next one. */
export type OutputCurve = { readonly points: readonly CurvePoint[]; readonly hasEnd: boolean }

/** Parts of the order's amount, in eighths. */
const EIGHTHS = [1n, 2n, 4n, 6n, 8n, 12n, 16n, 24n, 32n]

/** How output grows up to four times the amount. */
export function useCurve(braid: Braid, order: PageOrder | undefined): Live<OutputCurve> {
  return useLive(order, (asked, _, signal) => askCurve(braid, asked, signal), CURVE_EVERY_MS)
}

// One after the other, so that a key's limit is not used up at once.
async function askCurve(braid: Braid, order: PageOrder, signal: AbortSignal): Promise<OutputCurve> {
  const points: CurvePoint[] = []
  for (const eighths of EIGHTHS) {
    const amount = (order.amount * eighths) / 8n
    if (amount === 0n) continue
    try {
      const { serviceQuote, pools } = await braid.compare(
        { ...order, amount, limit: 50 },
        { signal },
      )
      points.push({ amount, out: serviceQuote, single: pools[0]?.amountOut })
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 422) throw error
      if (error.code === 'INSUFFICIENT_LIQUIDITY') return { points, hasEnd: true }
    }
  }
  return { points, hasEnd: false }
}
