import {
  type Braid,
  type Comparison,
  type Including,
  type Quoted,
  RefusedError,
} from '@braid-swap/client'
import { useEffect, useState } from 'preact/hooks'
import type { PageConfig } from '../pageConfig.js'
import { isSameOrder, type PageOrder, type Sale } from './order.js'

const POLL_MS = 1_000
/** An answer overdue by more than this no longer describes the market. */
const OVERDUE_MS = 4_000
const CURVE_EVERY_MS = 20_000
/** A failed request is repeated after this time at the latest. */
const RETRY_MS = 2_000
/** The delay before the first request, so that typing does not send one per digit. */
const TYPING_MS = 250

/** The parameters of a quote request. */
export function quoteRequestOf(order: PageOrder) {
  const flags = { includeGas: true, includeGraph: true, includeMeta: true } as const
  return { ...order, ...flags }
}

/** The request of a quote as a curl command. */
export function curlOf(
  order: PageOrder,
  { chainId }: Pick<PageConfig, 'chainId'>,
  apiKey: string,
): string {
  const asked = Object.entries(quoteRequestOf(order)).filter(([, value]) => value !== undefined)
  const params = new URLSearchParams(asked.map(([name, value]) => [name, `${value}`]))
  const key = apiKey === '' ? '' : `-H 'apikey: ${apiKey}' `
  return `curl ${key}'${location.origin}/swap/v1/${chainId}/quote?${params}'`
}

/** The last answer to an order, and the error since. */
export type Polled<T, O extends PageOrder = PageOrder> = {
  readonly order?: O
  readonly value?: T
  readonly error?: unknown
  /** Requests are paused because the page is hidden, or the last answer is overdue (sleep). */
  readonly isPaused?: boolean
}

/**
 * True if `polled` is an up-to-date answer to `order`. If it is not, the page greys everything that
 * depends on the quote and refuses to send.
 */
export function isCurrent(polled: Polled<unknown>, order: PageOrder | undefined): boolean {
  const isOfOrder =
    order !== undefined && polled.order !== undefined && isSameOrder(order, polled.order)
  return isOfOrder && polled.value !== undefined && polled.error === undefined && !polled.isPaused
}

/**
 * Polls while the page is visible: the next `ask` follows `everyMs` after the last answer. Each
 * `ask` gets the last answer to the same order. The result stays until another order is answered.
 */
export function usePolled<T, O extends PageOrder>(
  order: O | undefined,
  ask: (order: O, last: T | undefined, signal: AbortSignal) => Promise<T>,
  everyMs = POLL_MS,
): Polled<T, O> {
  const [polled, setPolled] = useState<Polled<T, O>>({})
  const key = order && Object.values(order).join(' ')
  // The key stands for the order, because effects compare objects by identity.
  useEffect(() => {
    if (!order) return
    const stop = new AbortController()
    let last: T | undefined
    let answeredMs = performance.now()
    let timer = setTimeout(poll, TYPING_MS)
    async function poll() {
      let pauseMs = everyMs
      const isOverdue = performance.now() - answeredMs > everyMs + OVERDUE_MS
      if (document.hidden || isOverdue) setPolled((polled) => ({ ...polled, isPaused: true }))
      try {
        if (!document.hidden) {
          last = await ask(order!, last, stop.signal)
          if (stop.signal.aborted) return
          answeredMs = performance.now()
          setPolled({ order: order!, value: last })
        }
      } catch (error) {
        if (stop.signal.aborted) return
        answeredMs = performance.now()
        const isFinal = error instanceof RefusedError && !error.retryable
        // The last answer stays visible in grey: isCurrent is false for it.
        setPolled({
          order: order!,
          error,
          ...(last !== undefined && !isUnfillable(error) && { value: last }),
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
  return polled
}

/** True if the API refused because the market cannot fill the order. */
export function isUnfillable(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 422
}

/** A quote with every part that the page shows. */
export type PageQuote = Including<Quoted, ReturnType<typeof quoteRequestOf>>

/** Polls the quote of an order every second. */
export function useQuote(braid: Braid, order: PageOrder | undefined): Polled<PageQuote> {
  return usePolled(order, (asked, last, signal) =>
    braid.quote(quoteRequestOf(asked), { signal, last }),
  )
}

/** Polls the comparison with single pools every two seconds. */
export function useComparison(braid: Braid, order: Sale | undefined): Polled<Comparison, Sale> {
  return usePolled(
    order,
    (asked, _, signal) => braid.compare({ ...asked, includeMeta: true }, { signal }),
    2 * POLL_MS,
  )
}

/** One amount on the curve, in wei. */
export type CurvePoint = {
  readonly amount: bigint
  readonly out: bigint
  /** The output of the best single pool; undefined if no single pool can fill the amount. */
  readonly single: bigint | undefined
}

/** Output by amount; `hasEnd` if no route can fill the next larger sample. */
export type OutputCurve = { readonly points: readonly CurvePoint[]; readonly hasEnd: boolean }

/** The sampled amounts, in eighths of the order's amount. */
const EIGHTHS = [1n, 2n, 4n, 6n, 8n, 12n, 16n, 24n, 32n]

/** Polls the output curve up to four times the order's amount. */
export function useCurve(braid: Braid, order: Sale | undefined): Polled<OutputCurve, Sale> {
  return usePolled(order, (asked, _, signal) => askCurve(braid, asked, signal), CURVE_EVERY_MS)
}

// Asks one sample after the other, so that a burst does not use up the key's rate limit.
async function askCurve(braid: Braid, order: Sale, signal: AbortSignal): Promise<OutputCurve> {
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
