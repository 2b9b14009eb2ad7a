import type { Braid, QuoteRequest } from '@braid-swap/client'
import { useEffect, useState } from 'react'
import { type QuoteState, type WatchOptions, watchQuote } from './watchQuote.js'

/** When to ask; see {@link WatchOptions}. */
export type QuoteOptions = WatchOptions

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
  { pollMs, delayMs }: QuoteOptions = {},
): QuoteState<R> {
  type Held = { readonly asked: R; readonly of: unknown; readonly state: QuoteState<R> }
  const [held, setHeld] = useState<Held>()
  const asked = useSameContent(request)
  useEffect(() => {
    if (asked === undefined) return
    const options = {
      ...(pollMs !== undefined && { pollMs }),
      ...(delayMs !== undefined && { delayMs }),
    }
    return watchQuote<R>(braid, asked, options, (state) => setHeld({ asked, of: braid, state }))
  }, [braid, asked, pollMs, delayMs])
  if (asked === undefined) return { status: 'idle' }
  return held?.asked === asked && held.of === braid ? held.state : { status: 'loading' }
}

/** The first of the objects given in a row whose fields are equal. */
function useSameContent<T extends object>(value: T | undefined): T | undefined {
  const [same, setSame] = useState(value)
  if (haveEqualFields(same, value)) return same
  // React renders again at once, before anything is shown.
  setSame(value)
  return value
}

function haveEqualFields(a: object | undefined, b: object | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  const [first, second] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))]
  return first.length === second.size && first.every(([name, value]) => second.get(name) === value)
}
