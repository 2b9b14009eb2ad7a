/**
 * Follows the quote of one request by asking again and again. It needs no framework, so that the hook
 * is thin and this part can be tested without React. The API answers an unchanged quote by its ETag,
 * so asking every block costs almost nothing.
 */
import type { Braid, Including } from '../braid.js'
import type { QuoteRequest } from '../requests.js'
import type { Quoted } from '../responses.js'

/** The state of a quote. One that cannot be renewed is withdrawn, because prices become stale. */
export type QuoteState<R extends QuoteRequest> =
  | { readonly status: 'idle' }
  | { readonly status: 'loading' }
  | { readonly status: 'quoted'; readonly quote: Including<Quoted, R> }
  | { readonly status: 'failed'; readonly error: unknown }

/** Intervals of polling, in milliseconds. */
export type WatchOptions = {
  /** Between an answer and the next request; 1,000 by default, a block of HyperEVM. */
  readonly pollMs?: number | undefined
  /** Before the first request, because somebody may still be typing; 200 by default. */
  readonly delayMs?: number | undefined
}

/**
 * Asks for a quote until the returned function is called, and says each change. A failure is said too
 * and asked again, because a pair without a route may have one in the next block.
 *
 * @example const stop = watchQuote(braid, { src, dst, amount }, {}, (state) => render(state))
 */
export function watchQuote<const R extends QuoteRequest>(
  braid: Pick<Braid, 'quote'>,
  request: R,
  { pollMs = 1_000, delayMs = 200 }: WatchOptions,
  say: (state: Exclude<QuoteState<R>, { readonly status: 'idle' }>) => void,
): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let timer = setTimeout(ask, delayMs)
  let last: Including<Quoted, R> | undefined
  async function ask() {
    try {
      const quote = await braid.quote(request, { last, signal })
      if (signal.aborted) return
      // The client returns the last quote itself while it stands.
      if (quote !== last) say({ status: 'quoted', quote })
      last = quote
    } catch (error) {
      if (signal.aborted) return
      last = undefined
      say({ status: 'failed', error })
    }
    timer = setTimeout(ask, pollMs)
  }
  say({ status: 'loading' })
  return () => {
    clearTimeout(timer)
    ending.abort()
  }
}
