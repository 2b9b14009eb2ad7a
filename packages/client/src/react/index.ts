export { useQuote } from './useQuote.js'
export { type SwapState, useSwap } from './useSwap.js'
export type { QuoteState, WatchOptions } from './watchQuote.js'
