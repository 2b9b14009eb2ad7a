import { useEffect, useState } from 'react'
import type { Braid } from '../braid.js'
import type { QuoteRequest } from '../requests.js'
import { type QuoteState, type WatchOptions, watchQuote } from './watchQuote.js'

/**
 * The quote of a request, kept fresh while the component is mounted; `idle` without a request. The
 * request may be a new object at each render: only its content counts. After a change the state is
 * `loading` at once, so a quote is never shown beside another request's amount.
 *
 * @example
 * const state = useQuote(braid, amount > 0n ? { src: NATIVE, dst: usdc, amount } : undefined)
 * if (state.status === 'quoted') return <b>{formatUnits(state.quote.dstAmount, 6)}</b>
 */
export function useQuote<const R extends QuoteRequest>(
  braid: Pick<Braid, 'quote'>,
  request: R | undefined,
  { pollMs, delayMs }: WatchOptions = {},
): QuoteState<R> {
  type Held = { readonly request: R; readonly from: unknown; readonly state: QuoteState<R> }
  const [held, setHeld] = useState<Held>()
  const current = useSameContent(request)
  useEffect(() => {
    if (current === undefined) return
    return watchQuote<R>(braid, current, { pollMs, delayMs }, (state) =>
      setHeld({ request: current, from: braid, state }),
    )
  }, [braid, current, pollMs, delayMs])
  if (current === undefined) return { status: 'idle' }
  return held?.request === current && held.from === braid ? held.state : { status: 'loading' }
}

/** Returns the first of successive objects with equal fields, so that its identity stands for its content. */
function useSameContent<T extends object>(value: T | undefined): T | undefined {
  const [same, setSame] = useState(value)
  if (haveEqualFields(same, value)) return same
  // React renders again at once, before anything is shown.
  setSame(value)
  return value
}

function haveEqualFields(a: object = {}, b: object = {}): boolean {
  const [first, second] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))]
  return first.length === second.size && first.every(([name, value]) => second.get(name) === value)
}
